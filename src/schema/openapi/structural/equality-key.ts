import { type Json, type JsonObject, compareText, isList, isObject } from "../../../model/json.ts";
import { isRounded } from "./numbers.ts";

/** Text as it is, or a value that is not text yet. */
type PendingPart = string | { readonly value: Json };

/**
 * Text that is equal for equal values; undefined if JSON.parse may have rounded a number in the value.
 * It is iterative, so that deep nesting can't overflow the stack.
 */
export function buildEqualityKey(value: Json): string | undefined {
  const pending: PendingPart[] = [{ value }];
  const parts: string[] = [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") parts.push(next);
    else if (isList(next.value)) pushReversed(pending, splitList(next.value));
    else if (isObject(next.value)) pushReversed(pending, splitObject(next.value));
    else if (typeof next.value === "number" && isRounded(next.value)) return undefined;
    else parts.push(JSON.stringify(next.value));
  }
  return parts.join("");
}

function pushReversed(pending: PendingPart[], parts: readonly PendingPart[]): void {
  for (const part of parts.toReversed()) pending.push(part);
}

function splitList(list: readonly Json[]): PendingPart[] {
  return ["[", ...list.flatMap((value): PendingPart[] => [{ value }, ","]), "]"];
}

function splitObject(object: JsonObject): PendingPart[] {
  const entries = Object.entries(object).toSorted(([a], [b]) => compareText(a, b));
  return ["{", ...entries.flatMap(([key, value]): PendingPart[] => [`${JSON.stringify(key)}:`, { value }, ","]), "}"];
}
