import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import { HOSTED_PROFILE, buildTopologyRead, isHosted } from "../../model/infrastructure.ts";
import { type Get, type GetResult, onlyOn } from "../../model/read.ts";
import type { ReadFailure } from "../../model/reader.ts";
import type { ReleaseProblem } from "../../model/release.ts";

/** The operator's own default. Source: pkg/start of the cluster-version operator. */
export const DEFAULT_PROFILE = "self-managed-high-availability";

/** Read only without the operator's Deployment. */
export const topologyRead: Get<string> = onlyOn("openshift", buildTopologyRead());

export type ClusterProfile = { readonly name: string; readonly problems: readonly ReleaseProblem[] };

type OperatorResult = GetResult<JsonObject> | ReadFailure;
type TopologyResult = GetResult<string> | ReadFailure | undefined;

/** The cluster profile decides which manifests apply. It is an environment variable of the running operator and nowhere else. */
export function findProfile(operator: OperatorResult, topology: TopologyResult): ClusterProfile {
  if (operator.kind === "found") return { name: parseProfile(operator.value), problems: [] };
  if (topology?.kind === "found" && isHosted(topology)) return { name: HOSTED_PROFILE, problems: [] };
  return { name: DEFAULT_PROFILE, problems: [buildProblem(operator, topology)] };
}

function parseProfile(deployment: JsonObject): string {
  const containers = listAt(deployment, "spec", "template", "spec", "containers");
  const variables = containers.flatMap((container) => listAt(container, "env"));
  const profile = variables.find((variable) => textAt(variable, "name") === "CLUSTER_PROFILE");
  return textAt(profile, "value") ?? DEFAULT_PROFILE;
}

const OPERATOR = "Deployment openshift-cluster-version/cluster-version-operator";
const INFRASTRUCTURE = "Infrastructure cluster";
const CONSEQUENCE = "without the cluster profile, preflight can't tell which of the target's manifests would apply.";

function buildProblem(operator: Exclude<OperatorResult, { kind: "found" }>, topology: TopologyResult): ReleaseProblem {
  if (operator.kind === "failed")
    return { reason: operator.reason, where: OPERATOR, message: `${operator.message}: ${CONSEQUENCE}` };
  if (topology?.kind === "failed") {
    const message = `${topology.message}, and ${OPERATOR} does not exist: ${CONSEQUENCE}`;
    return { reason: topology.reason, where: INFRASTRUCTURE, message };
  }
  const message = `it does not exist, and ${INFRASTRUCTURE} ${describeTopology(topology)}: ${CONSEQUENCE}`;
  return { reason: "NotFound", where: OPERATOR, message };
}

function describeTopology(topology: Exclude<TopologyResult, ReadFailure>): string {
  if (topology?.kind !== "found") return "does not exist either";
  return topology.value === ""
    ? "reports no controlPlaneTopology"
    : `reports controlPlaneTopology ${topology.value}, not External (a hosted control plane)`;
}
