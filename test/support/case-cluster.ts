import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import { at, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { type AdminApi, connectAdminApi } from "../../verify/api-server/admin-api.ts";
import { type ControlPlane, startCluster } from "../../verify/api-server/control-plane.ts";
import { connectEtcd } from "../../verify/api-server/etcd-store.ts";
import { CRDS } from "../../verify/api-server/api-path.ts";
import { loadCase } from "./case-loader.ts";
import { waitUntil } from "./test-server.ts";

const DEFINITION_KEYS = "/registry/apiextensions.k8s.io/customresourcedefinitions/";

/** A seeded control plane that cases can be loaded into, one after the other. */
export type CaseCluster = {
  readonly reader: Reader;
  /** For kubectl and other programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly api: AdminApi;
  readonly load: (cluster: JsonObject) => Promise<void>;
  /** Restores the seeded state. */
  readonly reset: () => Promise<void>;
  readonly down: () => Promise<void>;
};

export async function startCaseCluster(release: string): Promise<CaseCluster> {
  const controlPlane = await startCluster(release, "--network", "single");
  const api = await connectAdminApi(controlPlane);
  const etcd = connectEtcd(controlPlane);
  const reader = await connectReader(controlPlane);
  await loadCase({ api, etcd }, { [CRDS]: { items: EXTRA_KINDS.map(buildOpenDefinition) } });
  const restore = await etcd.takeSnapshot();
  return {
    reader,
    env: controlPlane.env,
    api,
    load: (cluster) => loadCase({ api, etcd }, cluster),
    async reset() {
      for (const key of await restore()) await waitUntilServed(api, key);
    },
    async down() {
      reader.close();
      api.close();
      await controlPlane.down();
    },
  };
}

/** A kind whose definition was restored a moment ago is served only after a while. */
async function waitUntilServed(api: AdminApi, key: string): Promise<void> {
  if (!key.startsWith(DEFINITION_KEYS)) return;
  const { code, body } = await api.call("GET", `${CRDS}/${key.slice(DEFINITION_KEYS.length)}`);
  const served = listAt(body, "spec", "versions").find((version) => at(version, "served") === true);
  if (code === 404 || served === undefined) return;
  const plural = textAt(body, "spec", "names", "plural");
  const path = `/apis/${textAt(body, "spec", "group")}/${textAt(served, "name")}/${plural}`;
  await waitUntil(async () => (await api.call("GET", `${path}?limit=1`)).code === 200, `${path} is not served`);
}

async function connectReader({ kubeconfig }: ControlPlane): Promise<ReturnType<typeof createLiveReader>> {
  return createLiveReader(await connect({ env: {}, kubeconfig }), { userAgent: "test" });
}

/** Kinds without a seeded definition: their definitions accept every object. */
const EXTRA_KINDS: readonly (readonly [string, string, string, "Cluster" | "Namespaced"])[] = [
  ["bgppeers.metallb.io", "BGPPeer", "v1beta2", "Namespaced"],
  ["certificates.cert-manager.io", "Certificate", "v1", "Namespaced"],
  ["clusters.postgresql.cnpg.io", "Cluster", "v1", "Namespaced"],
  ["egressips.k8s.ovn.org", "EgressIP", "v1", "Cluster"],
  ["nodenetworkconfigurationpolicies.nmstate.io", "NodeNetworkConfigurationPolicy", "v1", "Cluster"],
  ["operatorconditions.operators.coreos.com", "OperatorCondition", "v2", "Namespaced"],
  ["packagemanifests.packages.operators.coreos.com", "PackageManifest", "v1", "Namespaced"],
  ["prometheusrules.monitoring.coreos.com", "PrometheusRule", "v1", "Namespaced"],
  ["performanceprofiles.performance.openshift.io", "PerformanceProfile", "v2", "Cluster"],
  ["subscriptions.operators.coreos.com", "Subscription", "v1alpha1", "Namespaced"],
];

function buildOpenDefinition([name, kind, version, scope]: (typeof EXTRA_KINDS)[number]): JsonObject {
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
