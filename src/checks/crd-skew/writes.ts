import { type Json, type JsonObject, isObject, numberAt } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import type {
  ApplyFault,
  CompiledSchema,
  FieldError,
  UnevaluatedRule,
  ValidationResult,
} from "../../schema/crd/index.ts";
import {
  decodeRequest,
  findConversionFaults,
  validateCreate,
  validateObject,
  validateUpdate,
} from "../../schema/crd/index.ts";
import {
  type StoredObject,
  findUnstorable,
  listManagedVersions,
  listUnconvertible,
  readFromStore,
  readThrough,
  storeAs,
} from "./conversions.ts";
import type { ServerSchemas } from "./kind-schemas.ts";

/**
 * isTransition: only a rule that compares with the stored value refuses it, so that a create with this value passes. isHidden: a create of
 * what the version shows today passes, because it lacks what the stored version has or sets by default, or a status. isOfCreate: only a
 * create fails, because the API server drops the status of a new object.
 */
export type ObjectError = FieldError & {
  readonly isTransition?: boolean;
  readonly isHidden?: boolean;
  readonly isOfCreate?: boolean;
};

/** `managedVersion`: the other version whose types refuse the object, because managed fields name it. */
export type ObjectApplyFault = ApplyFault & { readonly managedVersion?: string };

/** What an API server answers to writes of a stored object through one version, and what it makes of the object. */
export type PlayedWrites = {
  /** Refuse a create of the same object. */
  readonly created: readonly ObjectError[];
  /** Refuse even a write that only changes a label, the one that removes a finalizer included. */
  readonly written: readonly ObjectError[];
  /** Refuse another number of replicas through the scale subresource, where a label passes. */
  readonly scaled: readonly ObjectError[];
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
  const read = validateObject(compiled, stored.object);
  const isCopy = copy === stored.object;
  const isPlain = isCopy && server.versions.length === 1 && !hasMoreOutcomes(compiled);
  if (isPlain && isFaultless(read)) return NO_OUTCOMES;
  const again = judgeCreate(compiled, stored.object, read);
  const created = isCopy ? again : judgeCreate(compiled, copy, validateObject(compiled, copy));
  const label = playLabel(compiled, stored, again.errors.filter(isOfStored), server.hasRatcheting);
  const live = server.versions.length === 1 ? object : readThrough(stored, compiled);
  const unreadable = stored.isConverted ? listUnconvertible(read.droppedFields, version, true) : [];
  return {
    created: [
      ...created.errors,
      ...findUnstorable(server, version, isCopy ? live : decodeRequest(copy, compiled.root, compiled.isPruning)),
    ],
    written: [
      ...markHidden(label.errors, created.errors, storedIn),
      ...unreadable,
      ...findUnstorable(server, version, live),
    ],
    scaled: label.errors.length === 0 ? markTransitions(playScale(compiled, stored), created.errors) : [],
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

/** May a write be refused although the object itself is faultless? */
function hasMoreOutcomes({ hasTransitionRules, looksAtStatus, scale }: CompiledSchema): boolean {
  return hasTransitionRules || looksAtStatus || scale !== undefined;
}

function isFaultless({ errors, applyFaults, prunedPaths, droppedFields, unevaluatedRules }: ValidationResult): boolean {
  const faults = errors.length + applyFaults.length + prunedPaths.length;
  return faults + droppedFields.length + unevaluatedRules.length === 0;
}

type WriteOutcome = Pick<PlayedWrites, "unevaluatedRules"> & { readonly errors: readonly ObjectError[] };

/**
 * Of a new object the API server drops a status that has a subresource. It runs no rules while a status is malformed, which they do without
 * one, and once it is corrected. `known`: of the object with its status, which an operator sets again.
 */
function judgeCreate(compiled: CompiledSchema, object: JsonObject, known: ValidationResult): WriteOutcome {
  const isMalformed = compiled.hasStatus && known.errors.some(({ path }) => isPathUnder(path, "status"));
  if (!isMalformed && !compiled.looksAtStatus) return known;
  const { errors, unevaluatedRules } = validateCreate(compiled, object);
  const isKnown = (error: FieldError): boolean => known.errors.some((one) => isSameError(one, error));
  const passes = (error: FieldError): boolean => !errors.some((one) => isSameError(one, error));
  const more = errors.filter((error) => !isKnown(error));
  return {
    errors: [
      ...known.errors.map((error) => (passes(error) ? { ...error, isHidden: true } : error)),
      ...more.map((error) => (isMalformed ? error : markCreate(error))),
    ],
    unevaluatedRules: joinRules(known.unevaluatedRules, unevaluatedRules),
  };
}

function markCreate(error: FieldError): ObjectError {
  const message = `${error.message}; the API server drops the status of a new object, so that every create fails`;
  return { ...error, message, isOfCreate: true };
}

/** Without transition rules, a label is refused by nothing that would not refuse a create. */
function playLabel(
  compiled: CompiledSchema,
  { object, isConverted }: StoredObject,
  known: readonly ObjectError[],
  hasRatcheting: boolean,
): WriteOutcome {
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

function isOfStored(error: ObjectError): boolean {
  return error.isOfCreate !== true;
}

/** What refuses no create compares with the stored value. */
function markTransitions(errors: readonly FieldError[], created: readonly ObjectError[]): readonly ObjectError[] {
  return errors.map((error) =>
    created.some((one) => isSameError(one, error)) ? error : { ...error, isTransition: true },
  );
}

/** The number itself may be refused for itself; what else is refused no longer counts as unchanged. */
function playScale(compiled: CompiledSchema, { object, isConverted }: StoredObject): readonly FieldError[] {
  if (compiled.scale === undefined) return [];
  const path = compiled.scale.spec.replace(/^\./, "");
  if (!holdsFields(object, path.split(".").slice(0, -1))) return [];
  const play = (replicas: number): readonly FieldError[] => {
    const change = (value: Json): Json => setReplicas(value, path.split("."), replicas);
    const { errors } = validateUpdate(compiled, object, change, isConverted, false);
    return errors.filter((error) => error.path !== path);
  };
  const [one, other] = chooseReplicas(object, path);
  const errors = play(one);
  return errors.length > 0 && play(other).length > 0 ? errors : [];
}

/** Whatever the schema says, the API server sets no number below null or another value that has no fields. */
function holdsFields(value: Json, [field = "", ...more]: readonly string[]): boolean {
  if (!isObject(value)) return false;
  const inner = value[field];
  return field === "" || inner === undefined || holdsFields(inner, more);
}

const MAX_REPLICAS = 2 ** 31 - 1;

/** Two numbers to which an object is scaled, since a rule may refuse one: one more, and one less if there is one. `path`: "spec.replicas". */
export function chooseReplicas(object: JsonObject, path: string): readonly [number, number] {
  const old = numberAt(object, ...path.split(".")) ?? 0;
  if (old >= MAX_REPLICAS) return [old - 1, old - 2];
  return [old + 1, old > 0 ? old - 1 : 2];
}

/** The object with a number of replicas, as the API server sets it: it adds the objects around it. */
export function setReplicas(value: Json, [field = "", ...more]: readonly string[], replicas: number): Json {
  const object = isObject(value) ? value : {};
  return { ...object, [field]: more.length === 0 ? replicas : setReplicas(object[field] ?? {}, more, replicas) };
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
  if (schema === undefined || server.hasWebhook || server.versions.length === 1) return own;
  const others = listManagedVersions(object).filter((name) => name !== version);
  if (others.length === 0) return own;
  const more = others.flatMap((managedVersion) => {
    const other = server.get(managedVersion);
    return other === undefined ? [] : findConversionFaults(other, live).map((fault) => ({ ...fault, managedVersion }));
  });
  return [...own, ...more.filter(({ path }) => !own.some((fault) => fault.path === path))];
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
