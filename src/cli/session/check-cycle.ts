import type { ClusterOrigin } from "../../format/view/view.ts";
import type { CheckAcceptance } from "../../model/acceptance.ts";
import type { Check } from "../../model/check.ts";
import { defined } from "../../model/optional.ts";
import type { CycleResult } from "../../model/report.ts";
import type { TargetOffer } from "../../model/route.ts";
import { runCycle } from "../../runner/cycle.ts";
import type { LeftOutCheck } from "../../runner/left-out.ts";
import { type ClusterSession, openCluster } from "../client/connection.ts";
import type { CheckValues } from "../commands/check/definition.ts";
import { addGraphOffer } from "../target/target-offer.ts";
import { acceptLeftOut } from "../checks/check-selection.ts";
import { readChecksAndTarget } from "../target/checks-and-target.ts";
import { namesRelease, readNamedRelease } from "../target/named-release.ts";
import { type ReadLimits, parseReadLimits } from "../settings/read-limits.ts";
import { type TargetWithWarnings, printWarnings } from "../target/target.ts";
import type { Io } from "../io/io.ts";
import { createProgress } from "./progress.ts";

/** How a cycle ended, where its objects were read, and how the target is offered; absent if the cluster was not opened, or no update graph was read. */
export type CheckedCycle = {
  readonly result: CycleResult;
  readonly origin?: ClusterOrigin;
  readonly offer?: TargetOffer;
};

/** Reads the target, then the cluster, and runs the checks once. */
export async function runCheckCycle(
  values: CheckValues,
  acceptances: readonly CheckAcceptance[],
  io: Io,
): Promise<CheckedCycle> {
  const readLimits = parseReadLimits(values);
  if (namesRelease(values))
    return withCluster(values, io, async (cluster) => {
      const { offer, ...given } = await readNamedRelease(values, cluster, io);
      printWarnings(given.target, io);
      const judged = { ...given, leftOut: acceptLeftOut(given.leftOut, acceptances), cluster, readLimits };
      return { result: await judgeTarget(judged, values, io), ...defined({ offer }) };
    });
  const given = await readChecksAndTarget(values);
  const { target } = given;
  const leftOut = acceptLeftOut(given.leftOut, acceptances);
  printWarnings(target, io);
  if (target.kind === "failed") return { result: { kind: "failed", failure: target.failure, observedAt: io.now() } };
  return withCluster(values, io, async (cluster) => {
    const { offer, ...offered } = await addGraphOffer(given, values, cluster, io);
    const judged = { ...offered, leftOut, cluster, readLimits };
    return { result: await judgeTarget(judged, values, io), ...defined({ offer }) };
  });
}

async function withCluster(
  values: CheckValues,
  io: Io,
  use: (cluster: ClusterSession) => Promise<CheckedCycle>,
): Promise<CheckedCycle> {
  const cluster = await openCluster(values, io);
  try {
    return { ...(await use(cluster)), origin: cluster.origin };
  } finally {
    cluster.close();
  }
}

type Judged = {
  readonly checks: readonly Check[];
  readonly leftOut?: readonly LeftOutCheck[];
  readonly target: TargetWithWarnings;
  readonly cluster: Pick<ClusterSession, "reader" | "observedAt">;
  readonly readLimits: ReadLimits;
};

export async function judgeTarget(
  { checks, leftOut = [], target, cluster, readLimits }: Judged,
  values: Pick<CheckValues, "verbose" | "lifted">,
  io: Io,
): Promise<CycleResult> {
  if (target.kind === "failed") return { kind: "failed", failure: target.failure, observedAt: io.now() };
  const progress = createProgress(io, values.verbose);
  try {
    return await runCycle({
      checks,
      leftOut,
      reader: cluster.reader,
      target,
      now: cluster.observedAt ?? io.now(),
      signal: io.stopSignal,
      ...readLimits,
      operatorRisks: values.lifted,
      onRead: progress.onRead,
    });
  } finally {
    progress.done();
  }
}
