import { checks as builtInChecks } from "../../checks/index.ts";
import { type CheckFault, formatFault } from "../../data-checks/format/fault.ts";
import { loadChecks } from "../../data-checks/load.ts";
import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import { formatGroupResource, parseResource } from "../../model/resource.ts";
import type { Io } from "../io/io.ts";
import type { ConfigValues } from "../settings/config-file.ts";
import type { RegistryValues } from "../settings/release-settings.ts";
import type { ChecksValues } from "../settings/judging-settings.ts";
import { type CheckFinder, type FinderOptions, createCheckFinder } from "./check-selection.ts";
import { type GivenList, addKnownBugs, isBugList, readKnownBugs, requireKnownBugs } from "./known-bugs.ts";
import { type CheckFile, readCheckFiles } from "./given-files.ts";
import { parseTrustedNamespaces } from "./trusted-namespaces.ts";
import { listTakenNames } from "./risk-names.ts";

/** The checks that a command knows: those of this build, and those of --checks. */
export type CheckSet = {
  readonly checks: readonly Check[];
  /** Why checks of --checks can't be loaded. */
  readonly faults: readonly CheckFault[];
  readonly knownBugs?: GivenList;
  /** Finds those that targets and clusters bring. */
  readonly finder: CheckFinder;
  /** Of all files; absent if there are none. */
  readonly digest?: string;
};

/** All that is known by now: what was found counts, too. */
export function listKnownChecks({ checks, finder }: CheckSet): readonly Check[] {
  return [...checks, ...finder.found()];
}

/** What a command knows once the files of --checks are read. */
export type CheckSetValues = { readonly checkSet: CheckSet };

/** What is wrong with anything that was read. */
export function listFaults({ faults, knownBugs }: CheckSet): readonly CheckFault[] {
  return [...(knownBugs?.faults ?? []), ...faults];
}

/** With a finder of its own, which remembers what it found. */
export function createBuiltInSet(options?: FinderOptions): CheckSet {
  return { checks: builtInChecks, faults: [], finder: createCheckFinder(options) };
}

type ChecksFileValues = Pick<ChecksValues, "checks">;

/** Of commands that find checks. */
export type FinderValues = Partial<Pick<ChecksValues, "checks-from">> & ConfigValues;

export function getFinderOptions({ "checks-from": from = [], config }: FinderValues): FinderOptions {
  const byOrigin = Map.groupBy(config?.checks ?? [], ({ origin }) => origin);
  const toKind = (read: string): string => formatGroupResource(parseResource(read));
  return {
    from,
    namespaces: parseTrustedNamespaces(from),
    grants: new Map(
      [...byOrigin].map(([origin, entries]) => [origin, entries.flatMap(({ reads }) => reads.map(toKind))]),
    ),
  };
}

/** Loads the checks once for a command, and says on stderr what is wrong with them. */
export async function withCheckSet<Values extends ChecksValues & FinderValues & Partial<RegistryValues>>(
  values: Values,
  io: Io,
): Promise<Values & CheckSetValues> {
  const builtIn = createBuiltInSet(getFinderOptions(values));
  const base = { ...builtIn, ...(await requireKnownBugs(builtIn.checks, values, io)) };
  const checkSet = await loadCheckSet(values, io, base);
  for (const fault of listFaults(checkSet)) io.err(`${formatFault(fault)}\n`);
  return { ...values, checkSet };
}

/** Those of --checks alone, for a command that runs no others; says on stderr what is wrong with them. */
export async function loadGivenChecks(
  values: ChecksFileValues & ConfigValues & Partial<RegistryValues>,
  io: Io,
): Promise<readonly Check[]> {
  const { checks, faults } = await loadCheckSet(values, io, createBuiltInSet());
  for (const fault of faults) io.err(`${formatFault(fault)}\n`);
  return checks.filter(({ origin }) => origin !== undefined);
}

/** Throws a UsageError for a path without checks. */
async function loadCheckSet(
  values: ChecksFileValues & ConfigValues & Partial<RegistryValues>,
  io: Io,
  base: CheckSet,
): Promise<CheckSet> {
  if (values.checks.length === 0) return base;
  const { files, absent, empty, digest } = await readCheckFiles(values, io);
  if (absent[0] !== undefined)
    throw new UsageError(`--checks ${absent[0]} does not exist: name a file with checks, or its folder`);
  if (empty[0] !== undefined) throw new UsageError(`--checks ${empty[0]} has no file *.yaml`);
  if (isBugList(files.flatMap((file) => (file.kind === "read" ? [file] : []))))
    throw new UsageError("--checks names a list of known bugs: name it with --known-bugs");
  return files.length === 0 ? base : buildCheckSet(files, joinDigests(digest, base), base, values.config?.programs);
}

/** The same for a runner, whose files may come later: `previous` is what it had before, and is kept if the files are the same. */
export async function reloadCheckSet(
  values: ChecksValues,
  io: Io,
  previous: CheckSet,
): Promise<{ readonly checkSet: CheckSet; readonly absent: readonly string[] }> {
  const { files, absent, digest: ofFiles } = await readCheckFiles(values, io);
  const list = await readKnownBugs(values, io);
  const digest = joinDigests(ofFiles, list);
  if (digest === previous.digest) return { checkSet: previous, absent };
  const builtIn = { checks: builtInChecks, faults: [], finder: previous.finder };
  const base = { ...builtIn, ...(await addKnownBugs(builtIn.checks, list, values)) };
  return { checkSet: files.length === 0 ? { ...base, digest } : await buildCheckSet(files, digest, base), absent };
}

function joinDigests(digest: string, other: { readonly digest?: string } | undefined): string {
  return other?.digest === undefined ? digest : `${digest} ${other.digest}`;
}

async function buildCheckSet(
  files: readonly CheckFile[],
  digest: string,
  base: CheckSet,
  programs?: readonly string[],
): Promise<CheckSet> {
  const texts = files.map((file) => (file.kind === "read" ? file : { name: file.name, problem: file.message }));
  const { checks, faults } = await loadChecks(texts, { kind: "site" }, listTakenNames(base.checks), { programs });
  // Warnings are for whoever writes a check, and lint says them.
  const errors = faults.filter(({ severity }) => severity === "error");
  return { ...base, checks: [...base.checks, ...checks], faults: errors, digest };
}
