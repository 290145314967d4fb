import { type ServerSchemas, buildServer } from "../../src/checks/crd-skew/kind-schemas.ts";
import { findUnstorable, listManagedVersions, readFromStore } from "../../src/checks/crd-skew/conversions.ts";
import { chooseReplicas, playWrites, setReplicas } from "../../src/checks/crd-skew/writes.ts";
import { type ScalePaths, parseCrd } from "../../src/model/crd.ts";
import { type Json, type JsonObject, isObject, numberAt, objectAt } from "../../src/model/json.ts";
import {
  type CompiledSchema,
  type UpdateResult,
  decodeShown,
  validateCreate,
  validateObject,
  validateUpdate,
} from "../../src/schema/crd/index.ts";
import { sortUnique } from "./disagreement.ts";
import { getNumber, getStoringCrd } from "./round.ts";
import { type Parts, type Sample, formatRead } from "./sample.ts";
import { hasScale } from "./scaling.ts";
import { type Subject, findReplicas, getVersion, isManagedInRemoved } from "./subject.ts";
import { predictTold } from "./told.ts";
import { type Outcome, type Verdict, nameWay } from "./verdict.ts";

const SERVERS = new WeakMap<JsonObject, ServerSchemas>();

function getServer(crd: JsonObject, minor: number): ServerSchemas | undefined {
  const parsed = SERVERS.has(crd) ? undefined : parseCrd(crd);
  if (parsed) SERVERS.set(crd, buildServer(parsed, minor, false));
  return SERVERS.get(crd);
}

/** Our verdicts on everything that is asked about an object. */
export function predict(subject: Subject, sample: Sample): Outcome {
  const { round, minor, served } = subject;
  const storing = getStoringCrd(round, getNumber(sample.object));
  const version = getVersion(sample.object);
  const first = getServer(storing, minor);
  const store = first && { store: predictRequest(first, version, sample.object) };
  if (sample.storedIn === undefined) return { ...store };
  const target = getServer(round.after, minor);
  const all: Record<string, Verdict> = { ...store, ...predictTold(subject, sample) };
  for (const one of target ? served.after : []) {
    const verdicts = target ? predictVersion(subject, sample, target, one) : {};
    for (const [way, verdict] of Object.entries(verdicts)) all[nameWay(way, one)] = verdict;
  }
  return all;
}

function predictVersion(subject: Subject, sample: Sample, target: ServerSchemas, version: string): Outcome {
  const after = target.get(version);
  if (after === undefined) return {};
  const { shown, stored, storedIn = "", parts } = sample;
  const copy = shown[version];
  const create = copy && { create: predictRequest(target, version, copy) };
  const isConverted = storedIn !== version && subject.isWebhookUsed;
  const object = stored && { ...stored, apiVersion: `${subject.round.group}/${version}` };
  const isReadable = target.versions.includes(storedIn);
  if (object === undefined || isConverted || !isReadable) return { ...create };
  const paths = subject.target.versions.find((one) => one.name === version)?.scale;
  const scale = findReplicas(subject, version) === undefined ? {} : { scale: paths };
  const all = predictStored(target, after, version, storedIn, object, { ...parts[version], ...scale });
  // An apply converts to the versions that managed fields name.
  const { apply = { passes: true }, ...others } = all;
  const isApplyKnown = !subject.isWebhookUsed || listManagedVersions(object).every((name) => name === version);
  const isRefused = isManagedInRemoved(subject, object);
  const applied = isRefused ? { passes: false } : apply;
  return { ...create, ...others, ...(isRefused || isApplyKnown ? { apply: applied } : {}) };
}

type Update = (change?: (value: Json) => Json, isSent?: boolean) => Verdict;
type Changes = Parts & { readonly scale?: ScalePaths | undefined };

/** Of an object that is read from etcd and written again. */
function predictStored(
  target: ServerSchemas,
  after: CompiledSchema,
  version: string,
  storedIn: string,
  stored: JsonObject,
  { edit, status, scale }: Changes,
): Outcome {
  const { object, isConverted } = readFromStore(stored, target, version, storedIn);
  const seen = validateObject(after, object);
  const isUnreadable =
    seen.errors.some((error) => error.isUnreadable) ||
    (isConverted && seen.droppedFields.some(({ isMalformed }) => isMalformed));
  const update: Update = (change, isSent = true) => {
    if (isUnreadable) return { passes: false };
    const live = readUnder(after, object, isConverted);
    const written = change?.(live) ?? live;
    const isStorable = !isObject(written) || findUnstorable(target, version, written).length === 0;
    const verdict = buildVerdict(validateUpdate(after, object, change, isConverted, isSent));
    return verdict.passes && !isStorable ? { passes: false } : verdict;
  };
  const set = (field: string, from: JsonObject, finish = (changed: Json, _before: Json): Json => changed): Verdict =>
    update((value) => finish(readUnder(after, replaceField(value, field, from), false), value));
  const finishEdit = (changed: Json, before: Json): Json =>
    withGeneration(after.hasStatus ? keepStatus(changed, before) : changed, before);
  const isScaled = scale && (isUnreadable || hasScale(readUnder(after, object, isConverted), scale));
  const [scaled, rescaled] = isScaled ? listScaled(readUnder(after, object, isConverted), scale, update) : [];
  const labelled = update();
  const { applyFaults } = playWrites(stored, target, version, storedIn);
  const embedsInStatus = after.root.properties.get("status")?.hasExtensions ?? false;
  const statused = status && !embedsInStatus ? set("status", status) : undefined;
  return {
    read: isUnreadable
      ? { passes: false }
      : { passes: true, details: [formatRead(readUnder(after, object, isConverted))] },
    unchanged: update((value) => value),
    replace: labelled,
    patch: labelled,
    finalize: update(dropFinalizers),
    apply: { ...labelled, passes: labelled.passes && applyFaults.length === 0 },
    ...(scaled && rescaled ? { scale: scaled, rescale: rescaled } : {}),
    ...(edit ? { edit: set("spec", edit, finishEdit) } : {}),
    ...(statused !== undefined && isOfStatus(statused) ? { status: statused } : {}),
  };
}

/**
 * A server refuses malformed metadata of embedded resources in a request, which is only dropped from etcd, before anything else. It drops the
 * status of a new object that has a subresource for it.
 */
function predictRequest(server: ServerSchemas, version: string, object: JsonObject): Verdict | undefined {
  const schema = server.get(version);
  if (schema === undefined) return undefined;
  const { errors, droppedFields } = validateObject(schema, object);
  const isRefused = droppedFields.some(({ isMalformed }) => isMalformed) || errors.some((error) => error.isUnreadable);
  if (isRefused) return { passes: false };
  const verdict = buildVerdict(validateCreate(schema, object));
  const read = readUnder(schema, object, false);
  const live = schema.hasStatus && isObject(read) ? withoutStatus(read) : read;
  const isStorable = !isObject(live) || findUnstorable(server, version, live).length === 0;
  return verdict.passes && !isStorable ? { passes: false } : verdict;
}

/** A status is validated by itself, without embedded resources: what is wrong elsewhere refuses no status, and is not compared. */
function isOfStatus({ details = [] }: Verdict): boolean {
  return details.every((fault) => fault.includes(" status"));
}

function buildVerdict({ errors, isTruncated, unevaluatedRules }: UpdateResult): Verdict {
  const details = sortUnique(errors.map(({ type, path }) => `${type} ${path}`));
  return {
    passes: errors.length === 0,
    details,
    ...(isTruncated ? { isCut: true } : {}),
    ...(unevaluatedRules.length > 0 ? { isUnknown: true } : {}),
  };
}

function readUnder({ root, isPruning }: CompiledSchema, object: Json, isConverted: boolean): Json {
  return isObject(object) ? decodeShown(object, root, isPruning, isConverted) : object;
}

function withoutStatus({ status: _status, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** With one number of replicas, and with another one. */
function listScaled(live: Json, { spec }: ScalePaths, update: Update): readonly Verdict[] {
  const path = spec.slice(1);
  const numbers = isObject(live) ? chooseReplicas(live, path) : [];
  return numbers.map((replicas) =>
    update((value) => withGeneration(setReplicas(value, path.split("."), replicas), value), false),
  );
}

function replaceField(value: Json, field: string, from: JsonObject): Json {
  return isObject(value) ? { ...value, [field]: from[field] ?? null } : value;
}

function dropFinalizers(value: Json): Json {
  if (!isObject(value)) return value;
  const { finalizers: _, ...metadata } = objectAt(value, "metadata");
  return { ...value, metadata };
}

function keepStatus(changed: Json, before: Json): Json {
  if (!isObject(changed) || !isObject(before)) return changed;
  const { status } = before;
  return status === undefined ? withoutStatus(changed) : { ...changed, status };
}

/** A server counts the changes outside of metadata before it validates, so that rules see metadata that differs. */
function withGeneration(changed: Json, before: Json): Json {
  if (!isObject(changed) || !isObject(before) || formatRead(changed) === formatRead(before)) return changed;
  const generation = (numberAt(changed, "metadata", "generation") ?? 0) + 1;
  return { ...changed, metadata: { ...objectAt(changed, "metadata"), generation } };
}
