import type { Check } from "../../../model/check.ts";
import { FailedError } from "../../../model/errors.ts";
import { defined } from "../../../model/optional.ts";
import { parseTargetVersion, getPlatform } from "../../../model/target-version.ts";
import type { CycleResult } from "../../../model/report.ts";
import { runCycle, type CycleTarget } from "../../../runner/cycle.ts";
import type { LeftOutCheck } from "../../../runner/left-out.ts";
import { type ClusterSession, openCluster } from "../../client/connection.ts";
import type { RunValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";
import type { Logger } from "../../../model/logger.ts";
import type { ReadStats } from "../../../runner/gather.ts";
import type { Version } from "../../../model/version.ts";
import type { ReadLimits } from "../../settings/read-limits.ts";
import { parseTargetOptions, readTarget } from "../../target/target.ts";

/** Folders of a release image that hold the target's manifests. */
const CONTAINER_FOLDERS = ["/release-manifests", "/manifests"];

export type CycleRunnerInput = {
  readonly values: RunValues;
  readonly io: Io;
  readonly checks: readonly Check[];
  readonly leftOut: readonly LeftOutCheck[];
  readonly readLimits: ReadLimits;
  readonly onRead: (stats: ReadStats) => void;
  readonly log: Logger;
};

export type CycleRunner = {
  readonly cycle: (signal: AbortSignal) => Promise<CycleResult>;
  /** The target's version, if it is known. */
  readonly target: () => Version | undefined;
  readonly close: () => void;
};

/** The runner's cycles. Reads the target and opens the cluster once; if one fails, the next cycle tries again. */
export async function createCycleRunner(input: CycleRunnerInput): Promise<CycleRunner> {
  let target = await readTargetAndWarn(input);
  let cluster: ClusterSession | undefined;
  const cycle = async (signal: AbortSignal): Promise<CycleResult> => {
    const now = input.io.now();
    if (target.kind === "failed") target = await readTargetAndWarn(input);
    const openResult = cluster ?? (await tryOpenCluster(input));
    if ("message" in openResult) return buildOpenFailure(openResult.message, now, target);
    cluster = openResult;
    const { checks, leftOut, readLimits, onRead } = input;
    const operatorRisks = input.values.lifted;
    return runCycle({
      checks,
      leftOut,
      reader: cluster.reader,
      target,
      now: cluster.observedAt ?? now,
      signal,
      ...readLimits,
      operatorRisks,
      onRead,
    });
  };
  return { cycle, target: () => target.version, close: () => cluster?.close() };
}

async function readTargetAndWarn({ values, log }: CycleRunnerInput): Promise<CycleTarget> {
  const target = await readTarget(parseTargetOptions(values, selectDefaultFolders(values["target-version"])));
  for (const why of target.warnings ?? []) log.warn("a file of the target was skipped", { why });
  return target;
}

/** Kubernetes has no release image. */
function selectDefaultFolders(version: string | undefined): readonly string[] {
  const targetVersion = parseTargetVersion(version ?? "");
  return targetVersion !== undefined && getPlatform(targetVersion.version) === "kubernetes" ? [] : CONTAINER_FOLDERS;
}

async function tryOpenCluster({
  values,
  io,
  log,
}: CycleRunnerInput): Promise<ClusterSession | { readonly message: string }> {
  try {
    return await openCluster(values, io, log.warn);
  } catch (thrown) {
    if (thrown instanceof FailedError) return { message: thrown.message };
    throw thrown;
  }
}

function buildOpenFailure(message: string, observedAt: Date, target: CycleTarget): CycleResult {
  const failure = { reason: "KubeconfigUnreadable", message } as const;
  return { kind: "failed", failure, observedAt, ...defined({ target: target.version }) };
}
