import { defined } from "../../../model/optional.ts";
import type { Logger } from "../../../model/logger.ts";
import type { CycleResult } from "../../../model/report.ts";
import { getPlatform, parseTargetVersion } from "../../../model/target-version.ts";
import type { Version } from "../../../model/version.ts";
import { type CycleTarget, runCycle } from "../../../runner/cycle.ts";
import type { ReadStats } from "../../../runner/gather.ts";
import { parseChecks } from "../../checks/check-selection.ts";
import type { ClusterSession } from "../../client/connection.ts";
import { parseTargetOptions, readTarget } from "../../target/target.ts";
import type { Io } from "../../io/io.ts";
import { buildCycle, tryOpenCluster } from "../../session/session.ts";
import type { RunValues } from "./definition.ts";

/** Folders of a release image that hold the target's manifests. */
const CONTAINER_FOLDERS = ["/release-manifests", "/manifests"];

export type CycleRunner = {
  readonly cycle: (signal: AbortSignal) => Promise<CycleResult>;
  /** The target's version, if it is known. */
  readonly target: () => Version | undefined;
  readonly close: () => void;
};

/** The runner's cycles. Reads the target and opens the cluster once; if one fails, the next cycle tries again. */
export async function createCycleRunner(
  values: RunValues,
  io: Io,
  log: Logger,
  onRead: (stats: ReadStats) => void,
): Promise<CycleRunner> {
  const selection = parseChecks(values);
  let target = await readTargetAndWarn(values, log);
  let session: ClusterSession<RunValues> | undefined;
  const cycle = async (): Promise<CycleResult> => {
    const observedAt = io.now();
    if (target.kind === "failed") target = await readTargetAndWarn(values, log);
    const opened = session ?? (await tryOpenCluster(values, io, log.warn));
    if ("kind" in opened) return { ...opened, observedAt, ...defined({ target: target.version }) };
    session = opened;
    return runCycle({ ...buildCycle({ observedAt, ...session }, selection, onRead), target });
  };
  return { cycle, target: () => target.version, close: () => session?.close() };
}

async function readTargetAndWarn(values: RunValues, log: Logger): Promise<CycleTarget> {
  const target = await readTarget(parseTargetOptions(values, selectDefaultFolders(values["target-version"])));
  for (const why of target.warnings ?? []) log.warn("a file of the target was skipped", { why });
  return target;
}

/** Kubernetes has no release image. */
function selectDefaultFolders(version: string | undefined): readonly string[] {
  const targetVersion = parseTargetVersion(version ?? "");
  return targetVersion !== undefined && getPlatform(targetVersion.version) === "kubernetes" ? [] : CONTAINER_FOLDERS;
}
