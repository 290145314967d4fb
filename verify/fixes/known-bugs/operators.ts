import type { JsonObject } from "../../../src/model/json.ts";
import { csv, type Fixture, buildObject } from "./fake-cluster.ts";

const METALLB = csv("metallb-operator.v4.17.0-202501010000", "4.17.0-202501010000");

/** An operator with the day and the time at which it was built. */
function dated(name: string, minor: string, day: string, time = "0610"): JsonObject {
  return csv(`${name}.v${minor}.0-${day}${time}`, `${minor}.0-${day}${time}`);
}

function peer(spec: JsonObject): JsonObject {
  return buildObject("metallb.io/v1beta2", "BGPPeer", "metallb-system/tor", { spec });
}

const NUMA = "numaresources-operator.v4.16.1";

export const OPERATORS_FIXTURES: Readonly<Record<string, Fixture>> = {
  "numa-resources-selinux": {
    hit: [csv(NUMA, "4.16.1")],
    miss: [
      csv(NUMA, "4.16.1", "Failed"),
      csv(NUMA, "4.16.1", "Succeeded", { "olm.copiedFrom": "openshift-numaresources" }),
      csv("numaresources-operator-demo.v4.16.1", "4.16.1"),
    ],
  },
  "sriov-kernel-structures": {
    hit: [dated("sriov-network-operator", "4.14", "20240825")],
    remedied: [dated("sriov-network-operator", "4.14", "20240826")],
    miss: [dated("sriov-network-operator", "4.14", "20250102")],
    // Its time ends like a year after the fix.
    otherHits: [{ hit: [dated("sriov-network-operator", "4.14", "20240825", "2030")] }],
  },
  "olm-operators-fail": {
    hit: [csv("web-operator.v1.2.0", "1.2.0")],
    miss: [csv("packageserver", "0.0.1-snapshot"), csv("web-operator.v1.2.0", "1.2.0", "Pending")],
  },
  "driver-toolkit-kernel": {
    hit: [csv("kernel-module-management.v2.3.0", "2.3.0")],
    miss: [csv("node-feature-discovery-operator.v4.16.0", "4.16.0")],
  },
  "metallb-bfd": {
    hit: [METALLB, peer({ bfdProfile: "fast" })],
    miss: [METALLB, peer({ bfdProfile: "" })],
  },
  "crun-nvidia": {
    hit: [csv("gpu-operator-certified.v25.3.0", "25.3.0")],
    miss: [
      csv("gpu-operator-certified.v25.3.0", "25.3.0"),
      buildObject(
        "machineconfiguration.openshift.io/v1",
        "MachineConfig",
        "00-override-worker-generated-crio-default-container-runtime",
      ),
    ],
  },
  "ptp-pins": {
    hit: [dated("ptp-operator", "4.20", "20260331")],
    remedied: [dated("ptp-operator", "4.20", "20260421")],
    miss: [dated("ptp-operator", "4.20", "20261002")],
    otherHits: ["20251231", "20260331", "20260420"].map((day) => ({
      hit: [dated("ptp-operator", "4.20", day, "2030")],
    })),
    otherMisses: ["20260430", "20260501", "20260930", "20271231"].map((day) => ({
      miss: [dated("ptp-operator", "4.20", day)],
    })),
  },
};
