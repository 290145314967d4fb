import type { Json, JsonObject } from "../../model/json.ts";
import { findSecondOccurrences } from "../list-types.ts";
import { buildEqualityKey } from "../structural/equality-key.ts";
import type { ListLimits, MapLimits } from "../structural/structural-schema.ts";
import { type ValidationScope, reportError } from "./validation-scope.ts";
import { formatCount } from "../structural/value-text.ts";

export function validateListSize(limits: ListLimits, list: readonly Json[], scope: ValidationScope): void {
  validateSize(["list", "item"], list.length, limits.minItems, limits.maxItems, scope);
  if (limits.uniqueItems && findSecondOccurrences(list, buildEqualityKey).length > 0)
    reportError(scope, "FieldValueInvalid", "The list holds an item twice, and must not");
}

export function validateMapSize(limits: MapLimits, map: JsonObject, size: number, scope: ValidationScope): void {
  const { minProperties, maxProperties, required } = limits;
  validateSize(["object", "field"], size, minProperties, maxProperties, scope);
  for (const name of required) {
    if (!Object.hasOwn(map, name)) reportError(scope, "FieldValueRequired", "A value is required", name);
  }
}

function validateSize(
  [what, part]: readonly [what: string, part: string],
  size: number,
  least: number | undefined,
  most: number | undefined,
  scope: ValidationScope,
): void {
  const has = (limit: string): string => `The ${what} has ${formatCount(size, part)}, at ${limit}`;
  if (least !== undefined && size < least) reportError(scope, "FieldValueInvalid", has(`least ${least} are needed`));
  if (most !== undefined && size > most) reportError(scope, "FieldValueTooMany", has(`most ${most} are allowed`));
}
