import type { Finding, Unknown } from "../../model/check.ts";
import { buildDefinition, type Crd } from "../../model/crd.ts";
import { at, formatCanonicalJson, objectAt } from "../../model/json.ts";
import { judgeDefinition, type Refusal, type Verdict } from "../../schema/definition/definition.ts";
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

/** Keyed by the target's CRD, which outlives a cycle: judging all of a release takes seconds. */
const verdictsOnCreate = new WeakMap<Crd, Verdict>();

export function judgeTargetCrds(targets: readonly Crd[], installed: readonly Crd[]): readonly DefinitionVerdict[] {
  const installedByName = new Map(installed.map((crd) => [crd.name, crd]));
  return targets.map((target) => {
    const before = installedByName.get(target.name);
    return { target, installed: before, verdict: judge(target, before) };
  });
}

/** What the API server accepts as a new definition it also accepts as a replacement, unless a certificate or a fixed field is at fault. */
function judge(target: Crd, installed: Crd | undefined): Verdict {
  if (installed !== undefined && isSameSpec(target, installed)) return ACCEPTED;
  const verdict = judgeOnCreate(target);
  if (installed === undefined) return verdict;
  const isClean = verdict.refusals.length + verdict.undecided.length === 0;
  if (isClean && !hasBundle(target)) return ACCEPTED;
  const { refusals, undecided } = judgeDefinition(buildDefinition(target), buildDefinition(installed));
  return { refusals: refusals.filter((refusal) => !isOwnRisk(refusal)), undecided };
}

function judgeOnCreate(target: Crd): Verdict {
  const known = verdictsOnCreate.get(target);
  if (known !== undefined) return known;
  const verdict = judgeDefinition(buildDefinition(target));
  verdictsOnCreate.set(target, verdict);
  return verdict;
}

function isSameSpec(target: Crd, installed: Crd): boolean {
  const areSchemasSame =
    target.versions.length === installed.versions.length &&
    target.versions.every(({ schema }, i) => schema === installed.versions[i]?.schema);
  return areSchemasSame && formatSpec(target) === formatSpec(installed);
}

/** With the defaults that the API server fills in, which the target's manifest may leave out. */
function formatSpec({ shell, listKind, singular, preserveUnknownFields }: Crd): string {
  const spec = objectAt(shell, "spec");
  const names = { ...objectAt(spec, "names"), listKind, singular };
  return formatCanonicalJson({ conversion: { strategy: "None" }, ...spec, names, preserveUnknownFields });
}

/** The certificates of a conversion webhook are validated only if the installed ones are valid. */
function hasBundle({ shell }: Crd): boolean {
  return at(shell, "spec", "conversion", "webhook", "clientConfig", "caBundle") !== undefined;
}

/** CrdStoredVersionRemoved and CrdNamesChanged report these refusals. */
function isOwnRisk({ path, reason }: Refusal): boolean {
  return path.startsWith("status.storedVersions[") || reason.startsWith("can't be changed: ");
}

export function isAccepted({ verdict }: DefinitionVerdict): boolean {
  return verdict.refusals.length + verdict.undecided.length === 0;
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
