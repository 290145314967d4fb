import { getFieldEffect, judgeObject } from "../../src/checks/crd-skew/object-verdict.ts";
import { readFromStore } from "../../src/checks/crd-skew/writes.ts";
import { type Json, type JsonObject, formatCanonicalJson, isObject, numberAt, objectAt } from "../../src/model/json.ts";
import {
  type CompiledSchema,
  type UpdateResult,
  validateObject,
  validateUpdate,
  decodeStored,
  newPruneState,
} from "../../src/schema/crd/index.ts";
import { sortUnique } from "./disagreement.ts";
import type { Opponent } from "./opponent.ts";
import type { Subject } from "./subject.ts";
import type { Outcome, Verdict } from "./verdict.ts";

/** An object of a round: as it is sent first, as it is read before the update, and the objects whose spec or status it gets after it. */
export type Sample = {
  readonly object: JsonObject;
  /** Absent if the object was refused. */
  readonly stored?: JsonObject;
  readonly edit?: JsonObject;
  readonly status?: JsonObject;
};

/** How many of the next objects of a round may lend an object their spec and status. */
export const PARTNERS = 3;

/** The first value that one of the objects has, as the part of a sample. */
export function findField(others: readonly JsonObject[], part: "edit" | "status", field: string): Partial<Sample> {
  const value = others.find((other) => other[field] !== undefined)?.[field];
  return value === undefined ? {} : { [part]: { [field]: value } };
}

/**
 * Our verdicts on everything that can be asked about an object. A server drops the status of a new object that has a subresource for it,
 * and refuses requests with malformed metadata of embedded resources; its packages are asked about objects as etcd holds them.
 */
export function predict(subject: Subject, sample: Sample, against: Opponent): Outcome {
  const { schemas, hasStatus, judged, version } = subject;
  const create = (schema: CompiledSchema, copy: JsonObject, dropsStatus: boolean): Verdict =>
    against === "server" ? predictRequest(schema, copy, dropsStatus) : predictCreate(schema, copy);
  const store = create(schemas.before, sample.object, hasStatus.before);
  if (sample.stored === undefined) return { store };
  const copy = create(schemas.after, sample.stored, hasStatus.after);
  const isFine = isFineToday(schemas.before, sample.stored) && schemas.storedAs === undefined;
  return {
    store,
    create: copy,
    ...predictStored(
      subject,
      readFromStore(sample.stored, judged.target, version, judged.storedIn[0] ?? version).object,
      sample,
      against,
    ),
    ...(isFine ? { told: predictTold(sample.stored, subject, against) } : {}),
  };
}

/** Of an object that is read from etcd and written again. */
function predictStored(
  { schemas: { after }, embedsInStatus }: Subject,
  stored: JsonObject,
  { edit, status }: Sample,
  against: Opponent,
): Outcome {
  const seen = validateObject(after, stored);
  const isUnreadable = seen.errors.some((error) => error.isUnreadable);
  const update = (change?: (value: Json) => Json): Verdict => {
    const result = validateUpdate(after, stored, change);
    return isUnreadable ? { passes: false } : buildVerdict(result);
  };
  const set = (field: string, from: JsonObject, finish = (changed: Json, _before: Json): Json => changed): Verdict =>
    update((value) => finish(readUnder(after, replaceField(value, field, from)), value));
  const labelled = update();
  const statused = status && (against === "packages" || !embedsInStatus) ? set("status", status) : undefined;
  return {
    read: isUnreadable ? { passes: false } : { passes: true, details: [formatRead(readUnder(after, stored))] },
    pruned: { passes: true, details: seen.prunedPaths, isCut: seen.isTruncated },
    unchanged: update((value) => value),
    replace: labelled,
    patch: labelled,
    apply: { ...labelled, passes: labelled.passes && seen.applyFaults.length === 0 },
    ...(edit ? { edit: set("spec", edit, against === "server" ? withGeneration : undefined) } : {}),
    ...(statused !== undefined && (against === "packages" || isOfStatus(statused)) ? { status: statused } : {}),
  };
}

function predictCreate(schema: CompiledSchema, object: JsonObject): Verdict {
  return buildVerdict(validateObject(schema, object));
}

/** What is only dropped from etcd is refused in a request, before anything else. */
function predictRequest(schema: CompiledSchema, object: JsonObject, dropsStatus: boolean): Verdict {
  const { errors, droppedFields } = validateObject(schema, object);
  const isRefused = droppedFields.some(({ isMalformed }) => isMalformed) || errors.some((error) => error.isUnreadable);
  return isRefused ? { passes: false } : predictCreate(schema, dropsStatus ? withoutStatus(object) : object);
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

/** What the API server returns; metadata is left out, since servers add to it. */
export function formatRead(object: Json): string {
  return formatCanonicalJson(isObject(object) ? { ...object, metadata: {} } : object);
}

function readUnder({ root, isPruning }: CompiledSchema, object: Json): Json {
  return isObject(object) ? decodeStored(object, root, isPruning, newPruneState()) : object;
}

function withoutStatus({ status: _status, ...rest }: JsonObject): JsonObject {
  return rest;
}

function replaceField(value: Json, field: string, from: JsonObject): Json {
  return isObject(value) ? { ...value, [field]: from[field] ?? null } : value;
}

/** A server counts the changes outside of metadata before it validates, so that rules see metadata that differs. */
function withGeneration(changed: Json, before: Json): Json {
  if (!isObject(changed) || !isObject(before) || formatRead(changed) === formatRead(before)) return changed;
  const generation = (numberAt(changed, "metadata", "generation") ?? 0) + 1;
  return { ...changed, metadata: { ...objectAt(changed, "metadata"), generation } };
}

/** What the installed CRD refuses already is not the update's fault. */
function isFineToday(before: CompiledSchema, stored: JsonObject): boolean {
  const { errors, applyFaults } = validateObject(before, stored);
  return errors.length === 0 && applyFaults.length === 0 && validateUpdate(before, stored).errors.length === 0;
}

/** What crd-skew tells, as the outcomes of writes: whether a label is refused; the details are those of server-side apply and of a copy. */
function predictTold(stored: JsonObject, { judged, hasStatus }: Subject, against: Opponent): Verdict {
  const verdict = judgeObject(stored, judged, [])?.versions[0];
  const { errors = [], applyFaults = [], droppedFields = [], unevaluatedRules = [] } = verdict ?? {};
  const effects = verdict === undefined ? [] : errors.map((error) => getFieldEffect(verdict, error));
  const isUnreadable = effects.includes("unreadable");
  const losesStatus = against === "server" && hasStatus.after;
  const isMalformed = against === "server" && droppedFields.some((field) => field.isMalformed);
  const told = formatTold({
    isRejected: isUnreadable || effects.includes("rejected"),
    isApplyRefused: isUnreadable || applyFaults.length > 0 || effects.includes("rejected"),
    isFrozen:
      isMalformed ||
      errors.some(({ path, isTransition }) => !isTransition && !(losesStatus && /^status(?:$|[.[])/.test(path))),
  });
  return unevaluatedRules.length > 0 ? { ...told, isUnknown: true } : told;
}

/** Whether every write is refused, every server-side apply, and the object as a new one. */
export type Told = { readonly isRejected: boolean; readonly isApplyRefused: boolean; readonly isFrozen: boolean };

export function formatTold({ isRejected, isApplyRefused, isFrozen }: Told): Verdict {
  const details = [...(isApplyRefused ? ["apply"] : []), ...(isFrozen ? ["values"] : [])];
  return { passes: !isRejected, details };
}
