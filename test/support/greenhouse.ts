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
  // OLM's kinds are not among the definitions that a cluster is seeded with.
  await plant({ api, etcd }, { [CRDS]: { items: OLM } });
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

const OLM = ["operatorconditions/OperatorCondition/v2", "subscriptions/Subscription/v1alpha1"].map((text) => {
  const [plural = "", kind = "", name = ""] = text.split("/");
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.operators.coreos.com` },
    spec: {
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name, served: true, storage: true, subresources: { status: {} } }],
    },
  };
});
