import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, node, buildObject } from "./fake-cluster.ts";

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

const EMPTY = operator({ ipsecConfig: {} });
const FULL = operator({ ipsecConfig: { mode: "Full" } });
const NONE = operator({});

export const IPSEC_FIXTURES: Readonly<Record<string, Fixture>> = {
  "ipsec-transition": { hit: [EMPTY], miss: [NONE] },
  "ipsec-libreswan": { hit: [EMPTY], miss: [operator({ ipsecConfig: { mode: "Disabled" } })] },
  "ipsec-connectivity": { hit: [FULL], miss: [operator({ ipsecConfig: { mode: "External" } })] },
  "ipsec-paused-pools": { hit: [FULL, pool(true)], miss: [FULL, pool(false)] },
  "ipsec-large-clusters": { hit: [FULL, ...nodes(121)], miss: [FULL, ...nodes(120)] },
};
