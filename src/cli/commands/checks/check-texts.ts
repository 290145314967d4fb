import { type CheckText, type CheckFault, formatFault } from "../../../data-checks/format/fault.ts";
import { readYamlFiles } from "../../../files/yaml-files.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import type { BugList } from "../../../checks/known-bugs/known-bug.ts";
import { loadBugList } from "../../../checks/known-bugs/load-list.ts";
import type { KindTable } from "../../../data-checks/kinds/kind.ts";
import { loadChecks } from "../../../data-checks/load.ts";
import { listOtherNames, isBugList } from "../../checks/known-bugs.ts";
import type { Io } from "../../io/io.ts";
import { listTakenNames } from "../../checks/risk-names.ts";

/** Far above what a file with checks may have, which the engine reports as a fault of it. */
const LIMITS = { maxBytes: 1 << 20, maxFiles: 1000, leaveOut: "cases" };

/** The texts of files, and of the files *.yaml in folders; without those in folders of cases. Throws if one can't be read, or if there is none. */
export async function readCheckTexts(paths: readonly string[]): Promise<readonly CheckText[]> {
  const texts: CheckText[] = [];
  for (const path of paths) texts.push(...(await readTexts(path)));
  return [...new Map(texts.map((text) => [text.name, text])).values()];
}

async function readTexts(path: string): Promise<readonly CheckText[]> {
  const files = await readYamlFiles(path, LIMITS);
  if (files === undefined) throw new UsageError(`${path} does not exist: name a file with checks, or its folder`);
  if (files.length === 0) throw new UsageError(`${path} has no file *.yaml: name a file with checks, or its folder`);
  return files.map((file) => {
    if (file.kind === "unread") throw new FailedError(`${file.name} can't be read: ${file.message}`);
    return { name: file.name, text: file.text };
  });
}

/** Checks, or a list of known bugs: that is what it is if one of the documents says so. */
export type JudgedTexts = { readonly faults: readonly CheckFault[] } & (
  | { readonly kind: "checks"; readonly ids: readonly string[] }
  | { readonly kind: "knownBugs"; readonly list: BugList | undefined }
);

/** Loads them as --checks and --known-bugs do of an artefact. */
export async function judgeTexts(texts: readonly CheckText[], kinds?: KindTable): Promise<JudgedTexts> {
  if (isBugList(texts)) {
    const { list, faults } = await loadBugList(texts, { taken: listOtherNames(), kinds });
    return { kind: "knownBugs", list, faults };
  }
  const shared = texts.map((text) => ({ ...text, isShared: true }));
  const { definitions, faults } = await loadChecks(shared, { kind: "site" }, listTakenNames(), { kinds });
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
