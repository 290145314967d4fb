import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, network, buildObject } from "./fake-cluster.ts";

function attachment(config: string): JsonObject {
  return buildObject("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", "demo/second", { spec: { config } });
}

export const MULTUS_FIXTURES: Readonly<Record<string, Fixture>> = {
  "multus-brackets": { hit: [], miss: [], versionsOnly: true },
  "localnet-no-subnets": {
    hit: [attachment('{"type": "ovn-k8s-cni-overlay", "topology": "localnet"}')],
    miss: [attachment('{"topology": "localnet", "subnets": "192.0.2.0/24"}'), attachment("")],
  },
  "whereabouts-shim": {
    hit: [attachment('{"type": "macvlan", "ipam": {"type": "whereabouts"}}')],
    miss: [attachment('{"type": "macvlan", "ipam": {"type": "dhcp"}}')],
  },
  "multus-third-party-cni": { hit: [network("Cilium")], miss: [network("OVNKubernetes")] },
};
