import { type ListedUpdates, parseListedUpdates } from "../../model/listed-updates.ts";
import { type JsonObject, flagAt, isObject, listAt, objectAt, textAt, textsAt } from "../../model/json.ts";
import { type Gathered, type GatherResult, type GetResult, get, onlyOn } from "../../model/read.ts";
import type { ReadFailure } from "../../model/reader.ts";
import type { ClusterFacts, ReleaseProblem } from "../../model/release.ts";
import type { CycleFailure } from "../../model/report.ts";
import { findRunningVersion } from "../../model/cluster-version.ts";
import { parseVersion } from "../../model/version.ts";
import { findProfile, topologyRead } from "./cluster-profile.ts";
import { type ListedRisk, parseListedRisks } from "./listed-risks.ts";
import type { Platform } from "../../model/target-version.ts";

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
  const profile = findProfile(operator, toTopologyResult(gathered.get(topologyRead)));
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

/** Without the running version no check can be evaluated. */
export function buildVersionFailure(what: string, failure: ReadFailure): CycleFailure {
  const message = `${what} could not be read: ${failure.message}`;
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
    overrides: listAt(object, "spec", "overrides")
      .filter(isObject)
      .filter((entry) => flagAt(entry, "unmanaged") === true),
  };
}

function parseFeatureGate(object: JsonObject): Pick<ClusterFacts, "featureSet" | "customGates"> {
  const customGates = objectAt(object, "spec", "customNoUpgrade");
  return {
    featureSet: textAt(object, "spec", "featureSet") ?? "",
    customGates: { enabled: textsAt(customGates, "enabled"), disabled: textsAt(customGates, "disabled") },
  };
}
