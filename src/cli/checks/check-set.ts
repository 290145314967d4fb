import { checks as builtInChecks } from "../../checks/index.ts";
import { type CheckFault, formatFault } from "../../data-checks/fault.ts";
import type { FileText } from "../../files/yaml-files.ts";
import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import type { Io } from "../io/io.ts";
import type { ChecksValues } from "../settings/shared-settings.ts";
import type { CheckFiles } from "./site-check-files.ts";
import { listTakenNames } from "./taken-names.ts";

/** The checks that a command knows: those of this build, and those of --checks. */
export type CheckSet = {
  readonly checks: readonly Check[];
  /** Why checks of --checks can't be loaded. */
  readonly faults: readonly CheckFault[];
  /** Of the files; absent if there are none. */
  readonly digest?: string;
};

/** What a command knows once the files of --checks are read. */
export type CheckSetValues = { readonly checkSet: CheckSet };

export const BUILT_IN: CheckSet = { checks: builtInChecks, faults: [] };

/** Loads the checks once for a command, and says on stderr what is wrong with them. */
export async function withCheckSet<Values extends ChecksValues>(
  values: Values,
  io: Pick<Io, "err">,
): Promise<Values & CheckSetValues> {
  const checkSet = await loadCheckSet(values.checks);
  for (const fault of checkSet.faults) io.err(`${formatFault(fault)}\n`);
  return { ...values, checkSet };
}

/** Throws a UsageError for a path without checks. */
async function loadCheckSet(paths: readonly string[]): Promise<CheckSet> {
  if (paths.length === 0) return BUILT_IN;
  const { files, absent, empty, digest } = await readFiles(paths);
  if (absent[0] !== undefined) throw new UsageError(`--checks ${absent[0]} does not exist`);
  if (empty[0] !== undefined) throw new UsageError(`--checks ${empty[0]} has no file *.yaml`);
  return files.length === 0 ? BUILT_IN : buildCheckSet(files, digest);
}

/** The same for a runner, whose checks may come later: `previous` is what it had before, and is kept if the files are the same. */
export async function reloadCheckSet(
  paths: readonly string[],
  previous: CheckSet,
): Promise<{ readonly checkSet: CheckSet; readonly absent: readonly string[] }> {
  const { files, absent, digest } = await readFiles(paths);
  if (digest === previous.digest) return { checkSet: previous, absent };
  return { checkSet: files.length === 0 ? BUILT_IN : await buildCheckSet(files, digest), absent };
}

/** Most commands read none, and start without what reads them. */
async function readFiles(paths: readonly string[]): Promise<CheckFiles> {
  const { readCheckFiles } = await import("./site-check-files.ts");
  return readCheckFiles(paths);
}

/** Imports the engine only if there is something to load. */
async function buildCheckSet(files: readonly FileText[], digest: string): Promise<CheckSet> {
  const { loadChecks } = await import("../../data-checks/load.ts");
  const texts = files.map((file) => (file.kind === "read" ? file : { name: file.name, problem: file.message }));
  const { checks, faults } = await loadChecks(texts, "site", listTakenNames());
  // Warnings are for whoever writes a check, and lint says them.
  const errors = faults.filter(({ severity }) => severity === "error");
  return { checks: [...builtInChecks, ...checks], faults: errors, digest };
}
