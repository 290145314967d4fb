import { MAX_NAMED } from "../../model/names.ts";

/** The first three findings as texts, each with an equal share of the length, and the number of the others: "A; B; C; and 4 more". */
export function summarizeTexts<T>(
  findings: readonly T[],
  maxLength: number,
  format: (finding: T, longest: number) => string,
): string {
  const first = findings.slice(0, MAX_NAMED);
  const longest = Math.floor(maxLength / first.length);
  const texts = first.map((finding) => format(finding, longest));
  const more = findings.length - first.length;
  return (more === 0 ? texts : [...texts, `and ${more} more`]).join("; ");
}
