import { type Json, type JsonObject, isList, isObject } from "../../../model/json.ts";
import { validateListSize, validateMapSize, validateNumber, validateText } from "./limit-validation.ts";
import { validateEnum, validateType } from "./type-validation.ts";
import { type ValidationScope, refuseValue } from "./validation-scope.ts";
import { type LogicalJunctors, type StructuralSchema, getAdditionalSchema } from "../structural/structural-schema.ts";
import { type ErrorList, mergeErrors, createErrorList } from "../structural/field-errors.ts";

/**
 * Validates a value as the API server's schema validation does (kube-openapi's validate package), which also counts matches: one for each
 * kind of validation that applies to the value, and one more if some of them pass.
 */
export function validateValue(schema: StructuralSchema, value: Json, scope: ValidationScope): void {
  validateType(schema, value, scope);
  if (value === null) return validateEnum(schema.enum, value, scope);
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
  if (items) for (const [i, item] of list.entries()) validateChildAt(items, item, i, scope);
  validateListSize(schema, list, scope);
  scope.errors.matchCount += 2;
}

function validateMap(schema: StructuralSchema, map: JsonObject, scope: ValidationScope): void {
  const additional = getAdditionalSchema(schema);
  const keys = Object.keys(map);
  for (const key of keys) {
    const child = schema.properties.get(key) ?? additional;
    const value = map[key];
    if (child === undefined && schema.additionalProperties === false)
      refuseValue(scope, `The field ${JSON.stringify(key)} is not allowed`);
    if (child === undefined || value === undefined) continue;
    validateChildAt(child, value, key, scope);
  }
  validateMapSize(schema, map, keys.length, scope);
  scope.errors.matchCount += 1;
}

function validateJunctors(junctors: LogicalJunctors, value: Json, scope: ValidationScope): void {
  if (junctors.anyOf.length > 0) validateAnyOf(junctors.anyOf, value, scope);
  if (junctors.oneOf.length > 0) validateOneOf(junctors.oneOf, value, scope);
  if (junctors.allOf.length > 0) validateAllOf(junctors.allOf, value, scope);
  if (junctors.not && isValid(tryAlternative(junctors.not, value, scope))) {
    refuseValue(scope, "The value is one that the schema excludes (not)");
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

/** Adds the errors of the alternative with the most matches, the first of equals. */
function mergeClosest(scope: ValidationScope, attempts: readonly ErrorList[]): void {
  const closest = attempts.reduce((best, next) => (best.matchCount >= next.matchCount ? best : next));
  mergeErrors(scope.errors, closest);
}

function validateAnyOf(schemas: readonly StructuralSchema[], value: Json, scope: ValidationScope): void {
  const failures: ErrorList[] = [];
  for (const schema of schemas) {
    const errors = tryAlternative(schema, value, scope);
    if (isValid(errors)) return mergeErrors(scope.errors, errors);
    failures.push(errors);
  }
  const many = `${schemas.length} alternatives`;
  refuseValue(scope, `The value fits none of the ${many} of which it must fit one or more (anyOf)`);
  mergeClosest(scope, failures);
}

function validateOneOf(schemas: readonly StructuralSchema[], value: Json, scope: ValidationScope): void {
  const attempts = schemas.map((schema) => tryAlternative(schema, value, scope));
  const matches = attempts.filter(isValid);
  const [first] = matches;
  if (matches.length === 1 && first) return mergeErrors(scope.errors, first);
  const fits = `${matches.length === 0 ? "none" : matches.length} of the ${schemas.length} alternatives`;
  refuseValue(scope, `The value fits ${fits} of which it must fit exactly one (oneOf)`);
  if (matches.length === 0) mergeClosest(scope, attempts);
}

function validateAllOf(schemas: readonly StructuralSchema[], value: Json, scope: ValidationScope): void {
  const attempts = schemas.map((schema) => tryAlternative(schema, value, scope));
  for (const errors of attempts) mergeErrors(scope.errors, errors);
  if (attempts.every(isValid)) return;
  refuseValue(scope, "The value does not fit all of what it must fit together (allOf)");
}
