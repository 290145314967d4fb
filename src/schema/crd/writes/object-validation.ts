import { type Json, type JsonObject, at, compareText, isObject, isList } from "../../../model/json.ts";
import {
  type ChildVisitor,
  type CorrelatedObject,
  type ValidateChild,
  type ValidationScope,
  type ApplyFault,
  type ErrorList,
  type UnevaluatedRule,
  type ValidationResult,
  type StructuralSchema,
  type FieldPath,
  isDns1123Subdomain,
  validateValue,
  correlate,
  correlateChild,
  isUnchanged,
  addError,
  compareErrors,
  createErrorList,
  hasBlockingError,
  mergeErrors,
  formatValue,
  findDuplicates,
  formatBracketPath,
  visitChildren,
  isInt64,
} from "../../openapi/index.ts";
import type { CompiledSchema } from "../objects/schema-compiler.ts";
import { startEvaluation, validateRules } from "../rules/rule-validation.ts";
import { decodeRequest, decodeShown, decodeStored, newPruneState } from "../objects/stored-object.ts";
import { findApplyFaults, isMergeable } from "./typed-object.ts";
import { validateEmbeddedResource } from "./embedded-resource.ts";
import type { ScalePaths } from "../../../model/crd.ts";

/**
 * Validates a stored object as a kube-apiserver would: decoded as from etcd, then validated as a new object, status included. The object is
 * not changed. Its apiVersion and kind are not checked: it must be of the schema's version.
 */
export function validateObject(compiled: CompiledSchema, object: JsonObject): ValidationResult {
  const errors = createErrorList();
  const state = newPruneState();
  const stored = decodeStored(object, compiled.root, compiled.isPruning, state);
  validateName(object, errors);
  const unevaluatedRules = validateWrite(compiled, stored, { path: state.path, errors, withListTypes: true });
  const faults = errors.items.length + state.pruned.length + state.dropped.length + unevaluatedRules.length;
  if (faults === 0 && !errors.mayRefuseApply && !compiled.isAtomic) return FLAWLESS;
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

/** Shared, since nearly all objects are. */
const FLAWLESS: ValidationResult = {
  errors: [],
  prunedPaths: [],
  droppedFields: [],
  applyFaults: [],
  unevaluatedRules: [],
  isTruncated: false,
};

/** Validates an object as a new one: without the status, if the version has a subresource for it, whatever defaults give it. */
export function validateCreate(compiled: CompiledSchema, object: JsonObject): UpdateResult {
  const errors = createErrorList();
  const stored = decodeRequest(object, compiled.root, compiled.isPruning);
  const { status: _status, ...rest } = stored;
  validateName(object, errors);
  const walk = { path: [], errors, withListTypes: true };
  const unevaluatedRules = validateWrite(compiled, compiled.hasStatus ? rest : stored, walk);
  return { errors: errors.items.toSorted(compareErrors), unevaluatedRules, isTruncated: errors.isTruncated };
}

/** Where a validation is, and what it has found. Without list types, their faults are tolerated. */
type ValidationWalk = { readonly path: FieldPath; readonly errors: ErrorList; readonly withListTypes: boolean };

/** All but the name, in the API server's order. `correlated`: with the stored object, in an update that ratchets. */
function validateWrite(
  { root, programs, hasNumberRanges, scale }: CompiledSchema,
  value: Json,
  walk: ValidationWalk,
  correlated?: CorrelatedObject,
): readonly UnevaluatedRule[] {
  const { path, errors } = walk;
  const validateChild = correlated && ratchetChildren(correlated, true);
  validateValue(root, value, { path, errors, hasNumberRanges, validateChild });
  if (root.hasExtensions) validateExtensions(root, value, walk);
  if (scale) validateScale(scale, value, errors);
  if (!root.hasRules || hasBlockingError(errors)) return FLAWLESS.unevaluatedRules;
  const evaluation = startEvaluation(programs, errors, path, correlated);
  validateRules(root, value, evaluation);
  if (evaluation.unevaluated === undefined) return FLAWLESS.unevaluatedRules;
  return [...evaluation.unevaluated.values()].toSorted(compareRules);
}

function compareRules(a: UnevaluatedRule, b: UnevaluatedRule): number {
  return compareText(a.location, b.location) || compareText(a.rule, b.rule);
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
 * never embedded resources, and it does not validate the object's name again. `isConverted`: the object is stored in another version, so
 * that it gets this one's defaults only as it is written. Not `isSent`: the server changes what it has (scale), so that nothing decodes it again.
 */
export function validateUpdate(
  compiled: CompiledSchema,
  object: JsonObject,
  change: (stored: Json) => Json = changeLabels,
  isConverted = false,
  isSent = true,
): UpdateResult {
  const errors = createErrorList();
  const { root, isPruning } = compiled;
  const old = decodeShown(object, root, isPruning, isConverted);
  const changed = change(old);
  const value =
    isConverted && isSent && isObject(changed)
      ? restoreStatus(decodeRequest(changed, root, isPruning), changed, old, compiled)
      : changed;
  const isOtherValue = (isConverted || change !== changeLabels) && value !== old;
  const withListTypes = isOtherValue && !hasListFaults(root, old);
  const unevaluatedRules = validateWrite(
    compiled,
    value,
    { path: [], errors, withListTypes },
    correlate(root, value, old),
  );
  return { errors: errors.items.toSorted(compareErrors), unevaluatedRules, isTruncated: errors.isTruncated };
}

/** A write sets no status that has a subresource, so that it gives it no defaults either. */
function restoreStatus(
  written: JsonObject,
  sent: JsonObject,
  old: JsonObject,
  { hasStatus }: CompiledSchema,
): JsonObject {
  if (!hasStatus || sent["status"] !== old["status"]) return written;
  const { status: _status, ...rest } = written;
  return old["status"] === undefined ? rest : { ...rest, status: old["status"] };
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

/**
 * Validates list types (if requested) and embedded resources, which the API server does apart from the schema's validation. The
 * object itself is not an embedded resource.
 */
export function validateExtensions(schema: StructuralSchema, value: Json, walk: ValidationWalk): void {
  const { path, errors, withListTypes } = walk;
  const { listType } = schema;
  if (withListTypes && listType && isList(value)) {
    if (!value.every((item) => isMergeable(listType, item))) errors.mayRefuseApply = true;
    for (const { index, type, message } of findDuplicates(listType, value))
      addError(errors, { type, path: formatBracketPath([...path, index]), message });
  }
  if (schema.isEmbeddedResource && path.length > 0 && isObject(value)) {
    if (at(value, "metadata", "managedFields") !== undefined) errors.mayRefuseApply = true;
    for (const { field, ...error } of validateEmbeddedResource(value))
      addError(errors, { ...error, path: formatBracketPath([...path, ...field]) });
  }
  visitChildren(schema, value, EXTENSIONS, walk);
}

const EXTENSIONS: ChildVisitor<ValidationWalk> = {
  concerns: ({ hasExtensions }) => hasExtensions,
  visit: (child, value, _, walk) => validateExtensions(child, value, walk),
};

/** Whether the value has a list that is not what its type says, wherever it stands. */
function hasListFaults(schema: StructuralSchema, value: Json): boolean {
  const { hasExtensions, listType } = schema;
  if (!hasExtensions) return false;
  let isFaulty = listType !== undefined && isList(value) && findDuplicates(listType, value).length > 0;
  const visit = (child: StructuralSchema, inner: Json): void => void (isFaulty ||= hasListFaults(child, inner));
  visitChildren(schema, value, { ...EXTENSIONS, visit }, { path: [] });
  return isFaulty;
}

const MAX_REPLICAS = 2 ** 31 - 1;

/**
 * Validates what a scale subresource reads, as an API server does in every write, whatever the schema says (ValidateScaleSpec and
 * ValidateScaleStatus of apiextensions-apiserver's customresource). No such fault is tolerated because it was stored before.
 */
function validateScale({ spec, status, selector }: ScalePaths, object: Json, errors: ErrorList): void {
  const refuse = (path: string, message: string): void =>
    addError(errors, { type: "FieldValueInvalid", path, message });
  for (const path of [spec, status]) {
    const value = findValue(path, object);
    if (value !== undefined && !isReplicas(value))
      refuse(
        trimDot(path),
        `The scale subresource reads a number of replicas from 0 to 2147483647 here, and this is ${describe(value)}`,
      );
  }
  const value = selector === undefined ? undefined : findValue(selector, object);
  if (selector === undefined || value === undefined || typeof value === "string") return;
  const message = `The scale subresource reads a label selector as text here, and this is ${describe(value)}`;
  refuse(trimDot(selector), message);
}

function isReplicas(value: Json | typeof NO_OBJECT): boolean {
  return typeof value === "number" && isInt64(value) && value >= 0 && value <= MAX_REPLICAS;
}

function describe(value: Json | typeof NO_OBJECT): string {
  return value === NO_OBJECT ? "below a value that is no object" : formatValue(value);
}

const NO_OBJECT = Symbol("below a value that is no object");

/** Undefined if a field of the path is absent, or null before its end. */
function findValue(path: string, object: Json): Json | typeof NO_OBJECT | undefined {
  let here: Json = object;
  for (const step of trimDot(path).split(".")) {
    if (here === null) return undefined;
    if (!isObject(here)) return NO_OBJECT;
    const next = Object.hasOwn(here, step) ? here[step] : undefined;
    if (next === undefined) return undefined;
    here = next;
  }
  return here;
}

function trimDot(path: string): string {
  return path.startsWith(".") ? path.slice(1) : path;
}
