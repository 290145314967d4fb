import type { ClusterOrigin } from "../format/view.ts";
import type { Check } from "../model/check.ts";
import { UsageError } from "../model/errors.ts";
import type { CycleResult } from "../model/report.ts";
import { runCycle } from "../runner/cycle.ts";
import { type ClusterSession, openCluster } from "./client/connection.ts";
import type { CheckValues } from "./definitions/check.ts";
import { parseChecks } from "./inputs/check-selection.ts";
import { readChecksAndTarget } from "./inputs/checks-and-target.ts";
import { readImageTarget } from "./inputs/image-target.ts";
import { type ReadLimits, parseReadLimits } from "./inputs/read-limits.ts";
import type { TargetWithWarnings } from "./inputs/target.ts";
import type { Io } from "./io.ts";
import { createProgress } from "./progress.ts";
import { toLine } from "./terminal-text.ts";

/** How a cycle ended, and where its objects were read; absent if the cluster was not opened. */
export type CheckedCycle = { readonly result: CycleResult; readonly origin?: ClusterOrigin };

/** Reads the target, then the cluster, and runs the checks once. */
export async function runCheckCycle(values: CheckValues, io: Io): Promise<CheckedCycle> {
  const readLimits = parseReadLimits(values);
  const image = values["to-image"];
  if (image !== undefined) return checkImage(image, values, readLimits, io);
  const { checks, target } = await readChecksAndTarget(values);
  printWarnings(target, io);
  if (target.kind === "failed") return { result: { kind: "failed", failure: target.failure, observedAt: io.now() } };
  return withCluster(values, io, (cluster) => judgeTarget({ checks, target, cluster, readLimits }, values, io));
}

/** The image may have to come from a mirror that the cluster names, so the cluster is opened first. */
async function checkImage(image: string, values: CheckValues, readLimits: ReadLimits, io: Io): Promise<CheckedCycle> {
  const conflicting = IMAGE_CONFLICTS.find((flag) => values[flag] !== undefined);
  if (conflicting !== undefined) throw new UsageError(`--to-image names the target release: remove --${conflicting}`);
  const checks = parseChecks(values);
  return withCluster(values, io, async (cluster) => {
    const target = await readImageTarget(image, values, cluster, io);
    printWarnings(target, io);
    return judgeTarget({ checks, target, cluster, readLimits }, values, io);
  });
}

const IMAGE_CONFLICTS = ["target", "target-version", "release-image", "crds"] as const;

function printWarnings({ warnings = [] }: TargetWithWarnings, io: Io): void {
  for (const why of warnings) io.err(`preflight: skipped: ${toLine(why)}\n`);
}

async function withCluster(
  values: CheckValues,
  io: Io,
  use: (cluster: ClusterSession) => Promise<CycleResult>,
): Promise<CheckedCycle> {
  const cluster = await openCluster(values, io);
  try {
    return { result: await use(cluster), origin: cluster.origin };
  } finally {
    cluster.close();
  }
}

type Judged = {
  readonly checks: readonly Check[];
  readonly target: TargetWithWarnings;
  readonly cluster: ClusterSession;
  readonly readLimits: ReadLimits;
};

async function judgeTarget(
  { checks, target, cluster, readLimits }: Judged,
  values: CheckValues,
  io: Io,
): Promise<CycleResult> {
  if (target.kind === "failed") return { kind: "failed", failure: target.failure, observedAt: io.now() };
  const progress = createProgress(io);
  try {
    return await runCycle({
      checks,
      reader: cluster.reader,
      target,
      now: io.now(),
      signal: io.stopSignal,
      ...readLimits,
      operatorRisks: values.lifted,
      onRead: progress.onRead,
    });
  } finally {
    progress.done();
  }
}
