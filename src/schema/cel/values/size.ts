import { getMapSize } from "./equality.ts";
import { getListSize } from "./unstructured.ts";
import { type CelValue, isList, isMap, isObjectValue } from "./value.ts";

/** A value's size for cost accounting in the API server: characters, bytes or items; 1 for anything else. */
export function actualSize(value: CelValue): number {
  if (typeof value === "string") return value.length;
  if (!isObjectValue(value)) return 1;
  if (isList(value)) return getListSize(value);
  if (isMap(value)) return getMapSize(value);
  if (value.kind === "bytes") return value.bytes.length;
  if (value.kind === "ip") return value.bytes.length;
  if (value.kind === "cidr") return Math.ceil(value.prefixLength / 8);
  return value.kind === "optional" && value.value !== undefined ? actualSize(value.value) : 1;
}

/** Characters are traversed ten at a time; four characters of a pattern count as an expression. */
export const TRAVERSAL = 0.1;
export const PATTERN = 0.25;

export function getTraversalCost(size: number): number {
  return Math.ceil(size * TRAVERSAL);
}
