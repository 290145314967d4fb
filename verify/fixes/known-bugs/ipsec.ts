import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, network, node, buildObject } from "./fake-cluster.ts";

function operator(config: JsonObject): JsonObject {
  return buildObject("operator.openshift.io/v1", "Network", "cluster", {
    spec: { defaultNetwork: { type: "OVNKubernetes", ovnKubernetesConfig: config } },
  });
}

function pool(paused: boolean): JsonObject {
  return buildObject("machineconfiguration.openshift.io/v1", "MachineConfigPool", "worker", { spec: { paused } });
}

function nodes(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, i) => node(`node-${i}`));
}

const OVN = network("OVNKubernetes");
const EMPTY = operator({ ipsecConfig: {} });
const FULL = operator({ ipsecConfig: { mode: "Full" } });
const NONE = operator({});

export const IPSEC_FIXTURES: Readonly<Record<string, Fixture>> = {
  "ipsec-transition": {
    hit: [OVN, EMPTY],
    miss: [OVN, NONE],
    otherMisses: [{ miss: [network("OpenShiftSDN"), EMPTY] }],
  },
  "ipsec-libreswan": { hit: [OVN, EMPTY], miss: [OVN, operator({ ipsecConfig: { mode: "Disabled" } })] },
  "ipsec-connectivity": { hit: [OVN, FULL], miss: [OVN, operator({ ipsecConfig: { mode: "External" } })] },
  "ipsec-paused-pools": {
    hit: [OVN, FULL, pool(true)],
    remedied: [OVN, FULL, pool(false)],
    notTried: "the API of the affected sources doesn't know the field by which the entry recognizes IPsec",
    miss: [OVN, NONE, pool(true)],
  },
  "ipsec-large-clusters": { hit: [OVN, FULL, ...nodes(121)], miss: [OVN, FULL, ...nodes(120)] },
};
