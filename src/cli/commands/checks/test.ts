import { join, dirname } from "node:path";
import { listCaseFiles } from "../../../cases/case-files.ts";
import { listMissingPrefixes } from "../../../cases/expectation.ts";
import { CLUSTER_VERSION } from "../../../cases/cluster.ts";
import { checks as builtIn } from "../../../checks/index.ts";
import type { Check } from "../../../model/check.ts";
import { formatCount, formatDidYouMean } from "../../../model/text.ts";
import { UsageError, FailedError } from "../../../model/errors.ts";
import { getReadPath } from "../../../model/read.ts";
import { getReads } from "../../checks/cluster-role.ts";
import type { Io } from "../../io/io.ts";
import { printResult } from "../../session/result.ts";
import { type CaseResult, runCaseFile } from "./case-results.ts";
import type { TestChecksValues } from "./definition.ts";
import { type FolderResult, testFormats } from "./fault-formats.ts";
import { findUndecided } from "./undecided.ts";
import type { CheckText, CheckFault } from "../../../data-checks/format/fault.ts";
import { loadChecks } from "../../../data-checks/load.ts";
import { readCheckTexts } from "./check-texts.ts";

/** Runs the cases of every check below the folder. */
export async function run({ folder, update, only, output }: TestChecksValues, io: Io): Promise<0 | 3> {
  const folders = await readCheckFolders(folder);
  const others = [...builtIn, ...folders.map(({ check }) => check)];
  requireCases(only, folders);
  const results: FolderResult[] = [];
  for (const one of folders) {
    if (io.isErrTerminal) io.progress(`Testing ${one.check.id}`);
    results.push(await runFolder(one, others, { mayUpdate: update, only }));
  }
  if (io.isErrTerminal) io.progress("");
  await printResult(output, (name) => testFormats[name](results), io);
  io.err(formatSummary(results));
  return results.every(isFine) ? 0 : 3;
}

type Choice = { readonly mayUpdate: boolean; readonly only: readonly string[] };

async function runFolder(one: CheckFolder, others: readonly Check[], choice: Choice): Promise<FolderResult> {
  const { check, text, faults } = one;
  if (faults.some(({ severity }) => severity === "error")) return { check: one, cases: [], missing: [], undecided: [] };
  const cases: CaseResult[] = [];
  for (const file of listCases(one).filter(({ name }) => isChosen(name, choice.only)))
    cases.push(await runCaseFile(file, others, choice.mayUpdate));
  if (choice.only.length > 0) return { check: one, cases, missing: [], undecided: [] };
  const isSettled = cases.every(isPassed);
  const undecided = isSettled ? await findUndecided(text, cases, others) : [];
  return { check: one, cases, missing: listMissing(check, cases), undecided };
}

function listCases({ folder, check }: CheckFolder) {
  return listCaseFiles(join(folder, "cases"), check);
}

function isChosen(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.includes(name);
}

function requireCases(only: readonly string[], folders: readonly CheckFolder[]): void {
  const names = folders.flatMap((one) => listCases(one).map(({ name }) => name));
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`no case is called "${unknown}"${formatDidYouMean(unknown, names)}`);
}

function listMissing(check: Check, cases: readonly CaseResult[]): readonly string[] {
  const names = cases.map(({ name }) => name);
  const reported = new Set(cases.flatMap(({ risks }) => risks));
  // Without ClusterVersion, no check runs.
  const canFail = getReads(check).some((read) => getReadPath(read) !== CLUSTER_VERSION);
  const isForbiddenTried = !canFail || cases.some(({ isForbidden }) => isForbidden);
  return [
    ...listMissingPrefixes(check, names).map((prefix) => `no case is called ${prefix}WHY`),
    ...check.risks.filter(({ name }) => !reported.has(name)).map(({ name }) => `no case reports the risk ${name}`),
    ...(isForbiddenTried ? [] : ["no case has a read that is forbidden ({error: 403 forbidden} at its path)"]),
  ];
}

function isPassed({ state }: CaseResult): boolean {
  return state === "equal" || state === "updated";
}

function isFine({ check, cases, missing }: FolderResult): boolean {
  const hasError = check.faults.some(({ severity }) => severity === "error");
  return !hasError && missing.length === 0 && cases.every(isPassed);
}

function formatSummary(results: readonly FolderResult[]): string {
  const cases = results.flatMap((result) => result.cases);
  const failed = cases.filter((one) => !isPassed(one));
  const missing = results.flatMap((result) => result.missing);
  const undecided = results.flatMap((result) => result.undecided);
  const more = [
    ...(missing.length > 0 ? [`${missing.length} missing`] : []),
    ...(undecided.length > 0 ? [`${formatCount(undecided.length, "part")} of expressions that no case decides`] : []),
  ];
  return `${[`${cases.length - failed.length} of ${formatCount(cases.length, "case")} passed`, ...more].join(", ")}.\n`;
}

/** A check in a folder of its own. Names are as the file has them, so that its cases stay true wherever it is from. */
export type CheckFolder = {
  readonly folder: string;
  readonly text: CheckText;
  readonly check: Check;
  readonly faults: readonly CheckFault[];
};

export async function readCheckFolders(path: string): Promise<readonly CheckFolder[]> {
  const byFolder = Map.groupBy(await readCheckTexts([path]), ({ name }) => dirname(name));
  return Promise.all([...byFolder].map(([folder, texts]) => loadFolder(folder, texts)));
}

async function loadFolder(folder: string, texts: readonly CheckText[]): Promise<CheckFolder> {
  const { checks, faults } = await loadChecks(texts, { kind: "embedded" }, new Set());
  const [text] = texts;
  const [check] = checks;
  if (text !== undefined && check !== undefined && checks.length === 1) return { folder, text, check, faults };
  throw new FailedError(
    `${folder} has ${checks.length} checks: cases/ belongs to the one check beside it, so give each a folder of its own`,
  );
}
