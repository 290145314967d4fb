import { findServerVersion, parseKubernetesVersion } from "../../model/target-version.ts";
import { type GatherResult, onlyOn, raw } from "../../model/read.ts";
import type { ClusterFacts } from "../../model/release.ts";
import type { Version } from "../../model/version.ts";
import { DEFAULT_PROFILE } from "./cluster-profile.ts";
import { type FactsResult, buildVersionFailure } from "./openshift-facts.ts";

/** The API server's version, which every account may read. */
export const kubernetesReads = {
  version: onlyOn("kubernetes", raw("/version", findServerVersion)),
};

/** The facts of a cluster without ClusterVersion: its version alone, since nothing else decides which manifests apply. */
export function buildKubernetesFacts(read: GatherResult | undefined): FactsResult {
  const text = read?.kind === "found" && "value" in read ? String(read.value) : undefined;
  const version = text === undefined ? undefined : parseKubernetesVersion(text);
  if (version === undefined) return { kind: "failed", failure: buildUnreadableFailure(read, text) };
  return { kind: "known", platform: "kubernetes", facts: buildPlainFacts(version), problems: [], listedRisks: [] };
}

/** The facts of a self-managed cluster of which only the version is known, and maybe the feature set. */
export function buildPlainFacts(version: Version, featureSet = ""): ClusterFacts {
  return {
    version,
    profile: DEFAULT_PROFILE,
    featureSet,
    customGates: { enabled: [], disabled: [] },
    capabilities: { known: [], enabled: [] },
    overrides: [],
  };
}

function buildUnreadableFailure(
  read: GatherResult | undefined,
  text: string | undefined,
): ReturnType<typeof buildVersionFailure> {
  const where = "/version of an API server that does not serve ClusterVersion";
  if (text !== undefined) {
    const message = `${where} reports "${text}", which is not a Kubernetes version such as v1.35.2.`;
    return { reason: "InvalidVersion", message };
  }
  if (read?.kind === "failed") return buildVersionFailure(where, read);
  const message = "The API server serves neither ClusterVersion nor /version: this is not a Kubernetes cluster.";
  return { reason: "ClusterVersionUnreadable", message };
}
