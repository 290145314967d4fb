import { requireApiGroups } from "../../model/resource.ts";
import { isList, textAt } from "../../model/json.ts";
import { type Gathered, type Read, type GatherResult, raw, readOf, onlyOn } from "../../model/read.ts";
import type { CycleFailure } from "../../model/report.ts";
import {
  type FactsResult,
  topologyRead,
  buildOpenShiftFacts,
  buildVersionFailure,
  openShiftReads,
  DEFAULT_PROFILE,
} from "./openshift-facts.ts";
import { type Version, findServerVersion, parseKubernetesVersion } from "../../model/version.ts";
import type { ClusterFacts } from "../../model/release.ts";

/** The API server's version, which every account may read. */
const kubernetesReads = {
  version: onlyOn("kubernetes", raw("/version", findServerVersion)),
};

/** The facts of a cluster without ClusterVersion: its version alone, since nothing else decides which manifests apply. */
function buildKubernetesFacts(read: GatherResult | undefined): FactsResult {
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

/** Of a guest that can't be read, what its HostedCluster says of it, if the management cluster is read too. */
export async function readFactsOfHalves(gather: GatherReads): Promise<FactsResult> {
  const facts = await readFacts(gather);
  if (facts.kind === "known") return facts;
  return readFacts(async (reads) => {
    const asked = reads.map((read) => [read, readOf("HostedCluster", read)] as const);
    const gathered = await gather(asked.map(([, read]) => read));
    return new Map(
      asked.flatMap(([read, ofSubject]) => {
        const result = gathered.get(ofSubject);
        return result === undefined ? [] : [[read, result] as const];
      }),
    );
  });
}

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
