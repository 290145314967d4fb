import { getInfrastructurePlatform } from "../../model/infrastructure.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { type Each, type Get, type ListResult, type ReadResults, each, get } from "../../model/read.ts";

/** What makes an operator of the gate's release add the gate; it removes the gate once that no longer holds. */
type Trigger =
  | { readonly kind: "platform"; readonly platforms: readonly string[] }
  | { readonly kind: "arm64Nodes" }
  | { readonly kind: "gatewayCrds" }
  | { readonly kind: "later" };

/** A gate of a release or of one of its operators: no update leaves the release `minor` without the acknowledgement. */
export type Gate = {
  readonly name: string;
  readonly minor: string;
  readonly about: string;
  readonly trigger?: Trigger;
};

/** By their names, which begin with the release. */
const PAST_GATES: readonly Omit<Gate, "minor">[] = [
  {
    name: "ack-4.8-kube-1.22-api-removals-in-4.9",
    about: "4.9 no longer serves beta versions of many APIs, such as those of Ingress, RBAC, CRDs and webhooks",
  },
  {
    name: "ack-4.11-kube-1.25-api-removals-in-4.12",
    about: "4.12 no longer serves PodSecurityPolicy and beta versions of CronJob, PodDisruptionBudget and others",
  },
  {
    name: "ack-4.12-kube-1.26-api-removals-in-4.13",
    about: "4.13 no longer serves autoscaling/v2beta2 and flowcontrol.apiserver.k8s.io/v1beta1",
  },
  {
    name: "ack-4.12-kube-126-vsphere-migration-in-4.14",
    about: "from 4.14 on vSphere volumes are served by the CSI driver, which needs a vSphere that it supports",
    trigger: { kind: "platform", platforms: ["VSphere"] },
  },
  {
    name: "ack-4.13-kube-1.27-api-removals-in-4.14",
    about: "4.14 no longer serves storage.k8s.io/v1beta1 CSIStorageCapacity",
  },
  {
    name: "ack-4.13-kube-127-vsphere-migration-in-4.14",
    about: "from 4.14 on vSphere volumes are served by the CSI driver, which needs a vSphere that it supports",
    trigger: { kind: "platform", platforms: ["VSphere"] },
  },
  {
    name: "ack-4.15-kube-1.29-api-removals-in-4.16",
    about: "4.16 no longer serves flowcontrol.apiserver.k8s.io/v1beta2",
  },
  {
    name: "ack-4.15-route-config-not-supported-in-4.16",
    about: "the router of 4.16 no longer serves some routes, such as those with SHA-1 certificates",
    trigger: { kind: "later" },
  },
  {
    name: "ack-4.18-kube-1.32-api-removals-in-4.19",
    about: "4.19 no longer serves flowcontrol.apiserver.k8s.io/v1beta3",
  },
  {
    name: "ack-4.18-aarch64-bootloader-4.19",
    about: "boot images of arm64 nodes must be recent enough for 4.19",
    trigger: { kind: "arm64Nodes" },
  },
  {
    name: "ack-4.18-boot-image-opt-out-in-4.19",
    about: "4.19 starts to update the boot images of machine sets on AWS and GCP unless configured otherwise",
    trigger: { kind: "platform", platforms: ["AWS", "GCP"] },
  },
  {
    name: "ack-4.18-gateway-api-management-in-4.19",
    about: "4.19 takes over the CRDs of the Gateway API",
    trigger: { kind: "gatewayCrds" },
  },
  {
    name: "ack-4.19-admissionregistration-v1beta1-api-removals-in-4.20",
    about: "4.20 no longer serves admissionregistration.k8s.io/v1beta1",
  },
  {
    name: "ack-4.20-sigstore-in-4.21",
    about: "4.21 verifies sigstore signatures of release images, so registry mirrors must hold them too",
    trigger: { kind: "later" },
  },
  {
    name: "ack-4.21-boot-image-opt-out-in-4.22",
    about: "4.22 starts to update the boot images of machine sets on Azure and vSphere unless configured otherwise",
    trigger: { kind: "platform", platforms: ["Azure", "VSphere"] },
  },
];

/** The gates of past releases. A cluster has only those of its own release; those of the releases on the way come from here. */
export const GATES: readonly Gate[] = PAST_GATES.map((gate) => ({ ...gate, minor: gate.name.split("-")[1] ?? "" }));

type TriggerReads = {
  readonly infrastructure?: Get<string>;
  readonly nodes?: Each<true>;
  readonly crds?: Each<true>;
};

export function buildAllTriggerReads(): Required<TriggerReads> {
  return {
    infrastructure: get("config.openshift.io/v1/infrastructures", "cluster", getInfrastructurePlatform),
    nodes: each("v1/nodes", keepArm64),
    crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepGateway),
  };
}

/** Only the reads that the gates on the way depend on. */
export function selectTriggerReads(upcoming: readonly Gate[]): TriggerReads {
  const kinds = new Set(upcoming.map(({ trigger }) => trigger?.kind));
  const all = buildAllTriggerReads();
  return {
    infrastructure: kinds.has("platform") ? all.infrastructure : undefined,
    nodes: kinds.has("arm64Nodes") ? all.nodes : undefined,
    crds: kinds.has("gatewayCrds") ? all.crds : undefined,
  };
}

function keepArm64(node: JsonObject): true | undefined {
  return textAt(node, "status", "nodeInfo", "architecture") === "arm64" ? true : undefined;
}

const GATEWAY_GROUP = /^gateway\.networking\.(?:x-)?k8s\.io$/;

function keepGateway(crd: JsonObject): true | undefined {
  return GATEWAY_GROUP.test(textAt(crd, "spec", "group") ?? "") ? true : undefined;
}

/** What makes operators add gates. What is absent was not read: no gate on the way depends on it, or the read failed. */
export type TriggerFacts = Partial<ReadResults<TriggerReads>>;

/** Whether the gate will exist. `unknown`: the read that decides failed, and the runner reports that. */
type Prediction = "yes" | "no" | "unsure" | "unknown";

export function predictGate({ trigger }: Gate, facts: TriggerFacts): Prediction {
  return trigger === undefined ? "yes" : predictTrigger(trigger, facts);
}

function predictTrigger(trigger: Trigger, { infrastructure, nodes, crds }: TriggerFacts): Prediction {
  switch (trigger.kind) {
    case "later":
      return "unsure";
    case "platform": {
      const platform = infrastructure?.kind === "found" ? infrastructure.value : "";
      // On these platforms the gate depends on more, which can still change.
      return platform === "" || trigger.platforms.includes(platform) ? "unsure" : "no";
    }
    case "arm64Nodes":
      return predictPresence(nodes);
    case "gatewayCrds":
      return predictPresence(crds);
  }
}

function predictPresence(objects: ListResult<true> | undefined): Prediction {
  if (objects?.kind !== "found") return "unknown";
  return objects.values.length > 0 ? "yes" : "no";
}
