import type { JsonObject } from "../../../src/model/json.ts";
import { aro, type Fixture, infrastructure, node, buildObject } from "./fake-cluster.ts";

const AZURE = infrastructure("Azure");
const ON_AWS = infrastructure("AWS");

function machineSet(value: JsonObject): JsonObject {
  return buildObject("machine.openshift.io/v1beta1", "MachineSet", "openshift-machine-api/workers", {
    spec: { template: { spec: { providerSpec: { value } } } },
  });
}

function cloudConfig(config: string): JsonObject {
  return buildObject("v1", "ConfigMap", "openshift-config/cloud-provider-config", { data: { config } });
}

function registry(spec: JsonObject): JsonObject {
  return buildObject("imageregistry.operator.openshift.io/v1", "Config", "cluster", { spec });
}

const ZONE = "topology.kubernetes.io/zone";

export const AZURE_FIXTURES: Readonly<Record<string, Fixture>> = {
  "azure-accelerated-networking-race": {
    hit: [AZURE, machineSet({ acceleratedNetworking: true })],
    miss: [AZURE, machineSet({ acceleratedNetworking: false })],
  },
  "aro-dnsmasq": { hit: [AZURE, aro()], miss: [AZURE] },
  "aro-boot-sequence": { hit: [AZURE, aro()], miss: [AZURE] },
  "azure-systemd-loop": {
    hit: [AZURE],
    hitHistory: ["4.12.53"],
    miss: [AZURE],
    missHistory: ["4.12.60", "4.12.54"],
  },
  "azure-default-vm-type": {
    hit: [AZURE, cloudConfig('{"cloud": "AzurePublicCloud"}')],
    remedied: [AZURE, cloudConfig('{"cloud": "AzurePublicCloud", "vmType": "standard"}')],
    miss: [AZURE, cloudConfig('{"vmType": "vmss"}')],
  },
  "azure-registry-images-lost": {
    hit: [AZURE, registry({ managementState: "Managed", storage: { azure: {} } })],
    miss: [AZURE, registry({ managementState: "Removed", storage: { azure: {} } })],
  },
  "azure-registry-own-storage": {
    hit: [AZURE, registry({ storage: { azure: {}, managementState: "Unmanaged" } })],
    miss: [AZURE, registry({ storage: { azure: {}, managementState: "Managed" } })],
    otherHits: [
      { hit: [AZURE, registry({ managementState: "Managed", storage: { azure: {}, managementState: "Unmanaged" } })] },
      {
        hit: [AZURE, registry({ managementState: "Unmanaged", storage: { azure: {}, managementState: "Unmanaged" } })],
      },
    ],
    otherMisses: [
      { miss: [AZURE, registry({ managementState: "Removed", storage: { azure: {}, managementState: "Unmanaged" } })] },
    ],
  },
  "azure-non-zonal-machine-sets": {
    hit: [AZURE, machineSet({ zone: "" }), node("w1", { [ZONE]: "0" })],
    miss: [AZURE, machineSet({ zone: "1" })],
    otherMisses: [{ miss: [AZURE, machineSet({ zone: "" }), node("w1", { [ZONE]: "eastus-1" })] }],
  },
  "aro-certificate-name": { hit: [aro()], miss: [ON_AWS] },
  "aro-user-routes": { hit: [aro()], miss: [ON_AWS] },
};
