import { buildJson } from "../../../format/programs/json.ts";
import { formatJsonText } from "../../../format/text/json-text.ts";
import type { ClusterOrigin } from "../../../format/view/view.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import type { CycleFailure, CycleResult } from "../../../model/report.ts";
import type { Version } from "../../../model/version.ts";
import { publish } from "../../../publish/atomic-file.ts";
import { matchesRequest, parseTargetRequest } from "../../../release/graph/target-request.ts";
import type { CycleTarget } from "../../../runner/updates/prepare-update.ts";
import { parseChecks } from "../../checks/check-selection.ts";
import type { ClusterSession } from "../../client/connection.ts";
import { buildVersionRelease, type ReadTarget } from "../../target-release/target.ts";
import type { Io } from "../../io/io.ts";
import { buildResultDocument } from "../../session/run-facts.ts";
import { buildFailedCycle, type CycleValues, judgeTarget, tryOpenCluster } from "../../session/session.ts";
import { type ChecksAndTarget, completeTarget, type ReleaseValues } from "../../target-release/checks-and-target.ts";
import { writeClusterPage } from "./cluster-page.ts";
import type { LoadedFleetValues } from "./definition.ts";
import type { ReachableCluster } from "../../process/messages.ts";
import { buildResultOrigin } from "./results-folder.ts";

/** `shared`: the target of all clusters; undefined if it depends on the cluster (--to). */
export type ClusterCheck = {
  readonly cluster: ReachableCluster;
  readonly file: string;
  readonly shared: ChecksAndTarget | undefined;
  readonly readTarget: ReadTarget;
};

/** Checks one cluster and writes its result, which says so if the cluster can't be checked. Resolves with the image that can't be read. */
export async function checkCluster(
  check: ClusterCheck,
  values: LoadedFleetValues,
  io: Io,
): Promise<string | undefined> {
  const { result, origin } = await judgeCluster(check, values, io);
  await writeResult(result, check, values, io, origin);
  return result.kind === "failed" ? result.failure.image : undefined;
}

type Place = Pick<ClusterCheck, "cluster" | "file">;

/** For a cluster whose process ended, or that no process can open. */
export async function writeFailure(
  failure: CycleFailure,
  place: Place,
  values: LoadedFleetValues,
  io: Io,
): Promise<void> {
  await writeResult(buildFailedCycle(failure, io), place, values, io);
}

async function judgeCluster(
  { cluster: { kubeconfig, context }, shared, readTarget }: ClusterCheck,
  values: LoadedFleetValues,
  io: Io,
): Promise<{ readonly result: CycleResult; readonly origin?: ClusterOrigin }> {
  const session = await tryOpenCluster({ ...values, kubeconfig, context, verbose: false, readTarget }, io);
  if ("kind" in session) return { result: session };
  try {
    const target = await findTarget(session, shared);
    const result = "kind" in target ? target : await judgeTarget(session, target);
    return { result, origin: session.origin };
  } finally {
    session.close();
  }
}

/** Reads the cluster first: one that can't be read is not one without an update. */
async function findTarget(
  session: ClusterSession<ReleaseValues & CycleValues>,
  shared: ChecksAndTarget | undefined,
): Promise<ChecksAndTarget | Extract<CycleResult, { kind: "failed" }>> {
  const { values, io } = session;
  if (shared !== undefined && values.graph === undefined) return shared;
  const first = await judgeTarget(session, { checks: [], leftOut: [], target: OWN_RELEASE });
  if (first.kind === "failed") return first;
  const { source } = first.report;
  const running = findRunningRelease(source, values.to);
  const own = { ...parseChecks(values), target: OWN_RELEASE };
  if (running === "release") return own;
  try {
    return await completeTarget(shared, session);
  } catch (thrown) {
    // The flags were parsed before the first cluster, so both are about this one.
    if (!(thrown instanceof FailedError || thrown instanceof UsageError)) throw thrown;
    if (thrown instanceof UsageError && running === "minor") return own;
    const reason = thrown instanceof UsageError ? "TargetNotOffered" : "PayloadUnreadable";
    return { ...buildFailedCycle({ reason, message: thrown.message }, io), source };
  }
}

/** Whether the cluster runs the release that --to names, or one of the minor: then there may be a later one of it. */
function findRunningRelease(source: Version, to: string | undefined): "release" | "minor" | undefined {
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

async function writeResult(
  result: CycleResult,
  { cluster, file }: Place,
  values: LoadedFleetValues,
  io: Io,
  origin?: ClusterOrigin,
): Promise<void> {
  const document = buildResultDocument(result, values, io.now());
  const fleet = buildResultOrigin(cluster, values);
  const common = { document, accepted: new Set<string>(), hasUnknownRisks: values["unknown-risks"] };
  const content =
    result.kind === "completed" ? buildJson({ ...common, report: result.report, cluster: origin }) : document;
  await publish(file, formatJsonText({ ...content, fleet }));
  if (result.kind === "completed") await writeClusterPage({ file, report: result.report, document, origin }, values);
}
