import { type ListedUpdates, parseListedUpdates, findRunningVersion } from "../../model/cluster-version.ts";
import {
  type JsonObject,
  type Json,
  flagAt,
  isObject,
  listAt,
  objectAt,
  textAt,
  textsAt,
  objectsAt,
} from "../../model/json.ts";
import { type Gathered, type GatherResult, type GetResult, type Get, get, onlyOn } from "../../model/read.ts";
import type { Unknown } from "../../model/check.ts";
import type { ReadFailure } from "../../model/reader.ts";
import type { ClusterFacts, ReleaseProblem } from "../../model/release.ts";
import type { CycleFailure } from "../../model/report.ts";
import { type Platform, parseVersion } from "../../model/version.ts";
import { HOSTED_PROFILE, buildTopologyRead, isHosted } from "../../model/infrastructure.ts";
import { findConditionIn } from "../../model/object.ts";
import { isPreflightRisk } from "../../model/cluster-version-risks.ts";

const keepWhole = (object: JsonObject): JsonObject => object;

/** The first reads of every cycle: the release that the cluster runs, and the facts that decide which manifests of the target apply. */
export const openShiftReads = {
  clusterVersion: get("config.openshift.io/v1/clusterversions", "version", keepWhole),
  featureGate: onlyOn("openshift", get("config.openshift.io/v1/featuregates", "cluster", keepWhole)),
  operator: onlyOn(
    "openshift",
    get("apps/v1/deployments", "openshift-cluster-version/cluster-version-operator", keepWhole),
  ),
};

type ObjectResult = GetResult<JsonObject> | ReadFailure;

export type FactsResult =
  | {
      readonly kind: "known";
      readonly platform: Platform;
      readonly facts: ClusterFacts;
      readonly problems: readonly ReleaseProblem[];
      /** Why nobody knows whether the control plane is hosted. */
      readonly unknownTopology?: Unknown;
      /** The risks of offered updates that the running operator shows in ClusterVersion. */
      readonly listedRisks: readonly ListedRisk[];
      /** Absent on Kubernetes without OpenShift, which has no update service. */
      readonly listedUpdates?: ListedUpdates;
      /** ClusterVersion's spec.clusterID. */
      readonly clusterId?: string;
    }
  | { readonly kind: "failed"; readonly failure: CycleFailure };

export function buildOpenShiftFacts(gathered: Gathered): FactsResult {
  const clusterVersion = toObjectResult(gathered.get(openShiftReads.clusterVersion));
  if (clusterVersion.kind !== "found") return { kind: "failed", failure: buildUnreadableFailure(clusterVersion) };
  const object = clusterVersion.value;
  const text = findRunningVersion(object);
  const version = text === undefined ? undefined : parseVersion(text);
  if (version === undefined) return { kind: "failed", failure: buildInvalidVersion(text) };
  const featureGate = toObjectResult(gathered.get(openShiftReads.featureGate));
  const operator = toObjectResult(gathered.get(openShiftReads.operator));
  const topology = toTopologyResult(gathered.get(topologyRead));
  const profile = findProfile(operator, topology);
  return {
    kind: "known",
    platform: "openshift",
    facts: {
      ...parseFeatureGate(featureGate.kind === "found" ? featureGate.value : {}),
      ...parseClusterVersion(object),
      version,
      profile: profile.name,
    },
    problems: [...buildFactProblems(featureGate, "FeatureGate cluster", "the feature set"), ...profile.problems],
    unknownTopology: operator.kind === "found" ? undefined : findUnknownTopology(topology),
    listedRisks: parseListedRisks(object),
    listedUpdates: parseListedUpdates(object),
    clusterId: textAt(object, "spec", "clusterID"),
  };
}

function toObjectResult(result: GatherResult | undefined): ObjectResult {
  if (result?.kind === "found" && "value" in result && isObject(result.value))
    return { kind: "found", value: result.value };
  if (result?.kind === "absent" || result?.kind === "failed") return result;
  return { kind: "failed", reason: "NotUnderstood", message: "the API server's response is not an object" };
}

function toTopologyResult(result: GatherResult | undefined): GetResult<string> | ReadFailure | undefined {
  if (result?.kind !== "found") return result;
  return { kind: "found", value: "value" in result ? String(result.value) : "" };
}

function buildInvalidVersion(text: string | undefined): CycleFailure {
  const message =
    text === undefined
      ? "ClusterVersion version has neither a completed update in status.history nor status.desired.version: wait until the installation is complete."
      : `ClusterVersion version reports that the cluster runs "${text}", which is not a version such as 4.18.8.`;
  return { reason: "InvalidVersion", message };
}

function buildUnreadableFailure(result: Exclude<ObjectResult, { kind: "found" }>): CycleFailure {
  if (result.kind === "failed") return buildVersionFailure("ClusterVersion version", result);
  const message = "ClusterVersion version does not exist: this is not a complete OpenShift cluster.";
  return { reason: "ClusterVersionUnreadable", message };
}

/** A user without any right needs all of them. */
const GRANT = '. A cluster administrator grants the rights that "preflight rbac --bind-to USER" prints';

/** `kubectl proxy` is reached so, and no API server. */
const SECURE = ": unless it is a proxy, correct the cluster's server in the kubeconfig: https:// instead of http://";

function describeRemedy({ reason, message }: ReadFailure): string {
  if (reason === "Forbidden") return GRANT;
  return reason === "Unreachable" && message.startsWith("http://") ? SECURE : "";
}

/** Without the running version no check can be evaluated. */
export function buildVersionFailure(what: string, failure: ReadFailure): CycleFailure {
  const message = `${what} could not be read: ${failure.message}${describeRemedy(failure)}`;
  if (failure.reason === "Unauthorized") return { reason: "Unauthorized", message };
  const isUnreachable = failure.reason === "Unreachable" || failure.reason === "TimedOut";
  return { reason: isUnreachable ? "ClusterUnreachable" : "ClusterVersionUnreadable", message };
}

function buildFactProblems(result: ObjectResult, where: string, what: string): readonly ReleaseProblem[] {
  if (result.kind !== "failed") return [];
  const message = `${result.message}: without ${what}, preflight can't tell which of the target's manifests would apply.`;
  return [{ reason: result.reason, where, message }];
}

function parseClusterVersion(object: JsonObject): Pick<ClusterFacts, "capabilities" | "overrides"> {
  return {
    capabilities: {
      known: textsAt(object, "status", "capabilities", "knownCapabilities"),
      enabled: textsAt(object, "status", "capabilities", "enabledCapabilities"),
    },
    overrides: objectsAt(object, "spec", "overrides").filter((entry) => flagAt(entry, "unmanaged") === true),
  };
}

function parseFeatureGate(object: JsonObject): Pick<ClusterFacts, "featureSet" | "customGates"> {
  const customGates = objectAt(object, "spec", "customNoUpgrade");
  return {
    featureSet: textAt(object, "spec", "featureSet") ?? "",
    customGates: { enabled: textsAt(customGates, "enabled"), disabled: textsAt(customGates, "disabled") },
  };
}

/** The operator's own default. Source: pkg/start of the cluster-version operator. */
export const DEFAULT_PROFILE = "self-managed-high-availability";

/** Read only without the operator's Deployment. */
export const topologyRead: Get<string> = onlyOn("openshift", buildTopologyRead());

type ClusterProfile = { readonly name: string; readonly problems: readonly ReleaseProblem[] };

type OperatorResult = GetResult<JsonObject> | ReadFailure;
type TopologyResult = GetResult<string> | ReadFailure | undefined;

/** The cluster profile decides which manifests apply. It is an environment variable of the running operator and nowhere else. */
function findProfile(operator: OperatorResult, topology: TopologyResult): ClusterProfile {
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

const NO_TOPOLOGY = { found: "it reports no controlPlaneTopology", absent: "it does not exist" } as const;

function findUnknownTopology(topology: TopologyResult): Unknown | undefined {
  if (topology?.kind === "found" && topology.value !== "") return undefined;
  if (topology?.kind === "failed") return { reason: topology.reason, where: INFRASTRUCTURE, message: topology.message };
  return { reason: "NotFound", where: INFRASTRUCTURE, message: NO_TOPOLOGY[topology?.kind ?? "absent"] };
}

function describeTopology(topology: Exclude<TopologyResult, ReadFailure>): string {
  if (topology?.kind !== "found") return "does not exist either";
  return topology.value === ""
    ? "reports no controlPlaneTopology"
    : `reports controlPlaneTopology ${topology.value}, not External (a hosted control plane)`;
}

/** A risk of an offered update that the cluster-version operator itself shows as applying. */
export type ListedRisk = {
  /** Of the update's release. */
  readonly version: string;
  readonly name: string;
  /** What the condition Applies says, which for an alert names its objects. */
  readonly about: string;
};

/** The operator's risks in ClusterVersion, without those that came from a preflight. Without a condition Applies, nothing shows that a risk applies. */
function parseListedRisks(clusterVersion: JsonObject): readonly ListedRisk[] {
  const defined = objectsAt(clusterVersion, "status", "conditionalUpdateRisks");
  return listAt(clusterVersion, "status", "conditionalUpdates").flatMap((update) => parseUpdate(update, defined));
}

function parseUpdate(update: Json, defined: readonly JsonObject[]): readonly ListedRisk[] {
  const version = textAt(update, "release", "version") ?? "";
  const own = objectsAt(update, "risks");
  const names = new Set([...own.map(nameOf), ...textsAt(update, "riskNames")]);
  return [...names].flatMap((name) => {
    const risks = [...own, ...defined].filter((risk) => nameOf(risk) === name);
    const applies = risks.map((risk) => findConditionIn(risk, "Applies")).find((condition) => condition !== undefined);
    if (textAt(applies, "status") !== "True" || risks.some(isPreflightRisk)) return [];
    return [{ version, name, about: textAt(applies, "message") ?? "" }];
  });
}

function nameOf(risk: JsonObject): string {
  return textAt(risk, "name") ?? "";
}
