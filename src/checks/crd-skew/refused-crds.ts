import type { Finding, Unknown } from "../../model/check.ts";
import { buildDefinition, type Crd, type CrdVersion } from "../../model/crd.ts";
import { type Json, at, formatCanonicalJson, isObject, objectAt } from "../../model/json.ts";
import { judgeChanges, judgeDefinition, type Refusal, type Verdict } from "../../schema/crd/index.ts";
import { refOfCrd } from "./crd-pair.ts";
import { buildFixedNameFindings, buildStoredVersionFindings } from "./definitions.ts";
import { CRD_REFUSED } from "./risks.ts";

/** The API server's verdict on a definition of the target; `installed` is undefined if the update creates it. */
export type DefinitionVerdict = {
  readonly target: Crd;
  readonly installed: Crd | undefined;
  readonly verdict: Verdict;
};

const ACCEPTED: Verdict = { refusals: [], undecided: [] };

/**
 * Keyed by the target's CRD, which outlives a cycle: judging all of a release takes a good part of a second. The second key names the
 * minor of Kubernetes and the versions whose schema was left out.
 */
const verdictsOnCreate = new WeakMap<Crd, Map<string, Verdict>>();

/** `minor`: of the Kubernetes that the target runs. */
export function judgeTargetCrds(
  targets: readonly Crd[],
  installed: readonly Crd[],
  minor: number,
): readonly DefinitionVerdict[] {
  const installedByName = new Map(installed.map((crd) => [crd.name, crd]));
  return targets.map((target) => {
    const before = installedByName.get(target.name);
    return { target, installed: before, verdict: judge(target, before, minor) };
  });
}

/** What the API server accepts as a new definition it also accepts as a replacement, unless a certificate or a fixed field is at fault. */
function judge(target: Crd, installed: Crd | undefined, minor: number): Verdict {
  if (installed === undefined) return judgeOnCreate(target, [], minor);
  if (isSameSpec(target, installed) && hasNoNewMetadata(target, installed)) return ACCEPTED;
  if (!hasBundle(target) && isClean(judgeOnCreate(target, findAcceptedSchemas(target, installed), minor)))
    return ACCEPTED;
  const { refusals, undecided } = judgeDefinition(buildDefinition(target), buildDefinition(installed), minor);
  return { refusals: refusals.filter((refusal) => !isOwnRisk(refusal)), undecided };
}

function judgeOnCreate(target: Crd, acceptedSchemas: readonly string[], minor: number): Verdict {
  const verdicts = verdictsOnCreate.get(target) ?? new Map<string, Verdict>();
  verdictsOnCreate.set(target, verdicts);
  const key = [minor, ...acceptedSchemas].join();
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const verdict = judgeChanges(buildDefinition(target), new Set(acceptedSchemas), minor);
  verdicts.set(key, verdict);
  return verdict;
}

/** The versions whose schema the API server has accepted already, under the same conditions. */
function findAcceptedSchemas(target: Crd, installed: Crd): readonly string[] {
  if (target.preserveUnknownFields || installed.preserveUnknownFields) return [];
  const same = target.versions.filter((version) => {
    const before = installed.versions.find(({ name }) => name === version.name);
    return before !== undefined && version.schema === before.schema && hasStatus(version) === hasStatus(before);
  });
  return same.map(({ name }) => name);
}

function hasStatus({ subresources }: CrdVersion): boolean {
  return subresources.includes("status");
}

function isSameSpec(target: Crd, installed: Crd): boolean {
  const areSchemasSame =
    target.versions.length === installed.versions.length &&
    target.versions.every(({ schema }, i) => schema === installed.versions[i]?.schema);
  return areSchemasSame && formatSpec(target) === formatSpec(installed);
}

/** With the defaults that the API server fills in, which the target's manifest may leave out. What it has stays as it is, valid or not. */
function formatSpec({ shell, listKind, singular }: Crd): string {
  const spec = objectAt(shell, "spec");
  const names = { listKind, singular, ...objectAt(spec, "names") };
  return formatCanonicalJson({ conversion: { strategy: "None" }, preserveUnknownFields: false, ...spec, names });
}

/** All metadata is validated too. An update adds labels and annotations to the installed ones. */
function hasNoNewMetadata({ shell }: Crd, installed: Crd): boolean {
  const before = objectAt(installed.shell, "metadata");
  return Object.entries(objectAt(shell, "metadata")).every(([field, value]) => {
    if (value === null || isSame(value, before[field])) return true;
    if (!isObject(value) || (field !== "labels" && field !== "annotations")) return false;
    return Object.entries(value).every(([key, text]) => text === at(before, field, key));
  });
}

function isSame(value: Json, before: Json | undefined): boolean {
  return before !== undefined && formatCanonicalJson(value) === formatCanonicalJson(before);
}

/** The certificates of a conversion webhook are validated only if the installed ones are valid. */
function hasBundle({ shell }: Crd): boolean {
  return at(shell, "spec", "conversion", "webhook", "clientConfig", "caBundle") !== undefined;
}

/** CrdStoredVersionRemoved and CrdScopeOrKindChanged report these refusals. */
function isOwnRisk({ path, reason }: Refusal): boolean {
  return path.startsWith("status.storedVersions[") || reason.startsWith("can't be changed: ");
}

export function isAccepted({ verdict }: DefinitionVerdict): boolean {
  return isClean(verdict);
}

function isClean({ refusals, undecided }: Verdict): boolean {
  return refusals.length + undecided.length === 0;
}

export function isRefused({ verdict }: DefinitionVerdict): boolean {
  return verdict.refusals.length > 0;
}

/** Every reason for which the API server refuses a definition, those that have risks of their own included. */
export function buildRefusedFindings({ target, installed, verdict }: DefinitionVerdict): readonly Finding[] {
  if (verdict.refusals.length === 0) return [];
  const findings = verdict.refusals.map((refusal) => ({
    risk: CRD_REFUSED,
    object: refOfCrd(target),
    path: refusal.path,
    message: `The API server refuses ${describeReason(refusal)}.`,
    detail: { kind: "refused" },
  }));
  if (installed === undefined) return findings;
  const pair = { installed, target };
  return [...findings, ...buildStoredVersionFindings(pair), ...buildFixedNameFindings(pair)];
}

const PREDICATE = /^(?:can't|has|is|may|must) /;

/** Most reasons are predicates of the field at the path; others, such as errors of CEL, are clauses of their own. */
function describeReason(refusal: Refusal): string {
  const { version, reason } = refusal;
  if (!PREDICATE.test(reason)) return `this field${describeVersion(refusal)}: ${reason}`;
  return `${version === "" ? "the definition" : `version ${version}`}, because this field ${reason}`;
}

function describeVersion({ version }: Refusal): string {
  return version === "" ? "" : ` of version ${version}`;
}

export function buildRefusalUnknowns({ target, verdict }: DefinitionVerdict, targetName: string): readonly Unknown[] {
  const [first] = verdict.undecided;
  if (first === undefined || verdict.refusals.length > 0) return [];
  const message = `preflight cannot tell whether the API server accepts ${first.path}${describeVersion(first)} in ${targetName}: ${first.reason}`;
  const at = { object: refOfCrd(target), path: first.path, detail: { kind: "notEvaluated" } };
  return [{ reason: "DefinitionNotJudged", where: target.name, message, at }];
}
