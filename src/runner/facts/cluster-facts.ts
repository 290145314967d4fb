import { requireApiGroups } from "../../model/api-groups.ts";
import { isList, textAt } from "../../model/json.ts";
import { type Gathered, raw, type Read } from "../../model/read.ts";
import type { CycleFailure } from "../../model/report.ts";
import { topologyRead } from "./cluster-profile.ts";
import { type FactsResult, buildOpenShiftFacts, buildVersionFailure, openShiftReads } from "./openshift-facts.ts";
import { buildKubernetesFacts, kubernetesReads } from "./kubernetes-facts.ts";

type GatherReads = (reads: readonly Read[]) => Promise<Gathered>;

/** The reads that a cycle may begin with, depending on the platform. */
export const factReads: readonly Read[] = [
  ...Object.values(openShiftReads),
  topologyRead,
  ...Object.values(kubernetesReads),
];

/** Discovery, which every account may read: the group of ClusterVersion, and all groups. */
const configGroup = raw("/apis/config.openshift.io/v1", () => true);
const groupList = raw("/apis", (text) => requireApiGroups(text).flatMap((group) => textAt(group, "name") ?? []));

/** A cluster whose API server doesn't serve ClusterVersion is Kubernetes without OpenShift. */
export async function readFacts(gather: GatherReads): Promise<FactsResult> {
  const gathered = await gather(Object.values(openShiftReads));
  const clusterVersion = gathered.get(openShiftReads.clusterVersion);
  const isForbidden = clusterVersion?.kind === "failed" && clusterVersion.reason === "Forbidden";
  const isUnserved = clusterVersion?.kind === "absent" && clusterVersion.what === "resource";
  const isMissing = isUnserved || (isForbidden && (await isConfigGroupAbsent(gather)));
  if (!isMissing) return readOpenShiftFacts(gathered, gather);
  const failure = await findDiscoveryFailure(gather);
  if (failure) return { kind: "failed", failure };
  const { version } = kubernetesReads;
  return buildKubernetesFacts((await gather([version])).get(version));
}

/** The operator's Deployment shows the cluster profile; if it can't be found, Infrastructure may. */
async function readOpenShiftFacts(gathered: Gathered, gather: GatherReads): Promise<FactsResult> {
  const hasOperator = gathered.get(openShiftReads.operator)?.kind === "found";
  const topology = hasOperator ? [] : await gather([topologyRead]);
  return buildOpenShiftFacts(new Map([...gathered, ...topology]));
}

/** An API server answers 403 before 404, so an account with few rights has to ask discovery whether ClusterVersion is served. */
async function isConfigGroupAbsent(gather: GatherReads): Promise<boolean> {
  return (await gather([configGroup])).get(configGroup)?.kind === "absent";
}

/** A broken proxy may answer everything with 404. Only an API server lists its groups, and on Kubernetes without ClusterVersion's. */
async function findDiscoveryFailure(gather: GatherReads): Promise<CycleFailure | undefined> {
  const result = (await gather([groupList])).get(groupList);
  if (result?.kind === "failed")
    return result.reason === "NotRecorded"
      ? undefined
      : buildVersionFailure("ClusterVersion is not found, and /apis", result);
  const groups = result?.kind === "found" && "value" in result && isList(result.value) ? result.value : undefined;
  if (groups !== undefined && !groups.includes("config.openshift.io")) return undefined;
  const message = groups
    ? "ClusterVersion is not found (404), although the API server serves config.openshift.io: this is not a complete OpenShift cluster."
    : "ClusterVersion and /apis are not found (404): this is not a Kubernetes API server. Check the server's URL, and any proxy on the way.";
  return { reason: "ClusterVersionUnreadable", message };
}
