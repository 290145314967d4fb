import type { Json, JsonObject } from "../model/json.ts";
import { identity } from "./identity.ts";
import type { ListLimits, MapLimits } from "./node.ts";
import { type Scope, fail } from "./scope.ts";
import { counted } from "./words.ts";

export function checkListSize(limits: ListLimits, list: readonly Json[], scope: Scope): void {
  const { minItems, maxItems } = limits;
  if (minItems !== undefined && list.length < minItems) {
    fail(scope, "FieldValueInvalid", `The list has ${counted(list.length, "item")}, at least ${minItems} are needed`);
  }
  if (maxItems !== undefined && list.length > maxItems) {
    fail(scope, "FieldValueTooMany", `The list has ${counted(list.length, "item")}, at most ${maxItems} are allowed`);
  }
  if (limits.uniqueItems && hasDuplicates(list))
    fail(scope, "FieldValueInvalid", "The list holds an item twice, and must not");
}

function hasDuplicates(list: readonly Json[]): boolean {
  const seen = new Set<string>();
  return list.some((item) => {
    const same = identity(item);
    if (same === undefined) return false;
    const isSeen = seen.has(same);
    seen.add(same);
    return isSeen;
  });
}

export function checkMapSize(limits: MapLimits, map: JsonObject, size: number, scope: Scope): void {
  const { minProperties, maxProperties } = limits;
  if (minProperties !== undefined && size < minProperties) {
    fail(scope, "FieldValueInvalid", `The object has ${counted(size, "field")}, at least ${minProperties} are needed`);
  }
  if (maxProperties !== undefined && size > maxProperties) {
    fail(scope, "FieldValueTooMany", `The object has ${counted(size, "field")}, at most ${maxProperties} are allowed`);
  }
  for (const name of limits.required) {
    if (!Object.hasOwn(map, name)) fail(scope, "FieldValueRequired", "A value is required", name);
  }
}
