import { type Json, isList } from "../model/json.ts";
import type { JsonType, Node } from "./node.ts";
import { isInt64, isNearInteger } from "./numbers.ts";
import { type Scope, fail } from "./scope.ts";

export function typeOf(value: Json): JsonType | "null" {
  if (value === null) return "null";
  if (typeof value === "number") return isInt64(value) ? "integer" : "number";
  if (typeof value === "object") return isList(value) ? "array" : "object";
  return typeof value === "string" ? "string" : "boolean";
}

/** Two checks passed where a type is asked for and right: the concern and the passing. */
export function checkType(node: Node, value: Json, scope: Scope): void {
  const isTyped = node.types.length > 0 || node.format !== "";
  if (!isTyped && value !== null) return;
  const passes = fits(node, value);
  if (value !== null) scope.errors.matches++;
  if (passes) scope.errors.matches++;
  else fail(scope, "FieldValueTypeInvalid", `The value must be ${expected(node)}, and is ${article(typeOf(value))}`);
}

function fits(node: Node, value: Json): boolean {
  const { types, format } = node;
  if (value === null) return types.length === 0 || node.nullable;
  const type = typeOf(value);
  if (type === "null") return false;
  const numeric = types.includes("number") || types.includes("integer");
  // A format without a number is taken to say all about strings, and of lists, which it does not fit, the API server thinks the same.
  if (format !== "" && !numeric && (type === "string" || type === "array")) return true;
  if (types.includes(type)) return true;
  if (type === "integer") return types.includes("number");
  return typeof value === "number" && types.includes("integer") && isNearInteger(value);
}

function expected(node: Node): string {
  const types = node.types.length === 0 ? "a string" : node.types.map(article).join(" or ");
  return node.nullable ? `${types} or null` : types;
}

function article(type: JsonType | "null"): string {
  if (type === "null") return "null";
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}
