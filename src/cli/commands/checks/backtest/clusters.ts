import type { Check } from "../../../../model/check.ts";
import { FailedError } from "../../../../model/errors.ts";
import type { Outcome } from "../../../../model/report.ts";
import { runCycles } from "../../../../runner/cycle.ts";
import type { CycleTarget } from "../../../../runner/updates/prepare-update.ts";
import { getReadPath } from "../../../../model/read.ts";
import type { ReadStats } from "../../../../runner/gather/gather.ts";
import { getReads } from "../../../checks/cluster-role.ts";
import type { Io } from "../../../io/io.ts";
import { LIMITS, type OpenCluster, openCaseCluster, openOtherCluster } from "../case-cluster.ts";
import type { RecordedCluster } from "./recordings.ts";
import type { ClusterVerdict } from "./tally.ts";

/** Throws a FailedError if it can't be read. */
export async function openRecording({ kind, path }: RecordedCluster, io: Io): Promise<OpenCluster> {
  if (kind === "case") return openCaseCluster(path);
  return openOtherCluster({ kubeconfig: undefined, context: undefined, [kind]: path }, io);
}

/** What each check says. Throws a FailedError if the cluster can't be judged. */
export async function judgeRecording(
  { reader, observedAt, target: own }: OpenCluster,
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
