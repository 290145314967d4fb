import { raw, type Read } from "../model/read.ts";
import { type FactsResult, buildOpenShiftFacts, openShiftReads } from "./openshift-facts.ts";
import type { GatherResult } from "./gather.ts";
import { buildKubernetesFacts, kubernetesReads } from "./kubernetes-facts.ts";

type GatherReads = (reads: readonly Read[]) => Promise<ReadonlyMap<Read, GatherResult>>;

/** The reads that a cycle may begin with, depending on the platform. */
export const factReads: readonly Read[] = [...Object.values(openShiftReads), ...Object.values(kubernetesReads)];

/** The API group of ClusterVersion in discovery, which every account may read. */
const configGroup = raw("/apis/config.openshift.io/v1", () => true);

/** A cluster whose API server doesn't serve ClusterVersion is Kubernetes without OpenShift. */
export async function readFacts(gather: GatherReads): Promise<FactsResult> {
  const gathered = await gather(Object.values(openShiftReads));
  if (!(await isKubernetes(gathered.get(openShiftReads.clusterVersion), gather))) return buildOpenShiftFacts(gathered);
  const { version } = kubernetesReads;
  return buildKubernetesFacts((await gather([version])).get(version));
}

/** An API server answers 403 before 404, so an account with few rights has to ask discovery whether ClusterVersion is served. */
async function isKubernetes(clusterVersion: GatherResult | undefined, gather: GatherReads): Promise<boolean> {
  if (clusterVersion?.kind === "absent") return clusterVersion.what === "resource";
  if (clusterVersion?.kind !== "failed" || clusterVersion.reason !== "Forbidden") return false;
  return (await gather([configGroup])).get(configGroup)?.kind === "absent";
}
