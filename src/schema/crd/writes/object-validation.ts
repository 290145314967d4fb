import { type Json, type JsonObject, at, compareText, isObject } from "../../../model/json.ts";
import {
  isDns1123Subdomain,
  validateValue,
  type CorrelatedObject,
  correlate,
  correlateChild,
  isUnchanged,
  type ValidateChild,
  type ValidationScope,
  type ApplyFault,
  type ErrorList,
  type UnevaluatedRule,
  type ValidationResult,
  addError,
  compareErrors,
  createErrorList,
  hasBlockingError,
  mergeErrors,
  formatValue,
} from "../../openapi/index.ts";
import type { CompiledSchema } from "../objects/schema-compiler.ts";
import { startEvaluation, validateRules } from "../rules/rule-validation.ts";
import { validateScale } from "./scale-validation.ts";
import { hasListFaults, validateExtensions } from "./extension-validation.ts";
import { decodeStored, newPruneState } from "../objects/stored-object.ts";
import { findApplyFaults } from "./typed-object.ts";

/**
 * Validates a stored object as a kube-apiserver would: decoded as from etcd, then validated as a new object, status included. The object is
 * not changed. Its apiVersion and kind are not checked: it must be of the schema's version. No error depends on the last digits of
 * integers beyond 2^53, which JSON.parse may have rounded.
 */
export function validateObject(compiled: CompiledSchema, object: JsonObject): ValidationResult {
  const errors = createErrorList();
  const state = newPruneState();
  const stored = decodeStored(object, compiled.root, compiled.isPruning, state);
  validateName(object, errors);
  const unevaluatedRules = validateWrite(compiled, stored, errors, true);
  return {
    errors: errors.items.toSorted(compareErrors),
    prunedPaths: state.pruned.toSorted(compareText),
    droppedFields: state.dropped.toSorted((a, b) => compareText(a.path, b.path)),
    applyFaults: [
      ...(compiled.isAtomic ? [ATOMIC] : []),
      ...(errors.mayRefuseApply ? findApplyFaults(compiled.root, stored) : []),
    ],
    unevaluatedRules,
    isTruncated: errors.isTruncated || state.isTruncated,
  };
}

/** All but the name, in the API server's order. `correlated`: with the stored object, in an update that ratchets. */
function validateWrite(
  { root, programs, hasNumberRanges, scale }: CompiledSchema,
  value: Json,
  errors: ErrorList,
  withListTypes: boolean,
  correlated?: CorrelatedObject,
): readonly UnevaluatedRule[] {
  const validateChild = correlated && ratchetChildren(correlated, true);
  validateValue(root, value, { path: [], errors, hasNumberRanges, validateChild });
  validateExtensions(root, value, [], errors, withListTypes);
  if (scale) validateScale(scale, value, errors);
  const evaluation = startEvaluation(programs, errors, correlated);
  if (!hasBlockingError(errors)) validateRules(root, value, evaluation);
  return [...evaluation.unevaluated.values()].toSorted(
    (a, b) => compareText(a.location, b.location) || compareText(a.rule, b.rule),
  );
}

/** An apply that has no metadata.resourceVersion removes it, and is then refused. */
const ATOMIC: ApplyFault = {
  path: "",
  message:
    "Server-side apply replaces the object as a whole, since the root of the schema is atomic, and its resourceVersion with it",
};

function validateName(object: JsonObject, errors: ErrorList): void {
  const name = at(object, "metadata", "name");
  if (typeof name !== "string" || isDns1123Subdomain(name)) return;
  const isEmpty = name === "";
  const message = isEmpty
    ? "A value is required"
    : `The name ${formatValue(name)} must be a DNS subdomain in lower case`;
  addError(errors, { type: isEmpty ? "FieldValueRequired" : "FieldValueInvalid", path: "metadata.name", message });
}

/** The errors that remain if a stored object is written back unchanged, sorted by path. */
export type UpdateResult = Pick<ValidationResult, "errors" | "unevaluatedRules" | "isTruncated">;

/**
 * Returns the errors for which a ratcheting kube-apiserver still refuses an update, by default one that only changes a label: faults of the whole object,
 * and of values that it can't match with stored ones. It tolerates all faults of sets and map lists if the stored object has any, but
 * never embedded resources, and it does not validate the object's name again.
 */
export function validateUpdate(
  compiled: CompiledSchema,
  object: JsonObject,
  change: (stored: Json) => Json = changeLabels,
): UpdateResult {
  const errors = createErrorList();
  const { root } = compiled;
  const old = decodeStored(object, root, compiled.isPruning, newPruneState());
  const value = change(old);
  const isOtherValue = change !== changeLabels && value !== old;
  const withListTypes = isOtherValue && !hasListFaults(root, old);
  const unevaluatedRules = validateWrite(compiled, value, errors, withListTypes, correlate(root, value, old));
  return { errors: errors.items.toSorted(compareErrors), unevaluatedRules, isTruncated: errors.isTruncated };
}

/** Labels that differ from the stored ones. */
function changeLabels(value: Json): Json {
  if (!isObject(value)) return value;
  const metadata = isObject(value["metadata"]) ? value["metadata"] : {};
  return { ...value, metadata: { ...metadata, labels: { "": "" } } };
}

/**
 * Validates children with their stored counterparts and drops errors of unchanged ones, whose match count is kept, because it selects the
 * closest alternative. A child without a counterpart is entirely new.
 */
function ratchetChildren(correlation: CorrelatedObject, isRoot: boolean): ValidateChild {
  return (schema, value, step, scope) => {
    const isTypeMeta = isRoot && (step === "apiVersion" || step === "kind");
    const child = correlateChild(correlation, step);
    if (child === undefined || isTypeMeta) return validateValue(schema, value, { ...scope, validateChild: undefined });
    const errors = createErrorList();
    const inner: ValidationScope = { ...scope, errors, validateChild: ratchetChildren(child, false) };
    validateValue(schema, child.value, inner);
    if (errors.items.length > 0 && isUnchanged(child)) scope.errors.matchCount += errors.matchCount;
    else mergeErrors(scope.errors, errors);
  };
}
