import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, infrastructure, network, buildObject } from "./fake-cluster.ts";

const OVN = network("OVNKubernetes");
const SDN = network("OpenShiftSDN");
const LONG = "n".repeat(45);
const ASSIGNED = buildObject("k8s.ovn.org/v1", "EgressIP", "out", {
  status: { items: [{ node: "w1", egressIP: "192.0.2.7" }] },
});

function policy(where: string, spec: JsonObject = {}): JsonObject {
  return buildObject("networking.k8s.io/v1", "NetworkPolicy", where, { spec });
}

function ingress(type: string): JsonObject {
  return buildObject("operator.openshift.io/v1", "IngressController", "openshift-ingress-operator/default", {
    status: { endpointPublishingStrategy: { type } },
  });
}

function bridges(ovn: JsonObject): JsonObject {
  return buildObject("nmstate.io/v1", "NodeNetworkConfigurationPolicy", "bridges", { spec: { desiredState: { ovn } } });
}

const MAPPINGS = { "bridge-mappings": [{ localnet: "vlan", bridge: "br-ex" }] };
const ROUTERS: JsonObject = { ingress: [{ from: [{ namespaceSelector: { matchLabels: { group: "ingress" } } }] }] };

export const NETWORKS_FIXTURES: Readonly<Record<string, Fixture>> = {
  "policy-long-namespace": { hit: [OVN, policy(`${LONG}/deny`)], miss: [OVN, policy(`${LONG.slice(1)}/deny`)] },
  "ovn-master-stop": { hit: [OVN], hitHistory: ["4.10.67"], miss: [OVN], missHistory: ["4.11.0"] },
  "host-network-ingress": {
    hit: [ingress("HostNetwork"), policy("demo/routers", ROUTERS)],
    miss: [ingress("HostNetwork"), policy("openshift-demo/routers", ROUTERS), policy("demo/deny")],
  },
  "node-identity-webhook": { hit: [infrastructure("AWS")], miss: [infrastructure("AWS", "External")] },
  "ovn-multicast": {
    hit: [
      OVN,
      buildObject("v1", "Namespace", "demo", {
        metadata: { annotations: { "k8s.ovn.org/multicast-enabled": "true" } },
      }),
    ],
    miss: [OVN, buildObject("v1", "Namespace", "demo")],
  },
  "egress-ip": {
    hit: [OVN, ASSIGNED],
    miss: [OVN, buildObject("k8s.ovn.org/v1", "EgressIP", "out", { status: { items: [] } })],
    otherMisses: [{ miss: [SDN, ASSIGNED] }],
  },
  "nmstate-service": { hit: [infrastructure("BareMetal")], miss: [infrastructure("AWS")] },
  "bridge-mappings": {
    hit: [OVN, infrastructure("BareMetal"), bridges(MAPPINGS)],
    miss: [OVN, infrastructure("BareMetal"), bridges({ "bridge-mappings": [] })],
    otherMisses: [{ miss: [SDN, infrastructure("BareMetal"), bridges(MAPPINGS)] }],
  },
};
