import { type JsonObject, at, compareText } from "../model/json.ts";
import { isDns1123Subdomain } from "./formats/names.ts";
import type { SchemaRule } from "./structural/structural-schema.ts";
import type { CompiledSchema } from "./schema-compiler.ts";
import { startEvaluation, validateRules } from "./rules/rule-validation.ts";
import { validateExtensions } from "./extension-validation.ts";
import { decodeStored, newPruneState } from "./stored-object.ts";
import { validateValue } from "./validation/schema-validation.ts";
import {
  type ErrorList,
  type ValidationResult,
  addError,
  compareErrors,
  createErrorList,
  hasBlockingError,
} from "./structural/field-errors.ts";
import { formatValue } from "./structural/value-text.ts";

export type { SchemaRule } from "./structural/structural-schema.ts";
export { type CompileOptions, compileSchema, type CompiledSchema } from "./schema-compiler.ts";
export type { UnevaluatedRule, FieldError, ValidationResult } from "./structural/field-errors.ts";

/**
 * Validates a stored object as a kube-apiserver would: decoded as from etcd, then validated as a new object, status included. The object is
 * not changed. Its apiVersion and kind are not checked: it must be of the schema's version. No error depends on the last digits of
 * integers beyond 2^53, which JSON.parse may have rounded.
 */
export function validateObject(compiled: CompiledSchema, object: JsonObject): ValidationResult {
  const errors = createErrorList();
  const state = newPruneState(errors);
  const stored = decodeStored(object, compiled.root, compiled.isPruning, state);
  validateName(object, errors);
  validateValue(compiled.root, stored, { path: [], errors, hasNumberRanges: compiled.hasNumberRanges });
  validateExtensions(compiled.root, stored, [], errors);
  const evaluation = startEvaluation(compiled.programs, errors);
  if (!hasBlockingError(errors)) validateRules(compiled.root, stored, evaluation);
  return {
    errors: errors.items.toSorted(compareErrors),
    prunedPaths: state.pruned.toSorted(compareText),
    unevaluatedRules: [...evaluation.unevaluated.values()].toSorted(
      (a, b) => compareText(a.location, b.location) || compareText(a.rule, b.rule),
    ),
    isTruncated: errors.isTruncated || state.isTruncated,
  };
}

/** All rules of a schema except transition rules. */
export function getRules(compiled: CompiledSchema): readonly SchemaRule[] {
  return compiled.rules;
}

function validateName(object: JsonObject, errors: ErrorList): void {
  const name = at(object, "metadata", "name");
  if (typeof name !== "string" || isDns1123Subdomain(name)) return;
  const isEmpty = name === "";
  const message = isEmpty
    ? "A value is required"
    : `The name ${formatValue(name)} must be a DNS subdomain in lower case`;
  addError(errors, { type: isEmpty ? "FieldValueRequired" : "FieldValueInvalid", path: "metadata.name", message });
}
