import { raw, type Read } from "../model/read.ts";
import { type FactsResult, buildOpenShiftFacts, openShiftReads } from "./openshift-facts.ts";
import type { GatherResult } from "./gather.ts";
import { buildKubernetesFacts, kubernetesReads } from "./kubernetes-facts.ts";

type GatherReads = (reads: readonly Read[]) => Promise<ReadonlyMap<Read, GatherResult>>;

/** What every cycle may read first; which of it is read depends on the platform. */
export const factReads: readonly Read[] = [...Object.values(openShiftReads), ...Object.values(kubernetesReads)];

/** Discovery, which every account may read: the group of ClusterVersion. */
const configGroup = raw("/apis/config.openshift.io/v1", () => true);

/** A cluster whose API server doesn't serve ClusterVersion is Kubernetes without OpenShift. */
export async function readFacts(gather: GatherReads): Promise<FactsResult> {
  const gathered = await gather(Object.values(openShiftReads));
  if (!(await isKubernetes(gathered.get(openShiftReads.clusterVersion), gather))) return buildOpenShiftFacts(gathered);
  const { version } = kubernetesReads;
  return buildKubernetesFacts((await gather([version])).get(version));
}

/** API servers look at rights first, so that an account with few gets no 404 for what isn't served: discovery tells it. */
async function isKubernetes(clusterVersion: GatherResult | undefined, gather: GatherReads): Promise<boolean> {
  if (clusterVersion?.kind === "absent") return clusterVersion.what === "resource";
  if (clusterVersion?.kind !== "failed" || clusterVersion.reason !== "Forbidden") return false;
  return (await gather([configGroup])).get(configGroup)?.kind === "absent";
}
