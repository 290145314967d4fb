import { summarizeNames } from "../../model/names.ts";

/** The notice about these names, or none without any. `describe` gets "A, B, C and 4 more". */
export function buildNamesNotice(names: readonly string[], describe: (names: string) => string): readonly string[] {
  return names.length === 0 ? [] : [describe(summarizeNames(names))];
}
