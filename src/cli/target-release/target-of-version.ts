import { FailedError, formatError, UsageError } from "../../model/errors.ts";
import { summarizeNames } from "../../model/text.ts";
import { isRecommended } from "../../model/route.ts";
import type { Version } from "../../model/version.ts";
import { compareVersions, findServerVersion, parseKubernetesVersion, parseVersion } from "../../model/version.ts";
import type { OfferedUpdate, UpdateGraph } from "../../release/graph/graph.ts";
import type { TargetRequest } from "../../release/graph/target-request.ts";
import { formatRequest, matchesRequest, parseTargetRequest } from "../../release/graph/target-request.ts";
import { type SelectedTarget, selectFromGraph, selectOfferedUpdate } from "../../release/graph/target-selection.ts";
import type { ClusterSession } from "../client/connection.ts";
import { readText } from "../client/read-text.ts";
import type { GraphValues } from "./update-graph.ts";
import { findRunningVersion } from "../../model/cluster-version.ts";
import { type EvaluatedRisk, parseEvaluatedRisks } from "../../model/cluster-version-risks.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { Reader } from "../../model/reader.ts";
import { parseResource } from "../../model/resource.ts";
import { parseClusterUpdates } from "../../release/graph/cluster-updates.ts";

export function requireTargetRequest(text: string): TargetRequest {
  const request = parseTargetRequest(text);
  if (request !== undefined) return request;
  throw new UsageError(`--to "${text}" is not a version: use a form such as 4.20.8, 4.20 or latest`);
}

/** Far more than any route through the releases has: each is checked, and its channel's graph read. */
const MAX_UPDATES = 100;

/** Throws a UsageError if a target is too many updates away. */
export function requireFewUpdates(updates: number, source: Version, request: TargetRequest): void {
  if (updates <= MAX_UPDATES) return;
  throw new UsageError(
    `--to ${formatRequest(request)} is more than ${MAX_UPDATES} updates away from ${source.text}: name a nearer release`,
  );
}

/**
 * The release that a request names: in the update graph that was asked for by name; else among the updates that ClusterVersion lists, or in
 * the graph of its update service. Throws a UsageError if it is in none of them.
 */
export async function resolveTarget(
  request: TargetRequest,
  session: ClusterSession<GraphValues>,
): Promise<SelectedTarget> {
  const facts = await requireClusterUpdateFacts(session.reader, session.io.stopSignal);
  const offered = session.values.graph === undefined ? selectOfferedUpdate(facts.updates, request) : undefined;
  if (offered !== undefined) return offered;
  const read = await requireGraph(request, facts, session);
  const target = selectFromGraph(read, facts.source, facts.channel, request);
  if (target !== undefined) return target;
  throw new UsageError(describeAbsence(request, facts, read.updates.get(facts.source.text) ?? []));
}

/** Throws a FailedError that says how to do without the graph that can't be read. */
async function requireGraph(
  request: TargetRequest,
  facts: ClusterUpdateFacts,
  session: ClusterSession<GraphValues>,
): Promise<UpdateGraph> {
  const { readUpdateGraph } = await import("./update-graph.ts");
  try {
    return await readUpdateGraph(request, facts, session);
  } catch (thrown) {
    if (!(thrown instanceof FailedError) || session.io.stopSignal.aborted) throw thrown;
    requireOtherRelease(request, facts);
    throw new FailedError(`${formatError(thrown)}; ${WITHOUT_GRAPH}`);
  }
}

const WITHOUT_GRAPH = "name a graph's file or another address with --graph, or the release's folder with --target";

/** Throws a UsageError if the cluster runs the release that is requested. */
export function requireOtherRelease(request: TargetRequest, { source }: ClusterUpdateFacts): void {
  if (isRunning(request, source)) throw new UsageError(describeRunning(source));
}

function isRunning(request: TargetRequest, source: Version): boolean {
  return request.kind === "release" && matchesRequest(request, source);
}

function describeRunning({ text }: Version): string {
  return `the cluster runs ${text} already: name a later release, or use --to latest`;
}

/** What the update service offers instead of the release that was requested. */
export function describeAbsence(
  request: TargetRequest,
  facts: ClusterUpdateFacts,
  updates: readonly OfferedUpdate[],
): string {
  const { source, channel } = facts;
  const offers = `the update service ${formatOffers(updates)}`;
  if (isRunning(request, source)) return `${describeRunning(source)}; ${offers}`;
  const where = channel === "" ? "without a channel" : `in the channel ${channel}`;
  return `no updates lead from ${source.text} to ${describeRequest(request, source)} ${where}: ${offers}`;
}

function describeRequest(request: TargetRequest, source: Version): string {
  if (request.kind === "latest") return "a later release";
  return `${matchesRequest(request, source) ? "a later release of " : ""}${formatRequest(request)}`;
}

/** "recommends 4.19.12 and 4.18.30, and offers 4.19.13 with conditions", the newest first. */
function formatOffers(updates: readonly OfferedUpdate[]): string {
  const sorted = updates.toSorted((a, b) => compareVersions(b.release.version, a.release.version));
  const [recommended, conditional] = [true, false].map((expected) =>
    sorted
      .filter(({ recommendation }) => isRecommended(recommendation) === expected)
      .map(({ release }) => release.version.text),
  );
  const parts = [
    ...(recommended?.length ? [`recommends ${summarizeNames(recommended)}`] : []),
    ...(conditional?.length ? [`offers ${summarizeNames(conditional)} with conditions`] : []),
  ];
  return parts.length === 0 ? "offers no update" : parts.join(", and ");
}

/** What a cluster's ClusterVersion says about its updates. */
export type ClusterUpdateFacts = {
  readonly source: Version;
  /** "" if the cluster has none. */
  readonly channel: string;
  /** The update service that the cluster asks, if it is not the public one. */
  readonly upstream?: string;
  /** As the update service names it: "amd64", "multi". Read only if it is needed. */
  readonly readArchitecture: () => Promise<string>;
  readonly updates: readonly OfferedUpdate[];
  /** The conditions of these updates, as the operator has evaluated them. */
  readonly evaluatedRisks: readonly EvaluatedRisk[];
};

const CLUSTER_VERSION = { resource: parseResource("config.openshift.io/v1/clusterversions"), name: "version" };
const NODES = parseResource("v1/nodes");
const DEFAULT_ARCHITECTURE = "amd64";

/** Reads ClusterVersion; undefined if the cluster does not serve it, because it is Kubernetes without OpenShift. Throws a FailedError if the read fails. */
export async function readClusterUpdateFacts(
  reader: Reader,
  signal: AbortSignal,
): Promise<ClusterUpdateFacts | undefined> {
  const read = await reader.get(CLUSTER_VERSION, signal);
  if (read.kind === "absent" && read.what === "resource") return undefined;
  if (read.kind === "absent")
    throw new FailedError("ClusterVersion version does not exist: this is not a complete OpenShift cluster");
  if (read.kind === "failed") throw new FailedError(`ClusterVersion version could not be read: ${read.message}`);
  const { object } = read;
  const running = findRunningVersion(object);
  const source = parseVersion(running ?? "");
  if (source === undefined)
    throw new FailedError(
      `ClusterVersion version names no version that the cluster runs${running === undefined ? "" : ` ("${running}")`}`,
    );
  const upstream = textAt(object, "spec", "upstream");
  return {
    source,
    channel: textAt(object, "spec", "channel") ?? "",
    upstream: upstream === undefined || upstream === "" ? undefined : upstream,
    readArchitecture: () => findArchitecture(object, reader, signal),
    updates: parseClusterUpdates(object),
    evaluatedRisks: parseEvaluatedRisks(object),
  };
}

/** The same for a release of OpenShift. Throws a FailedError on Kubernetes without OpenShift, too. */
export async function requireClusterUpdateFacts(reader: Reader, signal: AbortSignal): Promise<ClusterUpdateFacts> {
  const facts = await readClusterUpdateFacts(reader, signal);
  if (facts !== undefined) return facts;
  throw new FailedError("this cluster has no ClusterVersion, so it is Kubernetes without OpenShift: use --to v1.36");
}

/** False also if it can't be read: whoever judges the cluster then finds out which one it is. */
export async function hasClusterVersion(reader: Reader, signal: AbortSignal): Promise<boolean> {
  return (await reader.get(CLUSTER_VERSION, signal)).kind === "found";
}

/**
 * A cluster with a multi-architecture release says so, and of a hosted cluster its HostedCluster in any case; any other has one architecture,
 * which its nodes name.
 */
async function findArchitecture(clusterVersion: JsonObject, reader: Reader, signal: AbortSignal): Promise<string> {
  const architecture = textAt(clusterVersion, "status", "desired", "architecture") ?? "";
  if (architecture !== "") return architecture.toLowerCase();
  let ofNodes = "";
  const visit = (node: JsonObject): void => {
    ofNodes ||= textAt(node, "metadata", "labels", "kubernetes.io/arch") ?? "";
  };
  await reader.list(NODES, () => visit, signal, "metadata");
  return ofNodes || DEFAULT_ARCHITECTURE;
}

/** The version that an API server behaves as. Throws a FailedError if it can't be read. */
export async function readKubernetesVersion(reader: Reader, signal: AbortSignal): Promise<Version> {
  const read = await readText("/version", reader, signal);
  if (read.kind !== "read")
    throw new FailedError(`/version could not be read: ${read.kind === "failed" ? read.message : "it is not served"}`);
  const text = findServerVersion(read.text);
  const version = parseKubernetesVersion(text);
  if (version !== undefined) return version;
  throw new FailedError(`/version reports "${text}", which is not a Kubernetes version such as v1.35.2`);
}
