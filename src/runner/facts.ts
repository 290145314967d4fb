import type { Platform } from "../model/check.ts";
import { type JsonObject, flagAt, isObject, listAt, objectAt, textAt, textsAt } from "../model/json.ts";
import { type Got, get, onlyOn, type Read } from "../model/read.ts";
import type { ReadFailure } from "../model/reader.ts";
import type { ClusterFacts, Problem } from "../model/release.ts";
import type { Failure } from "../model/report.ts";
import { type Version, parseVersion } from "../model/version.ts";
import type { Gathered } from "./gather.ts";

export const DEFAULT_PROFILE = "self-managed-high-availability";

type ClusterVersionFacts = Pick<ClusterFacts, "capabilities" | "overrides"> & { readonly version: string | undefined };
type FeatureFacts = Pick<ClusterFacts, "featureSet" | "customGates">;

const whole = (object: JsonObject): JsonObject => object;

/** What every cycle reads first: which release the cluster runs, and what decides on the inclusion of the target's manifests. */
export const openShiftReads = {
  clusterVersion: get("config.openshift.io/v1/clusterversions", "version", whole),
  featureGate: onlyOn("openshift", get("config.openshift.io/v1/featuregates", "cluster", whole)),
  operator: onlyOn(
    "openshift",
    get("apps/v1/deployments", "openshift-cluster-version/cluster-version-operator", whole),
  ),
};

type FactResult = Got<JsonObject> | ReadFailure;

export type Facts =
  | {
      readonly kind: "known";
      readonly platform: Platform;
      readonly facts: ClusterFacts;
      readonly problems: readonly Problem[];
    }
  | { readonly kind: "failed"; readonly failure: Failure };

export function openShiftFacts(gathered: ReadonlyMap<Read, Gathered>): Facts {
  const clusterVersion = resultOf(gathered.get(openShiftReads.clusterVersion));
  if (clusterVersion.kind !== "found") return { kind: "failed", failure: unreadable(clusterVersion) };
  const running = keepClusterVersion(clusterVersion.value);
  const version = sourceVersion(running.version);
  if (version.kind === "failed") return version;
  const featureGate = resultOf(gathered.get(openShiftReads.featureGate));
  const operator = resultOf(gathered.get(openShiftReads.operator));
  const facts: ClusterFacts = {
    ...keepFeatureGate(featureGate.kind === "found" ? featureGate.value : {}),
    version: version.version,
    profile: keepProfile(operator.kind === "found" ? operator.value : {}),
    capabilities: running.capabilities,
    overrides: running.overrides,
  };
  const problems = [
    ...undecided(featureGate, "FeatureGate cluster", "the feature set"),
    ...undecided(operator, "Deployment openshift-cluster-version/cluster-version-operator", "the cluster profile"),
  ];
  return { kind: "known", platform: "openshift", facts, problems };
}

function resultOf(result: Gathered | undefined): FactResult {
  if (result?.kind === "found" && "value" in result && isObject(result.value))
    return { kind: "found", value: result.value };
  if (result?.kind === "absent" || result?.kind === "failed") return result;
  return { kind: "failed", reason: "NotUnderstood", message: "the API server's answer is no object" };
}

type Source =
  | { readonly kind: "version"; readonly version: Version }
  | { readonly kind: "failed"; readonly failure: Failure };

function sourceVersion(text: string | undefined): Source {
  const version = text === undefined ? undefined : parseVersion(text);
  if (version) return { kind: "version", version };
  const message =
    text === undefined
      ? "ClusterVersion version has neither a completed update in status.history nor status.desired.version: wait until the installation is complete."
      : `ClusterVersion version says that the cluster runs "${text}", which is no version such as 4.18.8.`;
  return { kind: "failed", failure: { reason: "InvalidVersion", message } };
}

function unreadable(result: Exclude<FactResult, { kind: "found" }>): Failure {
  if (result.kind === "failed") return versionFailure("ClusterVersion version", result);
  const message = "There is no ClusterVersion version: this is no complete OpenShift cluster.";
  return { reason: "ClusterVersionUnreadable", message };
}

/** Without the running version nothing can be judged. */
export function versionFailure(what: string, failure: ReadFailure): Failure {
  const message = `${what} could not be read: ${failure.message}`;
  if (failure.reason === "Unauthorized") return { reason: "Unauthorized", message };
  const isUnreachable = failure.reason === "Unreachable" || failure.reason === "TimedOut";
  return { reason: isUnreachable ? "ClusterUnreachable" : "ClusterVersionUnreadable", message };
}

function undecided(result: FactResult, where: string, what: string): readonly Problem[] {
  if (result.kind !== "failed") return [];
  const message = `${result.message}: so ${what} is not known, and which of the target's manifests would apply.`;
  return [{ reason: result.reason, where, message }];
}

function keepClusterVersion(object: JsonObject): ClusterVersionFacts {
  const done = listAt(object, "status", "history").find((entry) => textAt(entry, "state") === "Completed");
  return {
    version: textAt(done, "version") ?? textAt(object, "status", "desired", "version"),
    capabilities: {
      known: textsAt(object, "status", "capabilities", "knownCapabilities"),
      enabled: textsAt(object, "status", "capabilities", "enabledCapabilities"),
    },
    overrides: listAt(object, "spec", "overrides")
      .filter(isObject)
      .filter((entry) => flagAt(entry, "unmanaged") === true),
  };
}

function keepFeatureGate(object: JsonObject): FeatureFacts {
  const custom = objectAt(object, "spec", "customNoUpgrade");
  return {
    featureSet: textAt(object, "spec", "featureSet") ?? "",
    customGates: { enabled: textsAt(custom, "enabled"), disabled: textsAt(custom, "disabled") },
  };
}

/** The cluster profile is an environment variable of the running operator and nowhere else. */
function keepProfile(deployment: JsonObject): string {
  const containers = listAt(deployment, "spec", "template", "spec", "containers");
  const variables = containers.flatMap((container) => listAt(container, "env"));
  const profile = variables.find((variable) => textAt(variable, "name") === "CLUSTER_PROFILE");
  return textAt(profile, "value") ?? DEFAULT_PROFILE;
}
