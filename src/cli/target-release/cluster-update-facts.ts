import { findRunningVersion } from "../../model/cluster-version.ts";
import { FailedError } from "../../model/errors.ts";
import { type EvaluatedRisk, parseEvaluatedRisks } from "../../model/evaluated-risk.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { Reader } from "../../model/reader.ts";
import { parseResource } from "../../model/resource.ts";
import { findServerVersion, parseKubernetesVersion } from "../../model/target-version.ts";
import { parseVersion, type Version } from "../../model/version.ts";
import { parseClusterUpdates } from "../../release/graph/cluster-updates.ts";
import type { OfferedUpdate } from "../../release/graph/graph.ts";

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
    ...(upstream === undefined || upstream === "" ? {} : { upstream }),
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

/** A cluster with a multi-architecture release says so; any other has one architecture, which its nodes name. */
async function findArchitecture(clusterVersion: JsonObject, reader: Reader, signal: AbortSignal): Promise<string> {
  if (textAt(clusterVersion, "status", "desired", "architecture") === "Multi") return "multi";
  let architecture = "";
  const visit = (node: JsonObject): void => {
    architecture ||= textAt(node, "metadata", "labels", "kubernetes.io/arch") ?? "";
  };
  await reader.list(NODES, () => visit, signal, "metadata");
  return architecture || DEFAULT_ARCHITECTURE;
}

/** The version that an API server behaves as. Throws a FailedError if it can't be read. */
export async function readKubernetesVersion(reader: Reader, signal: AbortSignal): Promise<Version> {
  const lines: string[] = [];
  const begin = () => {
    lines.length = 0;
    return (line: string): boolean => lines.push(line) > 0;
  };
  const read = await reader.raw("/version", begin, signal);
  if (read.kind !== "read")
    throw new FailedError(`/version could not be read: ${read.kind === "failed" ? read.message : "it is not served"}`);
  const text = findServerVersion(lines.join("\n"));
  const version = parseKubernetesVersion(text);
  if (version !== undefined) return version;
  throw new FailedError(`/version reports "${text}", which is not a Kubernetes version such as v1.35.2`);
}
