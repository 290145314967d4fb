import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, buildObject, infrastructure } from "./fake-cluster.ts";

const AWS = infrastructure("AWS");
const MACHINES = "machine.openshift.io/v1beta1";
const OLD = { ami: { id: "ami-4-1" }, userDataSecret: { name: "worker-user-data" } };
/** An image of the running release, with the user data of the installation in a new format. */
const LISTED = { ...OLD, ami: { id: "ami-listed" } };
const MANAGED = { ami: { id: "ami-later" }, userDataSecret: { name: "worker-user-data-managed" } };

/** The images of the running release. */
const IMAGES = bootImages(
  JSON.stringify({
    architectures: { x86_64: { images: { aws: { regions: { "eu-west-1": { image: "ami-listed" } } } } } },
  }),
);

function bootImages(stream: string): JsonObject {
  return buildObject("v1", "ConfigMap", "openshift-machine-config-operator/coreos-bootimages", { data: { stream } });
}

function machineSet(value: JsonObject): JsonObject {
  return buildObject(MACHINES, "MachineSet", "openshift-machine-api/workers", {
    spec: { template: { spec: { providerSpec: { value } } } },
  });
}

function machine(value: JsonObject, name = "workers-1"): JsonObject {
  return buildObject(MACHINES, "Machine", `openshift-machine-api/${name}`, { spec: { providerSpec: { value } } });
}

function node(annotations: JsonObject): JsonObject {
  return buildObject("v1", "Node", "w1", { metadata: { annotations } });
}

const OF_A_MACHINE = node({ "machine.openshift.io/machine": "openshift-machine-api/workers-1" });
/** Enough releases that the operator may have dropped the first ones. */
const LONG_HISTORY = Array.from({ length: 50 }, (_, i) => `4.9.${50 - i}`);

export const BOOT_IMAGES_FIXTURES: Readonly<Record<string, Fixture>> = {
  "boot-image-afterburn": {
    hit: [AWS, machineSet(OLD), IMAGES],
    hitHistory: ["4.2.9", "4.1.20"],
    remedied: [AWS, machineSet(MANAGED), IMAGES],
    miss: [AWS, machineSet(OLD), IMAGES],
    missHistory: ["4.2.0"],
    otherRemedies: [
      { hit: [AWS, machineSet(OLD), IMAGES], remedied: [AWS, machineSet(LISTED), IMAGES] },
      { hit: [AWS, machineSet({ ami: { filters: [] } })], remedied: [AWS, machineSet(LISTED), IMAGES] },
      { hit: [AWS, machineSet(LISTED)], remedied: [AWS, machineSet(MANAGED)] },
      { hit: [AWS, machineSet(LISTED), bootImages("{")], remedied: [AWS, machineSet(LISTED), IMAGES] },
    ],
  },
  "boot-image-aws-42": {
    hit: [AWS, machineSet(OLD)],
    hitHistory: ["4.2.33"],
    remedied: [AWS, machineSet(MANAGED)],
    miss: [AWS, machineSet(OLD)],
    missHistory: ["4.3.0"],
    // Without machine sets, the images of new machines don't show.
    otherHits: [{ hit: [AWS], hitHistory: ["4.2.33"] }],
  },
  "boot-image-podman-authfile": {
    hit: [machineSet(OLD)],
    hitHistory: LONG_HISTORY,
    remedied: [machineSet(MANAGED)],
    miss: [machineSet(OLD)],
    missHistory: ["4.9.1"],
  },
  "boot-image-os-release": {
    hit: [machineSet(OLD)],
    hitHistory: ["4.1.0"],
    remedied: [machineSet(MANAGED)],
    miss: [machineSet(OLD)],
    missHistory: ["4.3.0"],
  },
  "boot-image-composefs": {
    hit: [machine(OLD), machine(MANAGED, "workers-2"), OF_A_MACHINE],
    hitHistory: ["4.2.0-rc.1"],
    remedied: [machine(MANAGED), machine(MANAGED, "workers-2"), OF_A_MACHINE],
    miss: [machine(OLD)],
    missHistory: ["4.10.0"],
    // Without a machine, the image of a node doesn't show.
    otherHits: [{ hit: [node({})], hitHistory: ["4.2.0"] }],
  },
  "boot-image-scos": { hit: [], miss: [], versionsOnly: true },
};
