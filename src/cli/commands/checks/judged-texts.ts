import type { BugList } from "../../../checks/known-bugs/known-bug.ts";
import { loadBugList } from "../../../checks/known-bugs/load-list.ts";
import { type CheckFault, type CheckText, formatFault } from "../../../data-checks/fault.ts";
import { loadChecks } from "../../../data-checks/load.ts";
import { listOtherNames } from "../../checks/known-bugs-list.ts";
import { isBugList } from "../../checks/known-bugs-set.ts";
import type { Io } from "../../io/io.ts";
import { listTakenNames } from "../../checks/taken-names.ts";

/** Checks, or a list of known bugs: that is what it is if one of the documents says so. */
export type JudgedTexts = { readonly faults: readonly CheckFault[] } & (
  | { readonly kind: "checks"; readonly ids: readonly string[] }
  | { readonly kind: "knownBugs"; readonly list: BugList | undefined }
);

/** Loads them as --checks and --known-bugs do. */
export async function judgeTexts(texts: readonly CheckText[]): Promise<JudgedTexts> {
  if (isBugList(texts)) {
    const { list, faults } = await loadBugList(texts, { taken: listOtherNames() });
    return { kind: "knownBugs", list, faults };
  }
  const { definitions, faults } = await loadChecks(texts, { kind: "site" }, listTakenNames());
  // Without the prefix of the origin.
  const ids = definitions.map(({ definition }) => definition.metadata.name.replace(/^site-/, ""));
  return { kind: "checks", ids, faults };
}

export function isError({ severity }: CheckFault): boolean {
  return severity === "error";
}

/** Says on stderr what keeps checks from running, if anything does. */
export function printErrors(faults: readonly CheckFault[], io: Io): boolean {
  const errors = faults.filter(isError);
  for (const fault of errors) io.err(`${formatFault(fault)}\n`);
  return errors.length > 0;
}
