import { type Json, type JsonObject, isObject } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import type {
  ApplyFault,
  CompiledSchema,
  FieldError,
  PruneState,
  UnevaluatedRule,
  ValidationResult,
} from "../../schema/crd/index.ts";
import {
  decodeConverted,
  decodeStored,
  findConversionFaults,
  newPruneState,
  validateObject,
  validateUpdate,
} from "../../schema/crd/index.ts";
import { listWriters } from "../shared/api-use.ts";
import type { ServerSchemas } from "./kind-schemas.ts";

/**
 * isTransition: only a rule that compares with the stored value refuses it, so that a create with this value passes. isHidden: a create of
 * what the version shows today passes, because it lacks what the stored version has or sets by default.
 */
export type ObjectError = FieldError & { readonly isTransition?: boolean; readonly isHidden?: boolean };

/** `managedVersion`: the other version whose types refuse the object, because managed fields name it. */
export type ObjectApplyFault = ApplyFault & { readonly managedVersion?: string };

/** What an API server answers to writes of a stored object through one version, and what it makes of the object. */
export type PlayedWrites = {
  /** Refuse a create of the same object. */
  readonly created: readonly FieldError[];
  /** Refuse even a write that only changes a label, the one that removes a finalizer included. */
  readonly written: readonly ObjectError[];
  /** Refuse another number of replicas through the scale subresource, where a label passes. */
  readonly scaled: readonly FieldError[];
  /** Refuse every server-side apply, as `written` does. */
  readonly applyFaults: readonly ObjectApplyFault[];
  readonly prunedPaths: readonly string[];
  readonly droppedFields: ValidationResult["droppedFields"];
  readonly unevaluatedRules: readonly UnevaluatedRule[];
};

export const NO_OUTCOMES: PlayedWrites = {
  created: [],
  written: [],
  scaled: [],
  applyFaults: [],
  prunedPaths: [],
  droppedFields: [],
  unevaluatedRules: [],
};

/**
 * Plays the writes of an object through a version. `object`: as a version shows it today that hides nothing of what this one has. `storedIn`:
 * the version in which it is in etcd. `copy`: as this version shows it today, and as a backup has it.
 */
export function playWrites(
  object: JsonObject,
  server: ServerSchemas,
  version: string,
  storedIn: string,
  copy = object,
): PlayedWrites {
  const compiled = server.get(version);
  if (compiled === undefined) return NO_OUTCOMES;
  const stored = readFromStore(object, server, version, storedIn);
  const read = validateWithRules(compiled, stored.object);
  const isCopy = copy === stored.object;
  if (isCopy && server.versions.length === 1 && !compiled.hasTransitionRules && isFaultless(read)) return NO_OUTCOMES;
  const created = isCopy ? read : validateWithRules(compiled, copy);
  const label = playLabel(compiled, stored, read, server.hasRatcheting);
  const live = server.versions.length === 1 ? object : readThrough(stored, compiled);
  const unreadable = stored.isConverted ? listUnconvertible(read.droppedFields, version, true) : [];
  return {
    created: [...created.errors, ...findUnstorable(server, version, isCopy ? live : decodeRequest(copy, compiled))],
    written: [
      ...markHidden(label.errors, created.errors, storedIn),
      ...unreadable,
      ...findUnstorable(server, version, live),
    ],
    scaled: read.errors.length > 0 && label.errors.length === 0 ? playScale(compiled, stored) : [],
    applyFaults: addManagedFaults(listOwnFaults(compiled, read, stored, live), object, live, server, version),
    prunedPaths: joinPaths(
      stored.prunedPaths,
      read.prunedPaths,
      // What a write through this version loses as it is stored in another one. A default that it sets is no loss.
      storeAs(server, version, stored.isConverted ? live : stored.object).pruned,
    ),
    droppedFields: read.droppedFields,
    unevaluatedRules: joinRules(joinRules(created.unevaluatedRules, read.unevaluatedRules), label.unevaluatedRules),
  };
}

function isFaultless({ errors, applyFaults, prunedPaths, droppedFields, unevaluatedRules }: ValidationResult): boolean {
  const faults = errors.length + applyFaults.length + prunedPaths.length;
  return faults + droppedFields.length + unevaluatedRules.length === 0;
}

/** The object as its stored version's schema reads it from etcd, and whether that is another one than the version's. */
export type StoredObject = {
  readonly object: JsonObject;
  readonly isConverted: boolean;
  readonly prunedPaths: readonly string[];
};

export function readFromStore(
  object: JsonObject,
  server: ServerSchemas,
  version: string,
  storedIn: string,
): StoredObject {
  const schema = server.get(storedIn);
  if (schema === undefined || schema === server.get(version)) return { object, isConverted: false, prunedPaths: [] };
  const state = newPruneState();
  const read = decodeStored(object, schema.root, schema.isPruning, state);
  return { object: read, isConverted: true, prunedPaths: state.pruned };
}

type LabelOutcome = Pick<PlayedWrites, "unevaluatedRules"> & { readonly errors: readonly ObjectError[] };

/** Without transition rules, a label is refused by nothing that would not refuse a create. */
function playLabel(
  compiled: CompiledSchema,
  { object, isConverted }: StoredObject,
  { errors: known }: ValidationResult,
  hasRatcheting: boolean,
): LabelOutcome {
  if (!compiled.hasTransitionRules && (known.length === 0 || !hasRatcheting))
    return { errors: known, unevaluatedRules: [] };
  const { errors, unevaluatedRules } = validateUpdate(compiled, object, undefined, isConverted);
  const isNew = (error: FieldError): boolean =>
    compiled.hasTransitionRules && !known.some((one) => isSameError(one, error));
  const marked = errors.map((error): ObjectError => (isNew(error) ? { ...error, isTransition: true } : error));
  return { errors: hasRatcheting ? marked : [...known, ...marked.filter(isTransition)], unevaluatedRules };
}

function markHidden(
  written: readonly ObjectError[],
  created: readonly FieldError[],
  storedIn: string,
): readonly ObjectError[] {
  return written.map((error): ObjectError => {
    if (isTransition(error) || created.some((one) => isSameError(one, error))) return error;
    return { ...error, message: `${error.message}, as the object is stored in version ${storedIn}`, isHidden: true };
  });
}

export function isSameError(a: ObjectError, b: ObjectError): boolean {
  return a.path === b.path && a.message === b.message;
}

function isTransition(error: ObjectError): boolean {
  return error.isTransition === true;
}

/** The API server runs no rules while a status is malformed; they run for a new object, which has none, and once it is corrected. */
function validateWithRules(compiled: CompiledSchema, object: JsonObject): ValidationResult {
  const known = validateObject(compiled, object);
  if (!compiled.hasStatus || !known.errors.some(({ path }) => isPathUnder(path, "status"))) return known;
  const { status: _status, ...rest } = object;
  const { errors, unevaluatedRules } = validateObject(compiled, rest);
  const isNew = ({ path }: FieldError): boolean => !known.errors.some((one) => one.path === path);
  return {
    ...known,
    errors: [...known.errors, ...errors.filter(isNew)],
    unevaluatedRules: joinRules(known.unevaluatedRules, unevaluatedRules),
  };
}

/** The number itself may be refused for itself; what else is refused no longer counts as unchanged. */
function playScale(compiled: CompiledSchema, { object, isConverted }: StoredObject): readonly FieldError[] {
  if (compiled.scale === undefined) return [];
  const path = compiled.scale.spec.replace(/^\./, "");
  const { errors } = validateUpdate(compiled, object, (value) => changeNumber(value, path.split(".")), isConverted);
  return errors.filter((error) => error.path !== path);
}

function changeNumber(value: Json, [field = "", ...more]: readonly string[]): Json {
  if (!isObject(value)) return value;
  const old = value[field] ?? null;
  if (more.length > 0) return { ...value, [field]: changeNumber(old, more) };
  return { ...value, [field]: old === 1 ? 0 : 1 };
}

/** A conversion gives no defaults, so that what is wrong in one of this version is not there when an apply begins. */
function listOwnFaults(
  schema: CompiledSchema,
  { applyFaults }: ValidationResult,
  { isConverted }: StoredObject,
  live: JsonObject,
): readonly ApplyFault[] {
  if (!isConverted || applyFaults.length === 0) return applyFaults;
  const found = new Set(findConversionFaults(schema, live).map(({ path }) => path));
  return applyFaults.filter(({ path }) => path === "" || found.has(path));
}

/** Server-side apply converts the object to every version that managed fields name, and drops nothing from it. */
function addManagedFaults(
  own: readonly ApplyFault[],
  object: JsonObject,
  live: JsonObject,
  server: ServerSchemas,
  version: string,
): readonly ObjectApplyFault[] {
  const schema = server.get(version);
  if (schema === undefined || server.versions.length === 1) return own;
  const others = listManagedVersions(object).filter((name) => name !== version);
  if (others.length === 0) return own;
  const more = others.flatMap((managedVersion) => {
    const other = server.get(managedVersion);
    return other === undefined ? [] : findConversionFaults(other, live).map((fault) => ({ ...fault, managedVersion }));
  });
  return [...own, ...more.filter(({ path }) => !own.some((fault) => fault.path === path))];
}

/** "v1beta1": the versions that the entries of managedFields name. */
export function listManagedVersions(object: JsonObject): readonly string[] {
  const names = listWriters(object).map(({ version }) => version.slice(version.lastIndexOf("/") + 1));
  return sortNames(names);
}

/** As a version shows what was read from etcd. */
function readThrough({ object, isConverted }: StoredObject, schema: CompiledSchema): JsonObject {
  return isConverted ? decodeConverted(object, schema.root, schema.isPruning) : decodeRequest(object, schema);
}

function decodeRequest(object: JsonObject, { root, isPruning }: CompiledSchema): JsonObject {
  return decodeStored(object, root, isPruning, newPruneState());
}

/** Refuse every write that is to be stored in another version: only reading from etcd drops what is malformed. `live`: as this one has it. */
export function findUnstorable(server: ServerSchemas, version: string, live: JsonObject): readonly FieldError[] {
  return listUnconvertible(storeAs(server, version, live).dropped, server.storage, false);
}

/** What of an object that is written through a version is gone once it is stored, if that is in another one. */
function storeAs(
  { get, storage }: ServerSchemas,
  version: string,
  object: JsonObject,
): Pick<PruneState, "pruned" | "dropped"> {
  const schema = get(storage);
  const state = newPruneState();
  if (schema !== undefined && schema !== get(version)) decodeStored(object, schema.root, schema.isPruning, state);
  return state;
}

function listUnconvertible(
  dropped: ValidationResult["droppedFields"],
  version: string,
  isUnreadable: boolean,
): readonly FieldError[] {
  const message = `The API server can't convert this field to version ${version}, where it is one of an embedded resource and malformed`;
  return dropped
    .filter(({ isMalformed }) => isMalformed)
    .map(({ path }) => ({ type: "FieldValueInvalid", path, message, ...(isUnreadable ? { isUnreadable } : {}) }));
}

function joinPaths(...lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists.filter((list) => list.length > 0);
  return others.length === 0 ? first : sortNames([first, ...others].flat());
}

function joinRules(known: readonly UnevaluatedRule[], more: readonly UnevaluatedRule[]): readonly UnevaluatedRule[] {
  const added = more.filter((rule) => !hasRule(known, rule));
  return added.length === 0 ? known : [...known, ...added];
}

export function isPathUnder(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}.`) || path.startsWith(`${root}[`);
}

export function hasRule(known: readonly UnevaluatedRule[], rule: UnevaluatedRule): boolean {
  return known.some((one) => one.location === rule.location && one.rule === rule.rule);
}
