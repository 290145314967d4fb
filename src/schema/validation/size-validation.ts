import type { Json, JsonObject } from "../../model/json.ts";
import { buildEqualityKey } from "../structural/equality-key.ts";
import type { ListLimits, MapLimits } from "../structural/structural-schema.ts";
import { type ValidationScope, reportError } from "./validation-scope.ts";
import { formatCount } from "../structural/value-text.ts";

export function validateListSize(limits: ListLimits, list: readonly Json[], scope: ValidationScope): void {
  const { minItems, maxItems } = limits;
  if (minItems !== undefined && list.length < minItems) {
    reportError(
      scope,
      "FieldValueInvalid",
      `The list has ${formatCount(list.length, "item")}, at least ${minItems} are needed`,
    );
  }
  if (maxItems !== undefined && list.length > maxItems) {
    reportError(
      scope,
      "FieldValueTooMany",
      `The list has ${formatCount(list.length, "item")}, at most ${maxItems} are allowed`,
    );
  }
  if (limits.uniqueItems && hasDuplicates(list))
    reportError(scope, "FieldValueInvalid", "The list holds an item twice, and must not");
}

function hasDuplicates(list: readonly Json[]): boolean {
  const keys = new Set<string>();
  return list.some((item) => {
    const key = buildEqualityKey(item);
    if (key === undefined) return false;
    const isDuplicate = keys.has(key);
    keys.add(key);
    return isDuplicate;
  });
}

export function validateMapSize(limits: MapLimits, map: JsonObject, size: number, scope: ValidationScope): void {
  const { minProperties, maxProperties } = limits;
  if (minProperties !== undefined && size < minProperties) {
    reportError(
      scope,
      "FieldValueInvalid",
      `The object has ${formatCount(size, "field")}, at least ${minProperties} are needed`,
    );
  }
  if (maxProperties !== undefined && size > maxProperties) {
    reportError(
      scope,
      "FieldValueTooMany",
      `The object has ${formatCount(size, "field")}, at most ${maxProperties} are allowed`,
    );
  }
  for (const name of limits.required) {
    if (!Object.hasOwn(map, name)) reportError(scope, "FieldValueRequired", "A value is required", name);
  }
}
