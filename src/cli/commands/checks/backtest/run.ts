import { loadChecks } from "../../../../data-checks/load.ts";
import type { Check } from "../../../../model/check.ts";
import { FailedError, UsageError, formatError } from "../../../../model/errors.ts";
import type { CycleTarget } from "../../../../runner/updates/prepare-update.ts";
import type { Io } from "../../../io/io.ts";
import { buildFailedError } from "../../../session/session.ts";
import { printResult } from "../../../session/print.ts";
import { parseTargetOptions, readTarget, requireValidVersion } from "../../../target-release/target.ts";
import { readCheckTexts } from "../check-files.ts";
import { printErrors } from "../judged-texts.ts";
import { judgeRecording, openRecording } from "./clusters.ts";
import type { BacktestValues } from "./definition.ts";
import { backtestFormats, type BacktestReport } from "./formats.ts";
import { findRecordings, type RecordedCluster } from "./recordings.ts";
import { type ClusterVerdict, buildTally, isOverShare } from "./tally.ts";
import { buildNextTarget } from "../next-target.ts";

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
