import { type Json, isList, isObject } from "../../model/json.ts";
import { validateEnum } from "./enum-validation.ts";
import { validateNumber } from "./number-validation.ts";
import { validateListSize, validateMapSize } from "./size-validation.ts";
import { validateText } from "./text-validation.ts";
import { validateType } from "./type-validation.ts";
import { type ValidationScope, reportError } from "./validation-scope.ts";
import { type LogicalJunctors, type StructuralSchema, getAdditionalSchema } from "../structural/structural-schema.ts";
import { type ErrorList, mergeErrors, createErrorList } from "../structural/field-errors.ts";

/**
 * Validates a value as the API server's schema validation does (kube-openapi's validate package), which also counts matches: one for each
 * kind of validation that applies to the value, and one more if some of them pass.
 */
export function validateValue(schema: StructuralSchema, value: Json, scope: ValidationScope): void {
  validateType(schema, value, scope);
  if (value === null) {
    validateEnum(schema.enum, value, scope);
    return;
  }
  if (schema.junctors) validateJunctors(schema.junctors, value, scope);
  if (typeof value === "string") validateText(schema, value, scope);
  else if (typeof value === "number") validateNumber(schema, value, scope);
  else if (isList(value)) validateList(schema, value, scope);
  else if (isObject(value)) validateMap(schema, value, scope);
  validateEnum(schema.enum, value, scope);
  // Alternatives count twice, enums once, and the value itself once.
  scope.errors.matchCount += 4;
}

function validateChildAt(schema: StructuralSchema, value: Json, step: string | number, scope: ValidationScope): void {
  scope.path.push(step);
  if (scope.validateChild) scope.validateChild(schema, value, step, scope);
  else validateValue(schema, value, scope);
  scope.path.pop();
}

function validateList(schema: StructuralSchema, list: readonly Json[], scope: ValidationScope): void {
  const { items } = schema;
  for (let i = 0; items !== undefined && i < list.length; i++) {
    const item = list[i];
    if (item === undefined) continue;
    validateChildAt(items, item, i, scope);
  }
  if (schema.list) validateListSize(schema.list, list, scope);
  scope.errors.matchCount += 2;
}

function validateMap(schema: StructuralSchema, map: { readonly [key: string]: Json }, scope: ValidationScope): void {
  const additional = getAdditionalSchema(schema);
  const keys = Object.keys(map);
  for (const key of keys) {
    const child = schema.properties.get(key) ?? additional;
    const value = map[key];
    if (child === undefined && schema.additionalProperties === false)
      reportError(scope, "FieldValueInvalid", `The field ${JSON.stringify(key)} is not allowed`);
    if (child === undefined || value === undefined) continue;
    validateChildAt(child, value, key, scope);
  }
  if (schema.map) validateMapSize(schema.map, map, keys.length, scope);
  scope.errors.matchCount += 1;
}

function validateJunctors(junctors: LogicalJunctors, value: Json, scope: ValidationScope): void {
  if (junctors.anyOf.length > 0) validateAnyOf(junctors.anyOf, value, scope);
  if (junctors.oneOf.length > 0) validateOneOf(junctors.oneOf, value, scope);
  if (junctors.allOf.length > 0) validateAllOf(junctors.allOf, value, scope);
  if (junctors.not && isValid(tryAlternative(junctors.not, value, scope))) {
    reportError(scope, "FieldValueInvalid", "The value is one that the schema excludes (not)");
  }
}

/** Alternatives are validated as if the value were new, without ratcheting below. */
function tryAlternative(schema: StructuralSchema, value: Json, scope: ValidationScope): ErrorList {
  const errors = createErrorList();
  validateValue(schema, value, { ...scope, errors, validateChild: undefined });
  return errors;
}

function isValid(errors: ErrorList): boolean {
  return errors.items.length === 0;
}

/** If all alternatives fail, the errors of the one with the most matches are reported, the first of equals. */
function findClosest(attempts: readonly ErrorList[]): ErrorList | undefined {
  return attempts.reduce<ErrorList | undefined>(
    (best, next) => (best && best.matchCount >= next.matchCount ? best : next),
    undefined,
  );
}

function validateAnyOf(schemas: readonly StructuralSchema[], value: Json, scope: ValidationScope): void {
  const failures: ErrorList[] = [];
  for (const schema of schemas) {
    const errors = tryAlternative(schema, value, scope);
    if (isValid(errors)) {
      mergeErrors(scope.errors, errors);
      return;
    }
    failures.push(errors);
  }
  reportError(
    scope,
    "FieldValueInvalid",
    `The value fits none of the ${schemas.length} alternatives of which it must fit one or more (anyOf)`,
  );
  const best = findClosest(failures);
  if (best) mergeErrors(scope.errors, best);
}

function validateOneOf(schemas: readonly StructuralSchema[], value: Json, scope: ValidationScope): void {
  const attempts = schemas.map((schema) => tryAlternative(schema, value, scope));
  const matches = attempts.filter(isValid);
  const [first] = matches;
  if (matches.length === 1 && first) {
    mergeErrors(scope.errors, first);
    return;
  }
  const fits = matches.length === 0 ? "none" : String(matches.length);
  reportError(
    scope,
    "FieldValueInvalid",
    `The value fits ${fits} of the ${schemas.length} alternatives of which it must fit exactly one (oneOf)`,
  );
  const best = matches.length === 0 ? findClosest(attempts) : undefined;
  if (best) mergeErrors(scope.errors, best);
}

function validateAllOf(schemas: readonly StructuralSchema[], value: Json, scope: ValidationScope): void {
  const attempts = schemas.map((schema) => tryAlternative(schema, value, scope));
  for (const errors of attempts) mergeErrors(scope.errors, errors);
  if (attempts.every(isValid)) return;
  reportError(scope, "FieldValueInvalid", "The value does not fit all of what it must fit together (allOf)");
}
