import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, infrastructure, buildObject } from "./fake-cluster.ts";

const AWS = infrastructure("AWS");
const OPENSTACK = infrastructure("OpenStack");
const VSPHERE = infrastructure("VSphere");

function rendered(name: string): JsonObject {
  return buildObject("v1", "Node", name, {
    metadata: { annotations: { "machineconfiguration.openshift.io/currentConfig": `rendered-${name}-0123` } },
  });
}

function credentials(credentialsMode: string): JsonObject {
  return buildObject("operator.openshift.io/v1", "CloudCredential", "cluster", { spec: { credentialsMode } });
}

export const PLATFORMS_FIXTURES: Readonly<Record<string, Fixture>> = {
  "openstack-nodes-not-created": { hit: [OPENSTACK], miss: [AWS] },
  "openstack-zones": { hit: [OPENSTACK], miss: [AWS] },
  "keepalived-multicast": {
    hit: [VSPHERE, rendered("master"), rendered("worker")],
    miss: [VSPHERE, rendered("master")],
  },
  "slow-image-pulls": { hit: [VSPHERE], miss: [AWS] },
  "bare-metal-provisioning": { hit: [infrastructure("BareMetal")], miss: [VSPHERE] },
  "gcp-mint-role": {
    hit: [infrastructure("GCP"), credentials("")],
    miss: [infrastructure("GCP"), credentials("Manual")],
  },
  "vsphere-node-names": { hit: [VSPHERE], miss: [AWS] },
  "vsphere-hardware-14": { hit: [infrastructure("None")], miss: [AWS] },
};
