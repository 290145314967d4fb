import { joinNames } from "../../model/names.ts";

const NAMED = 3;

/** "a.b, c and 2 more", or that there is nothing in it. */
export function someKeys(keys: readonly string[]): string {
  if (keys.length === 0) return "without anything in it";
  return joinNames(keys.length > NAMED ? [...keys.slice(0, NAMED), `${keys.length - NAMED} more`] : keys);
}
