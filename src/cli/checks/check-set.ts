import { createHash } from "node:crypto";
import { checks as builtInChecks } from "../../checks/index.ts";
import { type CheckFault, formatFault } from "../../data-checks/fault.ts";
import { readYamlFiles, type FileText } from "../../files/yaml-files.ts";
import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import { CHECKS_FOLDER, getCheckFileName } from "../../model/site-checks.ts";
import type { Io } from "../io/io.ts";
import type { ChecksValues } from "../settings/shared-settings.ts";
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

const LIMITS = { maxBytes: 64 * 1024, maxFiles: 100, leaveOut: "cases" };

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
  const { files, absent, empty } = await readFiles(paths);
  if (absent[0] !== undefined) throw new UsageError(`--checks ${absent[0]} does not exist`);
  if (empty[0] !== undefined) throw new UsageError(`--checks ${empty[0]} has no file *.yaml`);
  return files.length === 0 ? BUILT_IN : buildCheckSet(files, getDigest(files));
}

/** The same for a runner, whose checks may come later: `previous` is what it had before, and is kept if the files are the same. */
export async function reloadCheckSet(
  paths: readonly string[],
  previous: CheckSet,
): Promise<{ readonly checkSet: CheckSet; readonly absent: readonly string[] }> {
  const { files, absent } = await readFiles(paths);
  const digest = getDigest(files);
  if (digest === previous.digest) return { checkSet: previous, absent };
  return { checkSet: files.length === 0 ? BUILT_IN : await buildCheckSet(files, digest), absent };
}

/** A pod names the folder of the ConfigMap whether there is one or not. */
function isNamed(path: string): boolean {
  return path !== CHECKS_FOLDER;
}

type FoundFiles = {
  readonly files: readonly FileText[];
  readonly absent: readonly string[];
  readonly empty: readonly string[];
};

async function readFiles(paths: readonly string[]): Promise<FoundFiles> {
  const files = new Map<string, FileText>();
  const [absent, empty]: [string[], string[]] = [[], []];
  for (const path of paths) {
    const found = await readYamlFiles(path, LIMITS);
    if (found === undefined) absent.push(path);
    if (found?.length === 0) empty.push(path);
    for (const file of found ?? []) files.set(file.name, { ...file, name: getCheckFileName(file.name) });
  }
  return { files: [...files.values()], absent: absent.filter(isNamed), empty: empty.filter(isNamed) };
}

function getDigest(files: readonly FileText[]): string {
  return createHash("sha256").update(JSON.stringify(files)).digest("hex");
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
