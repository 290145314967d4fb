import { compareText } from "./json.ts";

/** Each name once, in the order of the code units. */
export function sortNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted(compareText);
}

/** "A", "A and B", "A, B and C". */
export function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

export const MAX_NAMED = 3;

/** The first three names and the number of the others: "A, B, C and 4 more". `count`: how many there are, if not all are in `names`. */
export function summarizeNames(names: readonly string[], count = names.length): string {
  const named = names.slice(0, MAX_NAMED);
  return joinNames(count > named.length ? [...named, `${count - named.length} more`] : named);
}
