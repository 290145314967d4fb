import { loadChecks } from "../../../data-checks/load.ts";
import type { Check } from "../../../model/check.ts";
import { FailedError, UsageError, formatError, failWith } from "../../../model/errors.ts";
import type { CycleTarget } from "../../../runner/updates/update.ts";
import type { Io } from "../../io/io.ts";
import { buildFailedError } from "../../session/session.ts";
import { printResult } from "../../session/result.ts";
import { findRecordingKind, isArchiveFile, type RecordingKind } from "../../client/recordings.ts";
import { parseTargetOptions, readTarget, requireValidVersion } from "../../target-release/target.ts";
import { readCheckTexts, printErrors } from "./check-texts.ts";
import type { BacktestValues, BacktestReport, ClusterVerdict } from "./backtest-definition.ts";
import { backtestFormats, buildTally, isOverShare } from "./backtest-definition.ts";
import { type OpenedCase, buildNextTarget, LIMITS, openCaseCluster, openOtherCluster } from "./case-cluster.ts";
import type { Outcome } from "../../../model/report.ts";
import { runCycles } from "../../../runner/cycle.ts";
import { getReadPath } from "../../../model/read.ts";
import type { ReadStats } from "../../../runner/gather/gather.ts";
import { getReads } from "../../checks/cluster-role.ts";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isBaseFile } from "../../../cases/case-files.ts";
import { RECORDING_FILE } from "../../../cluster/recorded/recorded-reader.ts";
import { readEntries } from "../../../files/named-folder.ts";
import { compareText } from "../../../model/json.ts";

/** Runs the checks over each recorded cluster, one after the other. */
export async function run(values: BacktestValues, io: Io): Promise<0 | 3 | 4> {
  const maxRisk = parsePercent("max-risk", values["max-risk"] ?? "100%");
  const maxUnknown = parsePercent("max-unknown", values["max-unknown"]);
  const checks = await loadSoundChecks(values.checks, io);
  if (checks === undefined) return 3;
  const recordings = await findRecordings(values.recordings);
  const report = await judgeAll(checks, recordings, await createTargets(values), io);
  await printResult(values.output, (name) => backtestFormats[name](report), io);
  if (report.unread.length === recordings.length) throw new FailedError("no cluster could be judged: see why above");
  if (report.checks.some((tally) => isOverShare(tally, "risk", maxRisk))) return 3;
  const isUnknown = report.checks.some((tally) => isOverShare(tally, "unknown", maxUnknown));
  return isUnknown || report.unread.length > 0 ? 4 : 0;
}

function parsePercent(flag: string, text: string): number {
  const percent = Number(text.replace(/%$/, "") || Number.NaN);
  if (percent >= 0 && percent <= 100) return percent;
  throw new UsageError(`--${flag} "${text}" is not a share such as 5%`);
}

async function loadSoundChecks(path: string, io: Io): Promise<readonly Check[] | undefined> {
  const { checks, faults } = await loadChecks(await readCheckTexts([path]), { kind: "embedded" }, new Set());
  return printErrors(faults, io) ? undefined : checks;
}

/** The target of --target or --target-version for all, or the update that each check is about. */
async function createTargets(values: BacktestValues): Promise<(check: Check) => CycleTarget> {
  const options = requireValidVersion(parseTargetOptions(values));
  if (options.version === undefined && options.folders.length === 0) {
    const targets = new Map<string, CycleTarget>();
    return (check) => {
      const key = JSON.stringify(check.applies);
      const target = targets.get(key) ?? buildNextTarget(check);
      targets.set(key, target);
      return target;
    };
  }
  const target = await readTarget(options);
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  return () => target;
}

async function judgeAll(
  checks: readonly Check[],
  recordings: readonly RecordedCluster[],
  getTarget: (check: Check) => CycleTarget,
  io: Io,
): Promise<BacktestReport> {
  const verdicts: Map<Check, ClusterVerdict[]> = new Map();
  const unread: { name: string; message: string }[] = [];
  for (const [i, recording] of recordings.entries()) {
    if (io.isErrTerminal) io.progress(`Judging cluster ${i + 1} of ${recordings.length}`);
    const result = await judgeOne(recording, checks, getTarget, io);
    if (io.stopSignal.aborted) throw buildFailedError("stopped", io);
    if (typeof result === "string") unread.push({ name: recording.path, message: result });
    else for (const [check, verdict] of result) verdicts.set(check, [...(verdicts.get(check) ?? []), verdict]);
  }
  if (io.isErrTerminal) io.progress("");
  const tallies = checks.map((check) => buildTally(check.id, check.title, verdicts.get(check) ?? []));
  return { clusters: recordings.length - unread.length, unread, checks: tallies };
}

/** Or why the cluster can't be judged. */
async function judgeOne(
  recording: RecordedCluster,
  checks: readonly Check[],
  getTarget: (check: Check) => CycleTarget,
  io: Io,
): Promise<string | readonly (readonly [Check, ClusterVerdict])[]> {
  try {
    const open = await openRecording(recording, io);
    try {
      const verdicts = await judgeRecording(open, checks, getTarget, io);
      return checks.flatMap((check, i) => {
        const verdict = verdicts[i];
        return verdict === undefined ? [] : [[check, verdict] as const];
      });
    } finally {
      open.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    return formatError(thrown);
  }
}

/** Throws a FailedError if it can't be read. */
async function openRecording({ kind, path }: RecordedCluster, io: Io): Promise<OpenedCase> {
  if (kind === "case") return openCaseCluster(path);
  return openOtherCluster({ kubeconfig: undefined, context: undefined, [kind]: path }, io);
}

/** What each check says. Throws a FailedError if the cluster can't be judged. */
async function judgeRecording(
  { reader, observedAt, target: own }: OpenedCase,
  checks: readonly Check[],
  getTarget: (check: Check) => CycleTarget,
  io: Io,
): Promise<readonly ClusterVerdict[]> {
  const targets = checks.map((check) => own ?? getTarget(check));
  const distinct = [...new Set(targets)];
  const read = new Map<string, ReadStats>();
  const results = await runCycles({
    selection: { checks },
    reader,
    targets: distinct,
    now: observedAt,
    signal: io.stopSignal,
    limits: LIMITS,
    progress: { onRead: (stats) => void read.set(stats.path, stats) },
  });
  return checks.map((check, i) => {
    const result = results[distinct.findIndex((target) => target === targets[i])];
    if (result === undefined || result.kind === "failed") throw new FailedError(result?.failure.message ?? "no result");
    return { outcome: findOutcome(result.report.checks, check), objects: countObjects(check, read) };
  });
}

function findOutcome(reports: readonly { readonly id: string; readonly outcome: Outcome }[], { id }: Check): Outcome {
  const report = reports.find((one) => one.id === id);
  if (report === undefined) throw new Error(`${id} did not run`);
  return report.outcome;
}

function countObjects(check: Check, read: ReadonlyMap<string, ReadStats>): number {
  const paths = new Set(getReads(check).map(getReadPath));
  return [...paths].reduce((sum, path) => sum + (read.get(path)?.objects ?? 0), 0);
}

/** A recorded cluster by what holds it. */
type RecordedCluster = { readonly kind: RecordingKind | "case"; readonly path: string };

const CASE_FILE = "case.yaml";

/** The recorded clusters that the paths name, or that are below them; sorted within a path. */
export async function findRecordings(paths: readonly string[]): Promise<readonly RecordedCluster[]> {
  const found: RecordedCluster[] = [];
  for (const path of paths) {
    const below = await findBelow(path);
    if (below.length === 0)
      throw new UsageError(
        `${path} has no recorded cluster: name a folder of 'preflight record', a must-gather or cases`,
      );
    found.push(...below);
  }
  return [...new Map(found.map((one) => [one.path, one])).values()];
}

async function findBelow(path: string): Promise<readonly RecordedCluster[]> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined)
    throw new UsageError(`${path} does not exist: name a folder of 'preflight record', a must-gather or cases`);
  if (!stats.isDirectory()) return classifyFile(path, true);
  return findInFolder(path);
}

/** A file that was not named is a case in a folder of cases only. */
function classifyFile(path: string, isNamed: boolean): readonly RecordedCluster[] {
  if (isArchiveFile(path)) return [{ kind: "must-gather", path }];
  if (path.endsWith(".yaml")) return isNamed || isCaseFile(path) ? [{ kind: "case", path }] : [];
  return isNamed ? [{ kind: "recorded", path }] : [];
}

function isCaseFile(path: string): boolean {
  return basename(join(path, "..")) === "cases" && !isBaseFile(basename(path));
}

async function findInFolder(folder: string): Promise<readonly RecordedCluster[]> {
  const entries = await readEntries(folder).catch(failWith(`${folder} can't be read`));
  const names = new Set(entries.map(({ name }) => name));
  if (names.has(RECORDING_FILE) && names.has(CASE_FILE)) return [{ kind: "case", path: join(folder, CASE_FILE) }];
  const kind = await findRecordingKind(folder, entries);
  if (kind !== undefined) return [{ kind, path: folder }];
  const found: RecordedCluster[] = [];
  for (const entry of entries.toSorted((a, b) => compareText(a.name, b.name))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) found.push(...(await findInFolder(path)));
    else if (entry.isFile()) found.push(...classifyFile(path, false));
  }
  return found;
}
