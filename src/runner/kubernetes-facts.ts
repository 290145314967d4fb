import { parseObject, textAt } from "../model/json.ts";
import { parseKubernetesVersion } from "../model/target-version.ts";
import { onlyOn, raw } from "../model/read.ts";
import type { ClusterFacts } from "../model/release.ts";
import { formatMinor, type Version } from "../model/version.ts";
import { DEFAULT_PROFILE } from "./cluster-profile.ts";
import { type FactsResult, buildVersionFailure } from "./openshift-facts.ts";
import type { GatherResult } from "./list-collector.ts";

/** The API server's version, which every account may read. */
export const kubernetesReads = {
  version: onlyOn("kubernetes", raw("/version", keepVersion)),
};

/**
 * The version that the API server behaves as: "v1.33.0+emulated.by.1.36.3" if it emulates another than its own, as during a rollout with
 * --emulated-version.
 */
function keepVersion(text: string): string {
  const version = parseObject(text);
  const own = textAt(version, "gitVersion") ?? "";
  const [major, minor] = [textAt(version, "emulationMajor") ?? "", textAt(version, "emulationMinor") ?? ""];
  const emulated = `${major}.${minor}`;
  const parsed = parseKubernetesVersion(own);
  if (parsed === undefined || !/^1\.\d{1,3}$/.test(emulated) || emulated === formatMinor(parsed)) return own;
  return `v${emulated}.0+emulated.by.${own.replace(/^v/, "").replaceAll("+", ".")}`;
}

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
