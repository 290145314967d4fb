import { textAt } from "../model/json.ts";
import { parseKubernetesVersion } from "../model/target-version.ts";
import { onlyOn, raw } from "../model/read.ts";
import { DEFAULT_PROFILE, type FactsResult, buildVersionFailure } from "./openshift-facts.ts";
import type { GatherResult } from "./gather.ts";

/** The API server's version, which every account may read. */
export const kubernetesReads = {
  version: onlyOn("kubernetes", raw("/version", keepVersion)),
};

function keepVersion(text: string): string {
  return textAt(JSON.parse(text), "gitVersion") ?? "";
}

/** The facts of a cluster without ClusterVersion: its version alone, since nothing else decides which manifests apply. */
export function buildKubernetesFacts(read: GatherResult | undefined): FactsResult {
  const text = read?.kind === "found" && "value" in read ? String(read.value) : undefined;
  const version = text === undefined ? undefined : parseKubernetesVersion(text);
  if (version === undefined) return { kind: "failed", failure: buildUnreadableFailure(read, text) };
  const facts = {
    version,
    profile: DEFAULT_PROFILE,
    featureSet: "",
    customGates: { enabled: [], disabled: [] },
    capabilities: { known: [], enabled: [] },
    overrides: [],
  };
  return { kind: "known", platform: "kubernetes", facts, problems: [], operatorShowsRisks: false };
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
