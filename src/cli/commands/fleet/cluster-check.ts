import { buildDocument } from "../../../format/document/document.ts";
import { buildJson } from "../../../format/programs/json.ts";
import type { CheckAcceptance } from "../../../model/acceptance.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import { defined } from "../../../model/optional.ts";
import type { CycleFailure, CycleResult } from "../../../model/report.ts";
import type { CycleTarget } from "../../../runner/cycle.ts";
import type { Version } from "../../../model/version.ts";
import { publish } from "../../../publish/atomic-file.ts";
import { matchesRequest, parseTargetRequest } from "../../../release/graph/target-request.ts";
import { judgeTarget } from "../../session/check-cycle.ts";
import { type ClusterSession, openLiveCluster } from "../../client/connection.ts";
import type { FleetValues } from "./definition.ts";
import { addGraphOffer } from "../../target/target-offer.ts";
import { acceptLeftOut, parseChecks } from "../../checks/check-selection.ts";
import { type ChecksAndTarget, readChecksAndTarget } from "../../target/checks-and-target.ts";
import { namesRelease, readNamedRelease } from "../../target/named-release.ts";
import { parseReadLimits } from "../../settings/read-limits.ts";
import { type ReadTarget, buildVersionRelease } from "../../target/target.ts";
import type { Io } from "../../io/io.ts";
import { buildRunFacts } from "../../session/run-facts.ts";
import type { ReachableCluster } from "./fleet-clusters.ts";
import { buildResultOrigin } from "./results-folder.ts";
import { formatJsonText } from "../../../format/text/json-text.ts";

/** The target of all clusters; undefined if it depends on the cluster (--to). */
export async function readFleetTarget(values: FleetValues): Promise<ChecksAndTarget | undefined> {
  if (namesRelease(values)) return undefined;
  const both = await readChecksAndTarget(values);
  if (both.target.kind === "failed") throw new FailedError(both.target.failure.message);
  return both;
}

export type ClusterCheck = {
  readonly cluster: ReachableCluster;
  readonly file: string;
  readonly shared: ChecksAndTarget | undefined;
  readonly readTarget: ReadTarget;
  readonly checkAcceptances: readonly CheckAcceptance[];
};

/** Checks one cluster and writes its result, which says so if the cluster can't be checked. Resolves with the image that can't be read. */
export async function checkCluster(check: ClusterCheck, values: FleetValues, io: Io): Promise<string | undefined> {
  const { cycle, session } = await runClusterCycle(check, values, io);
  await writeResult(cycle, { ...check, ...defined({ session }) }, values, io);
  return cycle.kind === "failed" ? cycle.failure.image : undefined;
}

/** For a cluster whose process ended, or that no process can open. */
export async function writeFailure(
  failure: CycleFailure,
  place: Pick<ClusterCheck, "cluster" | "file">,
  values: FleetValues,
  io: Io,
): Promise<void> {
  await writeResult({ kind: "failed", failure, observedAt: io.now() }, place, values, io);
}

type CheckedCluster = { readonly cycle: CycleResult; readonly session?: Pick<ClusterSession, "origin"> };

async function runClusterCycle(check: ClusterCheck, values: FleetValues, io: Io): Promise<CheckedCluster> {
  const opened = await tryOpen(check.cluster, io);
  if (opened.kind === "failed") return { cycle: { ...opened, observedAt: io.now() } };
  const { session } = opened;
  try {
    const found = await findTarget(session, check, values, io);
    if ("kind" in found) return { cycle: found, session };
    const readLimits = parseReadLimits(values);
    const leftOut = acceptLeftOut(found.leftOut, check.checkAcceptances);
    return { cycle: await judgeTarget({ ...found, leftOut, cluster: session, readLimits }, values, io), session };
  } finally {
    session.close();
  }
}

type Failed = { readonly kind: "failed"; readonly failure: CycleFailure };

async function tryOpen(
  { kubeconfig, context }: ReachableCluster,
  io: Io,
): Promise<Failed | { readonly kind: "opened"; readonly session: ClusterSession }> {
  try {
    return { kind: "opened", session: await openLiveCluster({ kubeconfig, context, verbose: false }, io) };
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    return { kind: "failed", failure: { reason: "KubeconfigUnreadable", message: thrown.message } };
  }
}

/** Reads the cluster first: one that can't be read is not one without an update. */
async function findTarget(
  session: ClusterSession,
  { shared, readTarget }: ClusterCheck,
  values: FleetValues,
  io: Io,
): Promise<ChecksAndTarget | Extract<CycleResult, { kind: "failed" }>> {
  if (shared !== undefined && values.graph === undefined) return shared;
  const readLimits = parseReadLimits(values);
  const first = await judgeTarget({ checks: [], target: OWN_RELEASE, cluster: session, readLimits }, values, io);
  if (first.kind === "failed") return first;
  const { source } = first.report;
  const running = findRunningRelease(source, values);
  if (running === "release") return buildOwnTarget(values);
  try {
    if (shared !== undefined) return await addGraphOffer(shared, values, session, io);
    return await readNamedRelease(values, session, io, readTarget);
  } catch (thrown) {
    // The flags were parsed before the first cluster, so both are about this one.
    if (!(thrown instanceof FailedError || thrown instanceof UsageError)) throw thrown;
    if (thrown instanceof UsageError && running === "minor") return buildOwnTarget(values);
    const reason = thrown instanceof UsageError ? "TargetNotOffered" : "PayloadUnreadable";
    return { kind: "failed", failure: { reason, message: thrown.message }, observedAt: io.now(), source };
  }
}

/** Whether the cluster runs the release that --to names, or one of the minor: then there may be a later one of it. */
function findRunningRelease(source: Version, { to }: FleetValues): "release" | "minor" | undefined {
  const request = to === undefined ? undefined : parseTargetRequest(to);
  if (request === undefined || request.kind === "latest" || !matchesRequest(request, source)) return undefined;
  return request.kind;
}

/** The release that a cluster runs: enough to read the facts that every cycle begins with. */
const OWN_RELEASE: CycleTarget = {
  kind: "read",
  select: (facts) => buildVersionRelease(facts.version, undefined, RUNS_TARGET, facts),
};

const RUNS_TARGET = "the cluster runs the target already, so its manifests were not read";

function buildOwnTarget(values: FleetValues): ChecksAndTarget {
  return { ...parseChecks(values), target: OWN_RELEASE };
}

async function writeResult(
  result: CycleResult,
  { cluster, file, session }: Pick<ClusterCheck, "cluster" | "file"> & Pick<CheckedCluster, "session">,
  values: FleetValues,
  io: Io,
): Promise<void> {
  const text = result.kind === "completed" ? result.report.target.text : result.target?.text;
  const document = buildDocument({ result, run: buildRunFacts(values, io.now(), text, 0) });
  const fleet = buildResultOrigin(cluster, values);
  const value =
    result.kind === "completed"
      ? {
          ...buildJson({
            document,
            report: result.report,
            accepted: new Set(),
            hasUnknownRisks: values["unknown-risks"],
            ...defined({ cluster: session?.origin }),
          }),
          fleet,
        }
      : { ...document, fleet };
  await publish(file, formatJsonText(value));
}
