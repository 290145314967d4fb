import type { JsonObject } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { createFieldMask } from "../../model/secrets/field-secrets.ts";
import {
  validateObject,
  type CompiledSchema,
  type UnevaluatedRule,
  type FieldError,
  type ValidationResult,
  validateUpdate,
} from "../../schema/object-validation.ts";
import { findUntypedPaths } from "../../schema/typed-object.ts";
import type { SchemaPair } from "./version-pair.ts";

/** Rejected: the API server refuses even a write that only changes a label. Ratcheted: only writes that change the fields. */
export type WriteEffect = "rejected" | "ratcheted";

/** applyRefused: as ratcheted, and because of this field every server-side apply of the object fails. */
export type FieldEffect = WriteEffect | "applyRefused";

/** The target's verdict on one object. Objects with nothing to report are not kept. */
export type ObjectVerdict = {
  readonly object: ObjectRef;
  /** Errors at paths that are valid under the installed schema. */
  readonly errors: readonly FieldError[];
  readonly effect: WriteEffect;
  /** The paths of errors that make every server-side apply fail. */
  readonly untypedPaths: ReadonlySet<string>;
  /** Fields that the target's schema lacks, so that they are pruned. */
  readonly prunedPaths: readonly string[];
  readonly unevaluatedRules: readonly UnevaluatedRule[];
  /** Are there also errors at paths that are invalid under the installed schema? */
  readonly hasErrorsToday: boolean;
};

const NO_ERRORS = { errors: [], prunedPaths: [], unevaluatedRules: [] };
const NO_PATHS: ReadonlySet<string> = new Set();

/** `pathsOfOtherCheck`: paths that another check judges. */
export function judgeObject(
  object: JsonObject,
  schemas: SchemaPair,
  pathsOfOtherCheck: readonly string[],
): ObjectVerdict | undefined {
  const targetResult = validateStored(schemas.after, object);
  const targetErrors = targetResult.errors.filter(
    (error) => !pathsOfOtherCheck.some((path) => isPathUnder(error.path, path)),
  );
  if (targetErrors.length + targetResult.unevaluatedRules.length + targetResult.prunedPaths.length === 0)
    return undefined;
  const currentResult = schemas.before === undefined ? NO_ERRORS : validateStored(schemas.before, object);
  const currentErrorPaths = new Set(currentResult.errors.map(({ path }) => path));
  const isNew = ({ path }: FieldError): boolean => !currentErrorPaths.has(path);
  const errors = targetErrors.filter(isNew);
  // As in the API server, rules do not run on objects that are already invalid.
  const unevaluatedRules =
    currentErrorPaths.size > 0
      ? []
      : targetResult.unevaluatedRules.filter(
          (rule) => !currentResult.unevaluatedRules.some((current) => isSameRule(current, rule)),
        );
  const currentPruned = new Set(currentResult.prunedPaths);
  const prunedPaths = targetResult.prunedPaths.filter((path) => !currentPruned.has(path));
  const hasErrorsToday = errors.length < targetErrors.length;
  if (errors.length + unevaluatedRules.length + prunedPaths.length === 0)
    return hasErrorsToday ? buildFailsToday(object) : undefined;
  const effect = errors.length === 0 ? "ratcheted" : findWriteEffect(object, schemas, isNew);
  const untypedPaths = errors.length === 0 ? NO_PATHS : findUntypedPaths(schemas.after, object);
  const verdict = { effect, untypedPaths, prunedPaths, unevaluatedRules, hasErrorsToday };
  return { ...verdict, object: refOf(object), errors: maskErrors(errors, object) };
}

/** As a new object, and by transition rules as one that replaces itself: what they refuse then, no write can change. */
function validateStored(compiled: CompiledSchema, object: JsonObject): ValidationResult {
  const created = validateObject(compiled, object);
  if (!compiled.hasTransitionRules) return created;
  const written = validateUpdate(compiled, object);
  const errors = written.errors.filter(
    ({ path, message }) => !created.errors.some((known) => known.path === path && known.message === message),
  );
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

/** The schema's messages quote values. */
function maskErrors(errors: readonly FieldError[], object: JsonObject): readonly FieldError[] {
  if (errors.length === 0) return errors;
  const mask = createFieldMask(object);
  return errors.map((error) => ({ ...error, message: mask(error.message) }));
}

/** Such objects can be many, so only their names are kept. */
function buildFailsToday(object: JsonObject): ObjectVerdict {
  return { ...NO_ERRORS, object: refOf(object), effect: "ratcheted", untypedPaths: NO_PATHS, hasErrorsToday: true };
}

export function getFieldEffect({ effect, untypedPaths }: ObjectVerdict, { path }: FieldError): FieldEffect {
  return effect === "ratcheted" && untypedPaths.has(path) ? "applyRefused" : effect;
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
