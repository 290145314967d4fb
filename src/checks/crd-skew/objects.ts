import type { Blind, Context, Finding } from "../../model/check.ts";
import { byText, type JsonObject } from "../../model/json.ts";
import { joinSome } from "../../model/names.ts";
import type { Each } from "../../model/read.ts";
import { refText } from "../../model/resource.ts";
import type { Pair } from "./definitions.ts";
import { type Reading, readingOf, type Schemas, schemasOf } from "./reading.ts";
import { FIELDS_DROPPED, FIELDS_FROZEN, OBJECT_INVALID } from "./risks.ts";
import { type ObjectVerdict, verdictOn } from "./verdict.ts";

/** Reads a CRD's objects where there is something to judge them by. */
export function objectsRead(pair: Pair, context: Context): Each<ObjectVerdict> | undefined {
  const reading = readingOf(pair);
  if (reading === undefined) return undefined;
  const { group, plural } = pair.installed;
  const resource = { group, version: reading.before.name, resource: plural };
  return { kind: "each", resource, ...judging(pair, reading, context) };
}

/** What another check judges in full is left to it where it runs: one fact, one finding. */
type Elsewhere = { readonly check: string; readonly paths: readonly string[] };
const JUDGED_ELSEWHERE: Readonly<Record<string, Elsewhere>> = {
  "clusterversions.config.openshift.io": {
    check: "capability-enums",
    paths: ["spec.capabilities", "status.capabilities"],
  },
  "nodes.config.openshift.io": { check: "cgroup-v1", paths: ["spec.cgroupMode"] },
};

function judgedElsewhere(name: string, { checks }: Context): readonly string[] {
  const elsewhere = JUDGED_ELSEWHERE[name];
  return elsewhere !== undefined && checks.includes(elsewhere.check) ? elsewhere.paths : [];
}

/** Schemas are prepared when the first object comes, since most kinds have none, and held no longer than the list lasts. */
function judging(pair: Pair, reading: Reading, context: Context): Pick<Each<ObjectVerdict>, "keep" | "done"> {
  const elsewhere = judgedElsewhere(pair.installed.name, context);
  let schemas: Schemas | undefined;
  const keep = (object: JsonObject): ObjectVerdict | undefined => {
    schemas ??= schemasOf(pair, reading, context);
    return verdictOn(object, schemas, elsewhere);
  };
  const done = (): void => void (schemas = undefined);
  return { keep, done };
}

export function objectFindings(verdicts: readonly ObjectVerdict[]): readonly Finding[] {
  return verdicts.flatMap((verdict) => [...invalidFindings(verdict), ...prunedFindings(verdict)]);
}

function invalidFindings({ object, errors, effect }: ObjectVerdict): readonly Finding[] {
  return errors.map(({ path, message }) => ({
    risk: effect === "rejected" ? OBJECT_INVALID : FIELDS_FROZEN,
    object,
    ...(path === "" ? {} : { path }),
    message: `${message}.`,
    detail: { kind: "invalid", effect },
  }));
}

/** Status is what operators see, and those of the target write what it knows: nothing that anyone set is lost there. */
function prunedFindings({ object, pruned }: ObjectVerdict): readonly Finding[] {
  return pruned
    .filter((path) => !isOfStatus(path))
    .map((path) => ({
      risk: FIELDS_DROPPED,
      object,
      path,
      message: "The target's schema doesn't know this field.",
      detail: { kind: "pruned" },
    }));
}

function isOfStatus(path: string): boolean {
  return /^status(?:$|[.[])/.test(path);
}

/** What today's schema refuses too, a notice for each kind. */
export function failingNotices(verdicts: readonly ObjectVerdict[]): readonly string[] {
  const failing = verdicts.filter(({ failsToday }) => failsToday).map(({ object }) => object);
  return [...Map.groupBy(failing, ({ kind }) => kind)].map(([kind, objects]) => {
    const names = objects.map(({ namespace, name }) => (namespace === undefined ? name : `${namespace}/${name}`));
    const [count, have] = objects.length === 1 ? ["1 object", "has"] : [`${objects.length} objects`, "have"];
    return `${count} of kind ${kind} ${have} values that today's schema refuses too, which is not this update's doing: ${joinSome(names)}.`;
  });
}

/** A rule (CEL) that preflight can't evaluate: whether such objects satisfy it is not known. */
export function ruleBlind(name: string, verdicts: readonly ObjectVerdict[], target: string): readonly Blind[] {
  const rules = verdicts
    .flatMap((verdict) => verdict.rules.map((rule) => ({ rule, object: verdict.object })))
    .toSorted((a, b) => byText(a.rule.location, b.rule.location) || byText(a.rule.rule, b.rule.rule));
  const [first] = rules;
  if (first === undefined) return [];
  const count = new Set(rules.map(({ rule }) => `${rule.location}\u0000${rule.rule}`)).size;
  const rulesText = count === 1 ? "1 CEL rule" : `${count} CEL rules`;
  const { path } = first.rule;
  const where = `${path === "" ? "" : `${path} of `}${refText(first.object)}`;
  const message = `${target} brings or changes ${rulesText} for objects that exist, such as ${where}, and preflight can't evaluate ${count === 1 ? "it" : "them"}`;
  const at = { object: first.object, ...(path === "" ? {} : { path }), detail: { kind: "notEvaluated" } };
  return [{ reason: "RuleNotEvaluated", where: name, message, at }];
}
