import { summarizeNames } from "../../model/names.ts";

/** "a.b, c and 2 more", or that there is nothing in it. */
export function formatKeys(keys: readonly string[]): string {
  if (keys.length === 0) return "without anything in it";
  return summarizeNames(keys);
}
