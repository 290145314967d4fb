/** "A", "A and B", "A, B and C". */
export function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

const NAMED = 3;

/** The first three of them, then how many more: "A, B, C and 4 more". */
export function joinSome(names: readonly string[]): string {
  return joinNames(names.length > NAMED ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names);
}
