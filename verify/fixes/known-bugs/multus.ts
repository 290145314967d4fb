import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, network, buildObject } from "./fake-cluster.ts";

function attachment(config: string): JsonObject {
  return buildObject("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", "demo/second", { spec: { config } });
}

/** A list of plugins instead of one. */
function buildChain(plugin: JsonObject): string {
  const plugins = [{ type: "ovn-k8s-cni-overlay", netAttachDefName: "demo/second", ...plugin }, { type: "tuning" }];
  return JSON.stringify({ cniVersion: "0.4.0", name: "second", plugins });
}

const OVN = network("OVNKubernetes");
const NO_MULTUS = buildObject("operator.openshift.io/v1", "Network", "cluster", {
  spec: { disableMultiNetwork: true },
});
const LOCALNET = attachment('{"type": "ovn-k8s-cni-overlay", "topology": "localnet"}');
const WHEREABOUTS = attachment('{"type": "macvlan", "ipam": {"type": "whereabouts"}}');

export const MULTUS_FIXTURES: Readonly<Record<string, Fixture>> = {
  "multus-brackets": { hit: [], miss: [NO_MULTUS] },
  "localnet-no-subnets": {
    hit: [OVN, LOCALNET],
    otherHits: [{ hit: [OVN, attachment(buildChain({ topology: "localnet" }))] }],
    miss: [OVN, attachment('{"topology": "localnet", "subnets": "192.0.2.0/24"}')],
    otherMisses: [
      { miss: [OVN, attachment("")] },
      { miss: [network("OpenShiftSDN"), LOCALNET] },
      { miss: [OVN, LOCALNET, NO_MULTUS] },
      { miss: [OVN, attachment(buildChain({ topology: "localnet", subnets: "192.0.2.0/24" }))] },
    ],
  },
  "whereabouts-shim": {
    hit: [WHEREABOUTS],
    miss: [attachment('{"type": "macvlan", "ipam": {"type": "dhcp"}}')],
    otherMisses: [{ miss: [WHEREABOUTS, NO_MULTUS] }],
  },
  "multus-third-party-cni": {
    hit: [network("Cilium")],
    miss: [OVN],
    otherMisses: [{ miss: [network("Cilium"), NO_MULTUS] }],
  },
};
