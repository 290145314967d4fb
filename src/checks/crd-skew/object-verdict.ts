import { type JsonObject, compareText, isObject } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { createFieldMask } from "../../model/secrets/redact-text.ts";
import type {
  ApplyFault,
  CompiledSchema,
  UnevaluatedRule,
  FieldError,
  ValidationResult,
} from "../../schema/crd/index.ts";
import { validateObject, validateUpdate, decodeStored, newPruneState } from "../../schema/crd/index.ts";
import type { SchemaPair } from "./crd-pair.ts";

/** Rejected: the API server refuses even a write that only changes a label. Ratcheted: only writes that change the fields. */
export type WriteEffect = "rejected" | "ratcheted";

/**
 * applyRefused: as ratcheted, and because of this field every server-side apply of the object fails. unreadable: the API server can neither
 * read nor write nor delete the object, nor list its kind.
 */
export type FieldEffect = WriteEffect | "applyRefused" | "unreadable";

/** isTransition: only a rule that compares with the stored value refuses it, so that a create with this value passes. */
type ObjectError = FieldError & { readonly isTransition?: boolean };

type StoredResult = Omit<ValidationResult, "errors"> & { readonly errors: readonly ObjectError[] };

/** The target's verdict on one object. Objects with nothing to report are not kept. */
export type ObjectVerdict = {
  readonly object: ObjectRef;
  /** Errors at paths that are valid under the installed schema. */
  readonly errors: readonly ObjectError[];
  readonly effect: WriteEffect;
  /** What makes every server-side apply fail, and does not today. */
  readonly applyFaults: readonly ApplyFault[];
  /** Fields that the target's schema lacks, so that they are pruned. */
  readonly prunedPaths: readonly string[];
  /** Fields of embedded resources that the target's API servers drop when they read the object. */
  readonly droppedFields: ValidationResult["droppedFields"];
  readonly unevaluatedRules: readonly UnevaluatedRule[];
  /** Are there also errors at paths that are invalid under the installed schema? */
  readonly hasErrorsToday: boolean;
};

const NO_ERRORS = { errors: [], applyFaults: [], prunedPaths: [], droppedFields: [], unevaluatedRules: [] };

/** `pathsOfOtherCheck`: paths that another check judges. */
export function judgeObject(
  object: JsonObject,
  schemas: SchemaPair,
  pathsOfOtherCheck: readonly string[],
): ObjectVerdict | undefined {
  const read = readFromStore(object, schemas);
  const targetResult = validateStored(schemas.after, read.object);
  const isOwn = ({ path }: ApplyFault): boolean => !pathsOfOtherCheck.some((other) => isPathUnder(path, other));
  const targetErrors = targetResult.errors.filter(isOwn);
  const targetFaults = targetResult.applyFaults.filter(isOwn);
  const { droppedFields: targetDropped, unevaluatedRules: targetRules } = targetResult;
  const targetPruned = joinPaths(read.prunedPaths, targetResult.prunedPaths);
  if ([targetErrors, targetFaults, targetPruned, targetDropped, targetRules].every((all) => all.length === 0))
    return undefined;
  const currentResult = schemas.before === undefined ? NO_ERRORS : validateStored(schemas.before, object);
  const isNew = selectNew(currentResult.errors);
  const errors = targetErrors.filter(isNew);
  const applyFaults = targetFaults.filter(selectNew(currentResult.applyFaults));
  // As in the API server, rules do not run on objects that are already invalid.
  const unevaluatedRules =
    currentResult.errors.length > 0
      ? []
      : targetRules.filter((rule) => !currentResult.unevaluatedRules.some((current) => isSameRule(current, rule)));
  const currentPruned = new Set(currentResult.prunedPaths);
  const prunedPaths = targetPruned.filter((path) => !currentPruned.has(path));
  const droppedFields = targetDropped.filter(selectNew(currentResult.droppedFields));
  const hasErrorsToday = errors.length < targetErrors.length;
  if ([errors, applyFaults, unevaluatedRules, prunedPaths, droppedFields].every((all) => all.length === 0))
    return hasErrorsToday ? buildFailsToday(object) : undefined;
  const effect = errors.length === 0 ? "ratcheted" : findWriteEffect(read.object, schemas, isNew);
  const verdict = { effect, applyFaults, prunedPaths, droppedFields, unevaluatedRules, hasErrorsToday };
  return { ...verdict, object: refOf(object), errors: maskErrors(errors, object) };
}

/** The object as it comes from etcd, in the version in which it is shown: what the schema of its stored version drops is gone. */
export function readFromStore(
  object: JsonObject,
  { storedAs }: SchemaPair,
): { readonly object: JsonObject; readonly prunedPaths: readonly string[] } {
  if (storedAs === undefined) return { object, prunedPaths: [] };
  const state = newPruneState();
  const read = decodeStored(object, storedAs.root, storedAs.isPruning, state);
  return { object: isObject(read) ? read : object, prunedPaths: state.pruned };
}

function joinPaths(first: readonly string[], more: readonly string[]): readonly string[] {
  return first.length === 0 ? more : [...new Set([...first, ...more])].toSorted(compareText);
}

/** Selects what is at a path where nothing is known yet. */
function selectNew(known: readonly ApplyFault[]): (one: { readonly path: string }) => boolean {
  const paths = new Set(known.map(({ path }) => path));
  return ({ path }) => !paths.has(path);
}

/** As a new object, and by transition rules as one that replaces itself: what they refuse then, no write can change. */
function validateStored(compiled: CompiledSchema, object: JsonObject): StoredResult {
  const created = addBehindStatus(compiled, object, validateObject(compiled, object));
  if (!compiled.hasTransitionRules) return created;
  const written = validateUpdate(compiled, object);
  const errors = written.errors
    .filter(({ path, message }) => !created.errors.some((known) => known.path === path && known.message === message))
    .map((error) => ({ ...error, isTransition: true }));
  const unevaluatedRules = written.unevaluatedRules.filter(
    (rule) => !created.unevaluatedRules.some((known) => isSameRule(known, rule)),
  );
  return {
    ...created,
    errors: [...created.errors, ...errors],
    unevaluatedRules: [...created.unevaluatedRules, ...unevaluatedRules],
    isTruncated: created.isTruncated || written.isTruncated,
  };
}

/** The API server runs no rules while a status is malformed; they run for a new object, which has none, and once it is corrected. */
function addBehindStatus(compiled: CompiledSchema, object: JsonObject, known: ValidationResult): ValidationResult {
  if (!compiled.hasStatus || !known.errors.some(({ path }) => isPathUnder(path, "status"))) return known;
  const { status: _status, ...rest } = object;
  const { errors, unevaluatedRules } = validateObject(compiled, rest);
  const isNew = selectNew(known.errors);
  const rules = unevaluatedRules.filter((rule) => !known.unevaluatedRules.some((one) => isSameRule(one, rule)));
  return {
    ...known,
    errors: [...known.errors, ...errors.filter(isNew)],
    unevaluatedRules: [...known.unevaluatedRules, ...rules],
  };
}

/** The schema's messages quote values. */
function maskErrors(errors: readonly ObjectError[], object: JsonObject): readonly ObjectError[] {
  if (errors.length === 0) return errors;
  const mask = createFieldMask(object);
  return errors.map((error) => ({ ...error, message: mask(error.message) }));
}

/** Such objects can be many, so only their names are kept. */
function buildFailsToday(object: JsonObject): ObjectVerdict {
  return { ...NO_ERRORS, object: refOf(object), effect: "ratcheted", hasErrorsToday: true };
}

export function getFieldEffect(
  { effect, applyFaults }: ObjectVerdict,
  { path, isUnreadable }: FieldError,
): FieldEffect {
  if (isUnreadable) return "unreadable";
  return effect === "ratcheted" && applyFaults.some((fault) => fault.path === path) ? "applyRefused" : effect;
}

function findWriteEffect(
  object: JsonObject,
  { after, hasRatcheting }: SchemaPair,
  isNew: (error: FieldError) => boolean,
): WriteEffect {
  return !hasRatcheting || validateUpdate(after, object).errors.some(isNew) ? "rejected" : "ratcheted";
}

function isPathUnder(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}.`) || path.startsWith(`${root}[`);
}

function isSameRule(a: UnevaluatedRule, b: UnevaluatedRule): boolean {
  return a.location === b.location && a.rule === b.rule;
}
