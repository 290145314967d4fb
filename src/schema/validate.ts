import { type Json, isList, isObject } from "../model/json.ts";
import { checkEnum } from "./validate-enum.ts";
import { checkNumber } from "./validate-number.ts";
import { checkListSize, checkMapSize } from "./validate-size.ts";
import { checkText } from "./validate-text.ts";
import { checkType } from "./validate-type.ts";
import { type Scope, fail } from "./scope.ts";
import { type Junctors, type Node, additionalNode } from "./node.ts";
import { type Errors, mergeErrors, noErrors } from "./verdict.ts";

/**
 * Validates a value as the API server's schema validation does (kube-openapi's validate package). `matches` is counted up where it
 * counts: one for each kind of check that concerns the value, one more where some of them have passed.
 */
export function validate(node: Node, value: Json, scope: Scope): void {
  checkType(node, value, scope);
  if (value === null) {
    checkEnum(node.enum, value, scope);
    return;
  }
  if (node.junctors) checkJunctors(node.junctors, value, scope);
  if (typeof value === "string") checkText(node, value, scope);
  else if (typeof value === "number") checkNumber(node, value, scope);
  else if (isList(value)) checkList(node, value, scope);
  else if (isObject(value)) checkMap(node, value, scope);
  checkEnum(node.enum, value, scope);
  // Alternatives count twice, enums once, and the value itself once.
  scope.errors.matches += 4;
}

function validateBelow(node: Node, value: Json, step: string | number, scope: Scope): void {
  scope.path.push(step);
  if (scope.below) scope.below(node, value, step, scope);
  else validate(node, value, scope);
  scope.path.pop();
}

function checkList(node: Node, list: readonly Json[], scope: Scope): void {
  const { items } = node;
  for (let i = 0; items !== undefined && i < list.length; i++) {
    const item = list[i];
    if (item === undefined) continue;
    validateBelow(items, item, i, scope);
  }
  if (node.list) checkListSize(node.list, list, scope);
  scope.errors.matches += 2;
}

function checkMap(node: Node, map: { readonly [key: string]: Json }, scope: Scope): void {
  const additional = additionalNode(node);
  const keys = Object.keys(map);
  for (const key of keys) {
    const child = node.properties.get(key) ?? additional;
    const value = map[key];
    if (child === undefined && node.additional === false)
      fail(scope, "FieldValueInvalid", `The field ${JSON.stringify(key)} is not allowed`);
    if (child === undefined || value === undefined) continue;
    validateBelow(child, value, key, scope);
  }
  if (node.map) checkMapSize(node.map, map, keys.length, scope);
  scope.errors.matches += 1;
}

function checkJunctors(junctors: Junctors, value: Json, scope: Scope): void {
  if (junctors.anyOf.length > 0) checkAnyOf(junctors.anyOf, value, scope);
  if (junctors.oneOf.length > 0) checkOneOf(junctors.oneOf, value, scope);
  if (junctors.allOf.length > 0) checkAllOf(junctors.allOf, value, scope);
  if (junctors.not && isValid(attempt(junctors.not, value, scope))) {
    fail(scope, "FieldValueInvalid", "The value is one that the schema excludes (not)");
  }
}

/** An alternative is looked at as if the value were new, whatever may stand below. */
function attempt(node: Node, value: Json, scope: Scope): Errors {
  const errors = noErrors();
  validate(node, value, { ...scope, errors, below: undefined });
  return errors;
}

function isValid(errors: Errors): boolean {
  return errors.kept.length === 0;
}

/** Of the alternatives that fail, the errors of the one that passed most checks are told, of equals the first. */
function closest(attempts: readonly Errors[]): Errors | undefined {
  return attempts.reduce<Errors | undefined>(
    (best, next) => (best && best.matches >= next.matches ? best : next),
    undefined,
  );
}

function checkAnyOf(nodes: readonly Node[], value: Json, scope: Scope): void {
  const failed: Errors[] = [];
  for (const node of nodes) {
    const errors = attempt(node, value, scope);
    if (isValid(errors)) {
      mergeErrors(scope.errors, errors);
      return;
    }
    failed.push(errors);
  }
  fail(
    scope,
    "FieldValueInvalid",
    `The value fits none of the ${nodes.length} alternatives of which it must fit one or more (anyOf)`,
  );
  const best = closest(failed);
  if (best) mergeErrors(scope.errors, best);
}

function checkOneOf(nodes: readonly Node[], value: Json, scope: Scope): void {
  const attempts = nodes.map((node) => attempt(node, value, scope));
  const passed = attempts.filter(isValid);
  const [first] = passed;
  if (passed.length === 1 && first) {
    mergeErrors(scope.errors, first);
    return;
  }
  const fits = passed.length === 0 ? "none" : String(passed.length);
  fail(
    scope,
    "FieldValueInvalid",
    `The value fits ${fits} of the ${nodes.length} alternatives of which it must fit exactly one (oneOf)`,
  );
  const best = passed.length === 0 ? closest(attempts) : undefined;
  if (best) mergeErrors(scope.errors, best);
}

function checkAllOf(nodes: readonly Node[], value: Json, scope: Scope): void {
  const attempts = nodes.map((node) => attempt(node, value, scope));
  for (const errors of attempts) mergeErrors(scope.errors, errors);
  if (attempts.every(isValid)) return;
  fail(scope, "FieldValueInvalid", "The value does not fit all of what it must fit together (allOf)");
}
