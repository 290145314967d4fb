import { EMBEDDED_LIST } from "../../checks/known-bugs/bug-data.ts";
import { buildKnownBugsCheck } from "../../checks/known-bugs/check.ts";
import type { BugList } from "../../checks/known-bugs/known-bug.ts";
import { type CheckText, type CheckFault, formatFault } from "../../data-checks/format/fault.ts";
import type { Check } from "../../model/check.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import { describeLaterPreflight, isLaterPreflight } from "../../model/program-version.ts";
import type { Io } from "../io/io.ts";
import { hash } from "node:crypto";
import { join } from "node:path";
import { checks } from "../../checks/index.ts";
import { loadBugList } from "../../checks/known-bugs/load-list.ts";
import { isRegularFile } from "../../files/named-file.ts";
import { readYamlFiles } from "../../files/yaml-files.ts";
import { KNOWN_BUGS_FOLDER, getCheckFileName } from "../../model/check-origin.ts";
import type { RegistryValues } from "../settings/release-settings.ts";
import type { ChecksValues } from "../settings/judging-settings.ts";
import { isInRegistry, readArtefactTexts } from "./given-files.ts";
import { listTakenNames } from "./risk-names.ts";

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

type KnownBugsValues = Pick<ChecksValues, "known-bugs" | "known-bugs-older"> & Partial<RegistryValues>;

/** The files that --known-bugs names. `digest`: of an artefact its own, which may be signed, and otherwise of all texts. */
type ListFiles = {
  readonly place: string;
  readonly texts: readonly CheckText[];
  readonly digest: string;
  readonly isArtefact: boolean;
  /** Why they can't be read. */
  readonly problem?: string;
};

const ARCHIVE = "known-bugs.tar";
const LIMITS = { maxBytes: 1 << 20, maxFiles: 1_000, leaveOut: "cases" };

/** Undefined for the folder of a ConfigMap that there is not: a pod names it in any case. */
async function readListFiles(place: string, values: KnownBugsValues, io: Io): Promise<ListFiles | undefined> {
  try {
    const artefact = await readArtefactTexts("--known-bugs", await findArchive(place), values, io);
    const { requires } = artefact ?? {};
    if (requires !== undefined && isLaterPreflight(requires))
      return buildUnread(place, `can't be used: ${describeLaterPreflight(requires)}`);
    const files = artefact?.files ?? (await readYamlFiles(place, LIMITS));
    if (place === KNOWN_BUGS_FOLDER && (files ?? []).length === 0) return undefined;
    if (files === undefined) return buildUnread(place, "does not exist");
    const unread = files.find((file) => file.kind === "unread");
    if (unread !== undefined) return buildUnread(place, `can't be read: ${unread.name}: ${unread.message}`);
    if (files.length === 0) return buildUnread(place, "has no file *.yaml");
    const texts = files.flatMap((file) =>
      file.kind === "read" ? [{ name: getCheckFileName(file.name), text: file.text }] : [],
    );
    return { place, texts, digest: artefact?.digest ?? getDigest(texts), isArtefact: artefact !== undefined };
  } catch (thrown) {
    if (thrown instanceof FailedError) return buildUnread(place, thrown.message);
    throw thrown;
  }
}

/** Of one file that of its text. */
function getDigest(texts: readonly CheckText[]): string {
  const [first, ...more] = texts.map(({ text }) => text);
  return `sha256:${hash("sha256", first !== undefined && more.length === 0 ? first : JSON.stringify([first, ...more]))}`;
}

/** The archive of a ConfigMap, whose keys are the names of files. */
async function findArchive(place: string): Promise<string> {
  const archive = join(place, ARCHIVE);
  return (await isRegularFile(archive)) ? archive : place;
}

function buildUnread(place: string, problem: string): ListFiles {
  return { place, texts: [], digest: problem, isArtefact: false, problem };
}

/** The list that the check has, in place of that of this build. */
export type GivenList = {
  readonly list: BugList;
  /** Why some of its entries can't be evaluated. */
  readonly faults: readonly CheckFault[];
  /** Of an artefact: what a signature signs. */
  readonly signed?: { readonly digest: string; readonly isInRegistry: boolean };
};

/** A list with faults in some of its entries can be used. `message`: a sentence without its end, which begins with the flag. */
type LoadedFiles =
  | { readonly kind: "list"; readonly given: GivenList }
  | { readonly kind: "older" | "unusable"; readonly message: string; readonly faults: readonly CheckFault[] };

async function loadListFiles(
  { place, texts, digest, isArtefact, problem }: ListFiles,
  mayBeOlder: boolean,
): Promise<LoadedFiles> {
  const refuse = (kind: "older" | "unusable", why: string, faults: readonly CheckFault[] = []): LoadedFiles => ({
    kind,
    message: `--known-bugs ${place} ${why}`,
    faults,
  });
  if (problem !== undefined) return refuse("unusable", problem);
  const { list, faults } = await loadBugList(texts, { taken: listOtherNames() });
  if (list === undefined) return refuse("unusable", "is no list of known bugs", faults);
  const { date } = list.head;
  const ownDate = EMBEDDED_LIST.head.date;
  if (date < ownDate && !mayBeOlder)
    return refuse(
      "older",
      `is of ${date}, older than the built-in list of ${ownDate}: leave it out, or add --known-bugs-older`,
    );
  // That of several files is nothing that anybody else can compute.
  const known = isArtefact || texts.length === 1 ? { digest } : {};
  const given = { list: { ...list, place: { file: getCheckFileName(place), ...known } }, faults };
  return {
    kind: "list",
    given: isArtefact ? { ...given, signed: { digest, isInRegistry: isInRegistry(place) } } : given,
  };
}

/** The names of all checks but the one whose entries the list replaces. */
export function listOtherNames(): ReadonlySet<string> {
  return listTakenNames(checks.filter(({ id }) => id !== "known-bugs"));
}
