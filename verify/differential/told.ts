import { isDeepStrictEqual } from "node:util";
import { type KindPlan, type KindRead, planKind, readsManagedFields } from "../../src/checks/crd-skew/kind-plan.ts";
import { type KindSchemas, compileKind } from "../../src/checks/crd-skew/kind-schemas.ts";
import { type VersionVerdict, getFieldEffect, judgeObject } from "../../src/checks/crd-skew/object-verdict.ts";
import { listManagedVersions } from "../../src/checks/crd-skew/conversions.ts";
import { type Json, type JsonObject, isList, isObject } from "../../src/model/json.ts";
import { type CompiledSchema, decodeStored, newPruneState } from "../../src/schema/crd/index.ts";
import type { Sample } from "./sample.ts";
import { dropManagers } from "./server-objects.ts";
import { type Subject, isManagedInRemoved } from "./subject.ts";
import { type Outcome, TOLD_WRITES, type ToldWrite, type Verdict, formatTold, nameWay } from "./verdict.ts";

/** A kind as crd-skew plans to judge it, and the schemas for each of its lists. */
type Kind = { readonly plan: KindPlan; readonly schemas: readonly [KindSchemas, ...(readonly KindSchemas[])] };
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
    const [first, ...more] = plan.reads;
    const compile = (read: KindRead): KindSchemas => compileKind(pair, plan, read, minors);
    return { plan, schemas: [compile(first), ...more.map(compile)] };
  } catch {
    return "unknown";
  }
}

/** What crd-skew tells of an object for each version that is served before and after, as the writes that get worse. */
export function predictTold(subject: Subject, sample: Sample): Outcome {
  const versions = subject.served.after.filter((version) => sample.today[version] !== undefined);
  const kind = planSubject(subject);
  if (kind === "unknown" || showsHidden(subject, kind, sample)) return {};
  const told = versions.map((version): readonly [string, Verdict] => [
    nameWay("told", version),
    kind === "unaffected" ? tellRemoved(subject, sample, version) : tellVersion(subject, sample, kind, version),
  ]);
  return Object.fromEntries(told);
}

/**
 * Does the target show what etcd has of the object and no version shows today, a field or a null in the place of a default? Only a former
 * definition, with other fields, leaves such.
 */
function showsHidden({ round }: Subject, kind: Kind | "unaffected", sample: Sample): boolean {
  if (kind === "unaffected") return false;
  const [{ today, target }] = kind.schemas;
  const { object, stored = object, storedIn = "" } = sample;
  const { read, pruned } = readStored(stored, today.get(storedIn));
  const next = readStored(stored, target.get(storedIn)).pruned;
  return pruned.some((path) => !next.includes(path)) || (round.older !== undefined && hidesNull(stored, read));
}

function hidesNull(stored: Json, read: Json | undefined): boolean {
  if (stored === null) return read !== undefined && read !== null;
  if (isList(stored)) return isList(read) && stored.some((item, i) => hidesNull(item, read[i]));
  return (
    isObject(stored) && isObject(read) && Object.keys(stored).some((key) => hidesNull(stored[key] ?? null, read[key]))
  );
}

type StoredRead = { readonly read: JsonObject; readonly pruned: readonly string[] };

function readStored(object: JsonObject, schema: CompiledSchema | undefined): StoredRead {
  const state = newPruneState();
  const read = schema === undefined ? object : decodeStored(object, schema.root, schema.isPruning, state);
  return { read, pruned: state.pruned };
}

/** A version that managed fields name may be removed although the schemas of all others stay as they are. */
function tellRemoved(subject: Subject, { shown, today }: Sample, version: string): Verdict {
  const isRefused = isManagedInRemoved(subject, shown[version] ?? {});
  return formatTold(isRefused && today[version]?.["apply"]?.passes ? ["apply"] : []);
}

const UNKNOWN: Verdict = { ...formatTold([]), isUnknown: true };

function tellVersion(subject: Subject, sample: Sample, { plan, schemas }: Kind, version: string): Verdict {
  const isConverted = (name: string): boolean => plan.converted.some((one) => one.version === name);
  // Of what is stored in a version whose schema changes only a webhook knows what it becomes in any.
  if (isConverted(version) || isConverted(sample.storedIn ?? "")) return UNKNOWN;
  const i = plan.reads.findIndex(({ judged }) => judged.some(({ after }) => after.name === version));
  const shown = sample.shown[plan.reads[i]?.shown.name ?? ""];
  const judging = schemas[i];
  if (judging === undefined)
    return isChangedElsewhere(subject, sample, { plan, schemas }) ? UNKNOWN : tellRemoved(subject, sample, version);
  if (shown === undefined) return UNKNOWN;
  // A server-side apply converts to the versions that managed fields name.
  const isOther = (name: string): boolean => name !== version && isHandedOverChanged(subject, sample, judging);
  if (listManagedVersions(shown).some((name) => isConverted(name) || isOther(name))) return UNKNOWN;
  const verdict = judgeObject(readsManagedFields(subject, plan) ? shown : dropManagers(shown), judging, []);
  const isOpen = verdict?.defaultedFields.some(({ isUnwritten }) => !isUnwritten) ?? false;
  if (isOpen || verdict?.mayBeStoredIn !== undefined) return UNKNOWN;
  const own = verdict?.versions.find((one) => one.versions.length === 0 || one.versions.includes(version));
  const today = sample.today[version] ?? {};
  const all = own === undefined ? [] : listWorse(own);
  const told: readonly ToldWrite[] = isManagedInRemoved(subject, shown) ? [...all, "apply"] : all;
  const worse = told.filter((write) => (write === "scale" ? today["replace"]?.passes : today[write]?.passes));
  if (own === undefined) return formatTold(worse);
  return own.unevaluatedRules.length > 0 ? { ...formatTold(worse), isUnknown: true } : formatTold(worse);
}

/** What a version becomes that only a webhook converts: an apply also gets the object in those that managed fields name, where it may be malformed. */
function isChangedElsewhere(subject: Subject, sample: Sample, { plan, schemas: [judging] }: Kind): boolean {
  const object = sample.shown[plan.reads[0].shown.name];
  if (!subject.isWebhookUsed || object === undefined || judging === undefined) return false;
  if (isHandedOverChanged(subject, sample, judging)) return true;
  return judgeObject(object, judging, [])?.versions.some(({ applyFaults }) => applyFaults.length > 0) ?? false;
}

/** Does a webhook get another object after the update, for what the stored version drops or sets by default? */
function isHandedOverChanged({ isWebhookUsed }: Subject, sample: Sample, { today, target }: KindSchemas): boolean {
  if (!isWebhookUsed) return false;
  const { object, stored = object, storedIn = "" } = sample;
  const [before, after] = [today, target].map((server) => readStored(stored, server.get(storedIn)).read);
  return !isDeepStrictEqual(before, after);
}

/** Whether every write is refused, every server-side apply, the object as a new one, and scaling alone. */
function listWorse(verdict: VersionVerdict): readonly ToldWrite[] {
  const { errors, applyFaults, droppedFields, scaleErrors } = verdict;
  const effects = errors.map((error) => getFieldEffect(verdict, error));
  const isRejected = effects.includes("unreadable") || effects.includes("rejected");
  const isFrozen =
    droppedFields.some((field) => field.isMalformed) || errors.some((error) => !error.isTransition && !error.isHidden);
  const told = {
    replace: isRejected,
    apply: isRejected || applyFaults.length > 0,
    create: isFrozen,
    scale: scaleErrors.length > 0,
  };
  return TOLD_WRITES.filter((write) => told[write]);
}
