import type { Finding, Unknown } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { type ObjectRef, formatRef } from "../../model/resource.ts";
import { joinNames, sortNames, summarizeNames } from "../../model/text.ts";
import { FIELDS_DROPPED, FIELDS_FROZEN, OBJECT_INVALID } from "./risks.ts";
import type { DefaultedField } from "./changed-defaults.ts";
import { type ObjectVerdict, type VersionVerdict, getFieldEffect } from "./object-verdict.ts";
import { isPathUnder } from "./writes.ts";

/** `cause`: "apiServer" if the CRD stays the same. */
export function buildObjectFindings(verdicts: readonly ObjectVerdict[], cause?: "apiServer"): readonly Finding[] {
  const findings = verdicts.flatMap(({ object, versions, defaultedFields }) => {
    const faults = versions.flatMap((verdict) => [
      ...buildInvalid(verdict),
      ...buildUnmergeable(verdict),
      ...buildPruned(verdict),
    ]);
    return [...joinFaults(faults, object), ...defaultedFields.filter(isUnwritten).map(toFinding(object))];
  });
  return cause === undefined ? findings : findings.map((one) => ({ ...one, detail: { ...one.detail, cause } }));
}

function isUnwritten(field: DefaultedField): boolean {
  return field.isUnwritten;
}

function toFinding(object: ObjectRef): (field: DefaultedField) => Finding {
  return ({ path, value }) => ({
    risk: FIELDS_DROPPED,
    object,
    path,
    message: `Nobody is known to have set ${value}, which today's default gives, and the target's schema has none.`,
    detail: { kind: "default" },
  });
}

/** A fault in some versions, its message without a full stop. */
type Fault = Pick<Finding, "risk" | "detail"> & {
  readonly path: string;
  readonly message: string;
  readonly verdict: VersionVerdict;
  readonly managedVersion?: string | undefined;
};

function buildInvalid(verdict: VersionVerdict): readonly Fault[] {
  return verdict.errors.map((error) => ({
    verdict,
    risk: verdict.effect === "rejected" ? OBJECT_INVALID : FIELDS_FROZEN,
    path: error.path,
    message: error.message,
    detail: {
      kind: error.isOfCreate ? "create" : error.isTransition ? "transition" : "invalid",
      effect: getFieldEffect(verdict, error),
      ...(verdict.scaleErrors.some(({ path }) => path === error.path) ? { scale: "refused" } : {}),
    },
  }));
}

/** Values that the target accepts, and server-side apply alone refuses. */
function buildUnmergeable(verdict: VersionVerdict): readonly Fault[] {
  const { errors, applyFaults } = verdict;
  return applyFaults
    .filter((fault) => !errors.some(({ path }) => path === fault.path))
    .map(({ path, message, managedVersion }) => ({
      verdict,
      managedVersion,
      risk: FIELDS_FROZEN,
      path,
      message,
      detail: { kind: "unmergeable", effect: "applyRefused" },
    }));
}

/** Status is left out: the target's operators write it again, so nothing that a person set is lost. */
function buildPruned(verdict: VersionVerdict): readonly Fault[] {
  const { prunedPaths, droppedFields } = verdict;
  const pruned = prunedPaths.map((path) => ({ path, message: "The target's schema lacks this field", kind: "pruned" }));
  const dropped = droppedFields.map(({ path, message, isMalformed }) => ({
    path,
    message,
    kind: isMalformed ? "malformed" : "pruned",
  }));
  return [...pruned, ...dropped]
    .filter(({ path }) => !isPathUnder(path, "status"))
    .map(({ path, message, kind }) => ({ verdict, risk: FIELDS_DROPPED, path, message, detail: { kind } }));
}

/** One finding for the same fault in several versions, and for what it does to applies through others. */
function joinFaults(faults: readonly Fault[], object: ObjectRef): readonly Finding[] {
  const isTold = (fault: Fault): boolean => faults.some((other) => isCause(other, fault));
  const groups = Map.groupBy(
    faults.filter((fault) => !isTold(fault)),
    ({ risk, path, message, detail }) => JSON.stringify([risk, path, message, detail]),
  );
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const { risk, path, detail } = first;
    const versions = joinUnique(alike.flatMap(({ verdict }) => verdict.versions));
    const through = joinUnique(
      faults.filter((fault) => isCause(first, fault)).flatMap(({ verdict }) => verdict.versions),
    );
    return [
      {
        risk,
        object,
        path: path === "" ? undefined : path,
        message: `${first.message}${describeVersions(alike, through)}.`,
        detail: versions.length === 0 ? detail : { ...detail, versions: versions.join(",") },
      },
    ];
  });
}

/** Does a value that is wrong in a version make applies through another one fail, because managed fields name the version? */
function isCause(fault: Fault, { managedVersion, path }: Fault): boolean {
  if (managedVersion === undefined || fault.managedVersion !== undefined || fault.path !== path) return false;
  return fault.risk !== FIELDS_DROPPED && fault.verdict.versions.includes(managedVersion);
}

function joinUnique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** " (in version v1beta1, in which argocd writes)" if the kind has several versions. */
function describeVersions(faults: readonly Fault[], through: readonly string[]): string {
  const managed = joinUnique(faults.flatMap(({ managedVersion }) => managedVersion ?? []));
  if (managed.length > 0) return ` (in ${formatVersions(managed)}, which managed fields name)`;
  const names = joinUnique(faults.flatMap(({ verdict }) => verdict.versions));
  if (names.length === 0) return "";
  const managers = sortNames(faults.flatMap(({ verdict }) => verdict.managers));
  const write = managers.length === 1 ? "writes" : "write";
  const who = managers.length === 0 ? "" : `, in which ${summarizeNames(managers)} ${write}`;
  const applies =
    through.length === 0
      ? ""
      : `; because managed fields name it, server-side apply through ${joinNames(through)} fails too`;
  return ` (in ${formatVersions(names)}${who}${applies})`;
}

function formatVersions(names: readonly string[]): string {
  return `${names.length === 1 ? "version" : "versions"} ${joinNames(names)}`;
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
    .flatMap(({ object, versions }) =>
      versions.flatMap(({ unevaluatedRules }) => unevaluatedRules.map((rule) => ({ rule, object }))),
    )
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
