import { connect } from "../../src/cluster/connect.ts";
import { liveReader } from "../../src/cluster/live.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { apiOf } from "./api.ts";
import { type ControlPlane, startCluster } from "./control-plane.ts";
import { etcdOf } from "./etcd.ts";
import { CRDS } from "./place.ts";
import { plant } from "./planting.ts";

/** A seeded control plane that can hold one case after the other. */
export type Greenhouse = {
  readonly reader: Reader;
  readonly plant: (cluster: JsonObject) => Promise<void>;
  /** Puts all back as it was seeded. */
  readonly weed: () => Promise<void>;
  readonly down: () => Promise<void>;
};

export async function startGreenhouse(release: string): Promise<Greenhouse> {
  const plane = await startCluster(release, "--network", "single");
  const [api, etcd] = [await apiOf(plane), etcdOf(plane)];
  const reader = await readerOf(plane);
  await plant({ api, etcd }, { [CRDS]: { items: UNSEEDED.map(openDefinition) } });
  const putBack = await etcd.remember();
  return {
    reader,
    plant: (cluster) => plant({ api, etcd }, cluster),
    weed: async () => void (await putBack()),
    async down() {
      reader.close();
      api.close();
      await plane.down();
    },
  };
}

async function readerOf({ kubeconfig }: ControlPlane): Promise<ReturnType<typeof liveReader>> {
  return liveReader(await connect({ env: {}, kubeconfig }), { version: "test" });
}

/** Kinds that are not among the definitions that a cluster is seeded with: they take every object. */
const UNSEEDED: readonly (readonly [string, string, string, "Cluster" | "Namespaced"])[] = [
  ["bgppeers.metallb.io", "BGPPeer", "v1beta2", "Namespaced"],
  ["egressips.k8s.ovn.org", "EgressIP", "v1", "Cluster"],
  ["nodenetworkconfigurationpolicies.nmstate.io", "NodeNetworkConfigurationPolicy", "v1", "Cluster"],
  ["operatorconditions.operators.coreos.com", "OperatorCondition", "v2", "Namespaced"],
  ["performanceprofiles.performance.openshift.io", "PerformanceProfile", "v2", "Cluster"],
  ["subscriptions.operators.coreos.com", "Subscription", "v1alpha1", "Namespaced"],
];

function openDefinition([name, kind, version, scope]: (typeof UNSEEDED)[number]): JsonObject {
  const [plural = ""] = name.split(".");
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  const versions = [{ name: version, served: true, storage: true, subresources: { status: {} } }];
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: { scope, names, versions },
  };
}
