import { type KindPlan, planKind, readsManagedFields } from "../../src/checks/crd-skew/kind-plan.ts";
import { type KindSchemas, compileKind } from "../../src/checks/crd-skew/kind-schemas.ts";
import { type VersionVerdict, getFieldEffect, judgeObject } from "../../src/checks/crd-skew/object-verdict.ts";
import { isPathUnder, listManagedVersions } from "../../src/checks/crd-skew/writes.ts";
import type { Sample } from "./sample.ts";
import { dropManagers } from "./server-objects.ts";
import { type Subject, hasStatus, isManagedInRemoved } from "./subject.ts";
import { type Outcome, TOLD_WRITES, type ToldWrite, type Verdict, formatTold, nameWay } from "./verdict.ts";

/** A kind as crd-skew plans to judge it, and the schemas for each of its lists. */
type Kind = { readonly plan: KindPlan; readonly schemas: readonly KindSchemas[] };
const KINDS = new WeakMap<Subject, Kind | "unaffected" | "unknown">();

function planSubject(subject: Subject): Kind | "unaffected" | "unknown" {
  const known = KINDS.get(subject) ?? compileSubject(subject);
  KINDS.set(subject, known);
  return known;
}

function compileSubject({ installed, target, minor }: Subject): Kind | "unaffected" | "unknown" {
  const pair = { installed, target };
  const minors = { source: minor, target: minor };
  const plan = planKind(pair, minors);
  if (plan === undefined) return "unaffected";
  try {
    return { plan, schemas: plan.reads.map((read) => compileKind(pair, plan, read, minors)) };
  } catch {
    return "unknown";
  }
}

/** What crd-skew tells of an object for each version that is served before and after, as the writes that get worse. */
export function predictTold(subject: Subject, sample: Sample): Outcome {
  const versions = subject.served.after.filter((version) => sample.today[version] !== undefined);
  const kind = planSubject(subject);
  if (kind === "unknown") return {};
  const told = versions.map((version): readonly [string, Verdict] => [
    nameWay("told", version),
    kind === "unaffected" ? tellRemoved(subject, sample, version) : tellVersion(subject, sample, kind, version),
  ]);
  return Object.fromEntries(told);
}

/** A version that managed fields name may be removed although the schemas of all others stay as they are. */
function tellRemoved(subject: Subject, { shown, today }: Sample, version: string): Verdict {
  const isRefused = isManagedInRemoved(subject, shown[version] ?? {});
  return formatTold(isRefused && today[version]?.["apply"]?.passes ? ["apply"] : []);
}

const UNKNOWN: Verdict = { ...formatTold([]), isUnknown: true };

function tellVersion(subject: Subject, sample: Sample, { plan, schemas }: Kind, version: string): Verdict {
  const isConverted = (name: string): boolean => plan.converted.some((one) => one.version === name);
  if (isConverted(version)) return UNKNOWN;
  const i = plan.reads.findIndex(({ judged }) => judged.some(({ after }) => after.name === version));
  const shown = sample.shown[plan.reads[i]?.shown.name ?? ""];
  const judging = schemas[i];
  if (judging === undefined) return formatTold([]);
  if (shown === undefined) return UNKNOWN;
  // A server-side apply converts to the versions that managed fields name.
  if (listManagedVersions(shown).some(isConverted)) return UNKNOWN;
  const verdict = judgeObject(readsManagedFields(subject, plan) ? shown : dropManagers(shown), judging, []);
  const isOpen = verdict?.removedDefaults.some(({ isUnwritten }) => !isUnwritten) ?? false;
  if (isOpen || verdict?.mayBeStoredIn !== undefined) return UNKNOWN;
  const own = verdict?.versions.find((one) => one.versions.length === 0 || one.versions.includes(version));
  const today = sample.today[version] ?? {};
  const all = own === undefined ? [] : listWorse(subject, version, own);
  const told: readonly ToldWrite[] = isManagedInRemoved(subject, shown) ? [...all, "apply"] : all;
  const worse = told.filter((write) => today[write]?.passes);
  if (own === undefined) return formatTold(worse);
  return own.unevaluatedRules.length > 0 ? { ...formatTold(worse), isUnknown: true } : formatTold(worse);
}

/** Whether every write is refused, every server-side apply, and the object as a new one. A new object has no status yet. */
function listWorse(subject: Subject, version: string, verdict: VersionVerdict): readonly ToldWrite[] {
  const { errors, applyFaults, droppedFields } = verdict;
  const effects = errors.map((error) => getFieldEffect(verdict, error));
  const isRejected = effects.includes("unreadable") || effects.includes("rejected");
  const losesStatus = hasStatus(subject.target, version);
  const isFrozen =
    droppedFields.some((field) => field.isMalformed) ||
    errors.some(
      (error) => !error.isTransition && !error.isHidden && !(losesStatus && isPathUnder(error.path, "status")),
    );
  const told = { replace: isRejected, apply: isRejected || applyFaults.length > 0, create: isFrozen };
  return TOLD_WRITES.filter((write) => told[write]);
}
