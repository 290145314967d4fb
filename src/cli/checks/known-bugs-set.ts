import { EMBEDDED_LIST } from "../../checks/known-bugs/bug-data.ts";
import { buildKnownBugsCheck } from "../../checks/known-bugs/check.ts";
import type { BugList } from "../../checks/known-bugs/known-bug.ts";
import { formatFault } from "../../data-checks/fault.ts";
import type { Check } from "../../model/check.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import type { Io } from "../io/io.ts";
import {
  type GivenList,
  type KnownBugsValues,
  type ListFiles,
  loadListFiles,
  readListFiles,
} from "./known-bugs-list.ts";

/** Checks with the list of --known-bugs. `digest`: of its files. */
type ListedChecks = {
  readonly checks: readonly Check[];
  readonly knownBugs?: GivenList;
  readonly digest?: string;
};

const LIST = /^\s*["']?kind["']?\s*:\s*["']?KnownBugs\b/m;

/** Texts are a list of known bugs if one of their documents says so. */
export function isBugList(texts: readonly { readonly text: string }[]): boolean {
  return texts.some(({ text }) => LIST.test(text));
}

export async function readKnownBugs(values: KnownBugsValues, io: Io): Promise<ListFiles | undefined> {
  const place = values["known-bugs"];
  return place === undefined ? undefined : readListFiles(place, values, io);
}

/** A list that can't be used is an error; entries that can't are not. */
export async function requireKnownBugs(
  checks: readonly Check[],
  values: KnownBugsValues,
  io: Io,
): Promise<ListedChecks> {
  const files = await readKnownBugs(values, io);
  if (files === undefined) return { checks };
  const loaded = await loadListFiles(files, values["known-bugs-older"]);
  if (loaded.kind === "list") return { ...replaceList(checks, loaded.given), digest: files.digest };
  for (const fault of loaded.faults) io.err(`${formatFault(fault)}\n`);
  throw loaded.kind === "older" ? new UsageError(loaded.message) : new FailedError(loaded.message);
}

/** For a runner, which goes on with its own list, and says so in each result. */
export async function addKnownBugs(
  checks: readonly Check[],
  files: ListFiles | undefined,
  values: KnownBugsValues,
): Promise<ListedChecks> {
  if (files === undefined) return { checks };
  const loaded = await loadListFiles(files, values["known-bugs-older"]);
  if (loaded.kind === "list") return replaceList(checks, loaded.given);
  const { kind, message, faults } = loaded;
  return replaceList(checks, { list: { ...EMBEDDED_LIST, unused: { kind, place: files.place, message } }, faults });
}

function replaceList(checks: readonly Check[], knownBugs: GivenList): ListedChecks {
  return { checks: replaceKnownBugs(checks, knownBugs.list), knownBugs };
}

/** The checks with another list of known bugs. */
export function replaceKnownBugs(checks: readonly Check[], list: BugList): readonly Check[] {
  return checks.map((check) => (check.id === "known-bugs" ? buildKnownBugsCheck(list) : check));
}
