import { joinNames } from "../../model/names.ts";

const NAMED = 3;

/** "A", "A and B", "A, B, C and 4 more". */
export function listed(names: readonly string[]): string {
  return joinNames(names.length > NAMED ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names);
}
