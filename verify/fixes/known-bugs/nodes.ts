import type { JsonObject } from "../../../src/model/json.ts";
import { csv, type Fixture, infrastructure, node, pool, buildObject } from "./fake-cluster.ts";

const ARCH = "kubernetes.io/arch";
const FAMILY = "feature.node.kubernetes.io/cpu-model.family";
const OS_ID = "node.openshift.io/os_id";
const MC = "machineconfiguration.openshift.io/v1";
const AMD = { nodeInfo: { architecture: "amd64" } };
const ARM = { nodeInfo: { architecture: "arm64" } };
const FIFTY = Array.from({ length: 50 }, (_, i) => node(`node-${i}`));

const WORKER_LABEL = "pools.operator.machineconfiguration.openshift.io/worker";
const WORKERS = pool("worker", [WORKER_LABEL]);

/** A KubeletConfig that sets the frequency for the pools with a label. */
function reportsOf(label: string): JsonObject {
  return buildObject(MC, "KubeletConfig", "reports", {
    spec: {
      kubeletConfig: { nodeStatusReportFrequency: "5m" },
      machineConfigPoolSelector: { matchLabels: { [label]: "" } },
    },
  });
}

export const NODES_FIXTURES: Readonly<Record<string, Fixture>> = {
  "arm64-seccomp": { hit: [node("w1", {}, ARM)], miss: [node("w1", { [ARCH]: "amd64" }, AMD)] },
  "custom-selinux-policies": {
    hit: [csv("kubevirt-hyperconverged-operator.v4.10.1", "4.10.1")],
    miss: [
      buildObject(MC, "MachineConfig", "99-own", {
        spec: { config: { systemd: { units: [{ contents: "[Unit]" }] } } },
      }),
    ],
  },
  "amd-19h-firmware": {
    hit: [node("w1", { [FAMILY]: "25" }, AMD)],
    miss: [node("w1", { [FAMILY]: "6" }, AMD), node("w2", {}, ARM)],
  },
  "node-status-reports": {
    hit: [...FIFTY, WORKERS],
    remedied: [...FIFTY, WORKERS, pool("master", []), reportsOf(WORKER_LABEL)],
    miss: [...FIFTY.slice(1), WORKERS],
    otherHits: [
      { hit: [...FIFTY, WORKERS, reportsOf("pools.example/infra")] },
      { hit: [...FIFTY, infrastructure("AWS", "External")] },
    ],
  },
  "fcoe-boot": { hit: [infrastructure("BareMetal")], miss: [infrastructure("AWS")] },
  "rhel-nodes-credential-plugin": {
    hit: [infrastructure("GCP"), node("w1", { [OS_ID]: "rhel" })],
    miss: [infrastructure("AWS"), node("w1", { [OS_ID]: "rhel" })],
  },
  "s390x-container-data": { hit: [node("w1", { [ARCH]: "s390x" })], miss: [node("w1", { [ARCH]: "ppc64le" })] },
  "withdrawn-kernel": { hit: [], miss: [], versionsOnly: true },
};
