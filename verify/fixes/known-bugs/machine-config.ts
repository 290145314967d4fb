import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, infrastructure, node, buildObject } from "./fake-cluster.ts";

const MC = "machineconfiguration.openshift.io/v1";
const AWS = infrastructure("AWS");
const MASTER = "node-role.kubernetes.io/master";
const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
const WRITTEN_BY = "machineconfiguration.openshift.io/generated-by-controller-version";
const OS_ID = "node.openshift.io/os_id";

function kubeletConfig(name: string, more: JsonObject = {}): JsonObject {
  return buildObject(MC, "KubeletConfig", name, more);
}

function gates(featureGates: JsonObject): JsonObject {
  return { spec: { kubeletConfig: { featureGates } } };
}

function runtimeConfig(finalizers: readonly string[]): JsonObject {
  return buildObject(MC, "ContainerRuntimeConfig", "limits", { metadata: { finalizers } });
}

/** A machine config from a build of the operator, or from somebody else if no build is given. */
function machineConfig(name: string, build?: string, spec: JsonObject = {}): JsonObject {
  const annotations: JsonObject = build === undefined ? {} : { [WRITTEN_BY]: build };
  return buildObject(MC, "MachineConfig", name, { metadata: { annotations }, spec });
}

const IMAGE_POLICY = { config: { storage: { files: [{ path: "/etc/containers/policy.json" }] } } };

function images(registrySources: JsonObject): JsonObject {
  return buildObject("config.openshift.io/v1", "Image", "cluster", { spec: { registrySources } });
}

const ROLE = { metadata: { labels: { "machineconfiguration.openshift.io/role": "worker" } } };

export const MACHINE_CONFIG_FIXTURES: Readonly<Record<string, Fixture>> = {
  "rendering-churn": {
    hit: [kubeletConfig("pods", gates({ Other: true }))],
    remedied: [kubeletConfig("pods", gates({ Other: true, CSIMigrationOpenStack: true }))],
    miss: [],
  },
  "leaked-machine-configs": {
    hit: [
      machineConfig("00-worker", "b2"),
      machineConfig("99-worker-generated-kubelet", "b2"),
      machineConfig("98-infra-generated-kubelet", "b1"),
    ],
    remedied: [machineConfig("00-worker", "b2"), machineConfig("99-worker-generated-kubelet", "b2")],
    miss: [
      machineConfig("00-worker", "b2"),
      machineConfig("99-worker-generated-kubelet", "b2"),
      machineConfig("99-worker-generated-containerruntime-1", "b2"),
      machineConfig("99-worker-own-kubelet"),
      machineConfig("rendered-worker-1", "b1"),
    ],
  },
  "labeled-configs": {
    hit: [kubeletConfig("pods", ROLE)],
    remedied: [kubeletConfig("pods")],
    miss: [],
    otherRemedies: [
      {
        hit: [buildObject(MC, "ContainerRuntimeConfig", "limits", ROLE)],
        remedied: [buildObject(MC, "ContainerRuntimeConfig", "limits")],
      },
    ],
  },
  "runtime-config-finalizers": {
    hit: [runtimeConfig(["99-worker-generated-containerruntime"])],
    remedied: [runtimeConfig([])],
    miss: [
      runtimeConfig(["99-worker-generated-containerruntime", "foregroundDeletion"]),
      buildObject(MC, "MachineConfig", "99-worker-generated-containerruntime"),
    ],
  },
  "rhel-nodes-reboot": { hit: [node("w1", { [OS_ID]: "rhel" })], miss: [node("w1", { [OS_ID]: "rhcos" })] },
  "server-ca-rotation": { hit: [], miss: [], versionsOnly: true },
  "control-plane-labels": {
    hit: [AWS, node("m1", { [MASTER]: "" })],
    remedied: [AWS, node("m1", { [MASTER]: "", [CONTROL_PLANE]: "" })],
    miss: [AWS, node("w1")],
  },
  "os-image-policy": {
    hit: [AWS, machineConfig("50-image-policy", undefined, IMAGE_POLICY)],
    remedied: [AWS, machineConfig("50-image-policy", undefined, { config: { storage: { files: [] } } })],
    otherRemedies: [{ hit: [AWS, images({ allowedRegistries: ["quay.example"] })], remedied: [AWS, images({})] }],
    miss: [
      AWS,
      images({ blockedRegistries: ["docker.example"] }),
      machineConfig("01-worker-container-runtime", "b1", IMAGE_POLICY),
    ],
  },
};
