import type { Unknown, Context, Finding } from "../../model/check.ts";
import { type JsonObject, compareText, textAt, findOwn } from "../../model/json.ts";
import { summarizeNames } from "../../model/text.ts";
import type { Each } from "../../model/read.ts";
import { formatRef } from "../../model/resource.ts";
import { type CrdPair, type VersionPair, type SchemaPair, findVersionPair, compileSchemas } from "./crd-pair.ts";
import { FIELDS_DROPPED, FIELDS_FROZEN, OBJECT_INVALID } from "./risks.ts";
import { getFieldEffect, type ObjectVerdict, judgeObject } from "./object-verdict.ts";

/** Reads a CRD's objects, unless no schema would judge them. */
export function buildObjectsRead(pair: CrdPair, context: Context): Each<ObjectVerdict> | undefined {
  const versions = findVersionPair(pair);
  if (versions === undefined) return undefined;
  const { group, plural, kind, listKind } = pair.installed;
  const resource = { group, version: versions.before.name, resource: plural, kind, listKind };
  return { kind: "each", resource, soundInPart: "object", ...buildKeep(pair, versions, context) };
}

/** Paths of one object that another check judges in full are left to it when it runs: one fact, one finding. */
type OtherCheck = { readonly check: string; readonly object: string; readonly paths: readonly string[] };
const JUDGED_BY_OTHER_CHECKS: Readonly<Record<string, OtherCheck>> = {
  "clusterversions.config.openshift.io": {
    check: "capability-enums",
    object: "version",
    paths: ["spec.capabilities", "status.capabilities"],
  },
  "nodes.config.openshift.io": { check: "cgroup-v1", object: "cluster", paths: ["spec.cgroupMode"] },
};

function findOtherCheck(name: string, { checks }: Context): OtherCheck | undefined {
  const elsewhere = findOwn(JUDGED_BY_OTHER_CHECKS, name);
  return elsewhere !== undefined && checks.includes(elsewhere.check) ? elsewhere : undefined;
}

/** Schemas are compiled when the first object arrives, because most kinds have none, and dropped with their list. */
function buildKeep(pair: CrdPair, versions: VersionPair, context: Context): Pick<Each<ObjectVerdict>, "keep" | "done"> {
  const elsewhere = findOtherCheck(pair.installed.name, context);
  let schemas: SchemaPair | undefined;
  const keep = (object: JsonObject): ObjectVerdict | undefined => {
    schemas ??= compileSchemas(pair, versions, context);
    const isElsewhere = elsewhere !== undefined && textAt(object, "metadata", "name") === elsewhere.object;
    return judgeObject(object, schemas, isElsewhere ? elsewhere.paths : []);
  };
  const done = (): void => void (schemas = undefined);
  return { keep, done };
}

export function buildObjectFindings(verdicts: readonly ObjectVerdict[]): readonly Finding[] {
  return verdicts.flatMap((verdict) => [
    ...buildInvalidFindings(verdict),
    ...buildUnmergeableFindings(verdict),
    ...buildPrunedFindings(verdict),
  ]);
}

function buildInvalidFindings(verdict: ObjectVerdict): readonly Finding[] {
  const { object, errors, effect } = verdict;
  return errors.map((error) => ({
    risk: effect === "rejected" ? OBJECT_INVALID : FIELDS_FROZEN,
    object,
    path: error.path === "" ? undefined : error.path,
    message: `${error.message}.`,
    detail: { kind: error.isTransition ? "transition" : "invalid", effect: getFieldEffect(verdict, error) },
  }));
}

/** Values that the target accepts, and server-side apply alone refuses. */
function buildUnmergeableFindings({ object, errors, applyFaults }: ObjectVerdict): readonly Finding[] {
  return applyFaults
    .filter((fault) => !errors.some(({ path }) => path === fault.path))
    .map(({ path, message }) => ({
      risk: FIELDS_FROZEN,
      object,
      path: path === "" ? undefined : path,
      message: `${message}.`,
      detail: { kind: "unmergeable", effect: "applyRefused" },
    }));
}

/** Status is left out: the target's operators write it again, so nothing that a person set is lost. */
function buildPrunedFindings({ object, prunedPaths, droppedFields }: ObjectVerdict): readonly Finding[] {
  const pruned = prunedPaths.map((path) => ({ path, message: "The target's schema lacks this field", kind: "pruned" }));
  const dropped = droppedFields.map(({ path, message, isMalformed }) => ({
    path,
    message,
    kind: isMalformed ? "malformed" : "pruned",
  }));
  return [...pruned, ...dropped]
    .filter(({ path }) => !isStatusPath(path))
    .map(({ path, message, kind }) => ({
      risk: FIELDS_DROPPED,
      object,
      path,
      message: `${message}.`,
      detail: { kind },
    }));
}

function isStatusPath(path: string): boolean {
  return /^status(?:$|[.[])/.test(path);
}

/** One notice for each kind with objects that the installed schema rejects too. */
export function buildFailsTodayNotices(verdicts: readonly ObjectVerdict[]): readonly string[] {
  const failing = verdicts.filter(({ hasErrorsToday }) => hasErrorsToday).map(({ object }) => object);
  return [...Map.groupBy(failing, ({ kind }) => kind)].map(([kind, objects]) => {
    const names = objects.map(({ namespace, name }) => (namespace === undefined ? name : `${namespace}/${name}`));
    const [count, have] = objects.length === 1 ? ["1 object", "has"] : [`${objects.length} objects`, "have"];
    return `${count} of kind ${kind} ${have} values that today's schema already rejects, so the update is not the cause: ${summarizeNames(names)}.`;
  });
}

/** CEL rules that preflight cannot evaluate: whether the objects satisfy them is unknown. */
export function buildRuleUnknowns(
  name: string,
  verdicts: readonly ObjectVerdict[],
  target: string,
): readonly Unknown[] {
  const rules = verdicts
    .flatMap((verdict) => verdict.unevaluatedRules.map((rule) => ({ rule, object: verdict.object })))
    .toSorted((a, b) => compareText(a.rule.location, b.rule.location) || compareText(a.rule.rule, b.rule.rule));
  const [first] = rules;
  if (first === undefined) return [];
  const count = new Set(rules.map(({ rule }) => `${rule.location}\u0000${rule.rule}`)).size;
  const rulesText = count === 1 ? "1 CEL rule" : `${count} CEL rules`;
  const { path } = first.rule;
  const where = `${path === "" ? "" : `${path} of `}${formatRef(first.object)}`;
  const message = `${target} adds or changes ${rulesText} for existing objects such as ${where}, and preflight cannot evaluate ${count === 1 ? "it" : "them"}`;
  const at = { object: first.object, ...(path === "" ? {} : { path }), detail: { kind: "notEvaluated" } };
  return [{ reason: "RuleNotEvaluated", where: name, message, at }];
}
