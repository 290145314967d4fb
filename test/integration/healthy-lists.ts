import { kubernetesMinor, leavesMinor } from "../../src/model/version.ts";
import { version } from "../support/cluster.ts";

/** A seeded cluster, which runs patch 8 of its release, and a target. */
export type Pair = {
  readonly release: string;
  readonly network: "single" | "dual";
  readonly isSingleNode: boolean;
  readonly target: string;
};

type Truth = {
  readonly why: string;
  readonly of: (pair: Pair) => boolean;
  readonly lines: (pair: Pair) => readonly string[];
};

const BRIDGE = "NetworkAttachmentDefinition demo-a/bridge-a";
const STALLS = "dual-stack DualStackAdditionalNetworksStall";
const ACK = "ConfigMap openshift-config/admin-acks data.ack-";
const CAPABILITIES = "capability-enums CapabilityRejected ClusterVersion version status.capabilities";
const MASTERS = [0, 1, 2].map((i) => `master-${i}.demo.example.com`);
const WORKERS = [0, 1, 2].map((i) => `worker-${i}.demo.example.com`);

/** What is truly against an update of a seeded cluster, and why. Nothing else may be found. */
const TRUTHS: readonly Truth[] = [
  {
    why: "the seeded gate of each release is not acknowledged",
    of: (pair) => leavesMinor(versionsOf(pair)),
    lines: (pair) => [`admin-acks AdminAckMissing ${ACK}${pair.release}-kube-1.${kubernetesOf(pair) + 1}-api-removals`],
  },
  {
    why: "an update that skips a release meets the gates of the one between",
    of: among("4.12 -> 4.14.2", "4.14 -> 4.16.2", "4.17 -> 4.19.2", "4.18 -> 4.20.3"),
    lines: ({ target }) => [`admin-acks AdminAckMissingOnTheWay ${ACK}${GATES_BEFORE[target] ?? ""}`],
  },
  {
    why: "the seeded budget demo-a/tight allows no pod to go",
    of: ({ isSingleNode }) => !isSingleNode,
    lines: () => ["drain-blocked DrainBlockedByDisruptionBudget PodDisruptionBudget demo-a/tight spec.maxUnavailable"],
  },
  {
    why: "the seeded operator declares its own release as the last one",
    of: (pair) => stepsOf(pair) > 0,
    lines: () => [
      "operator-max-version OperatorIncompatibleWithTarget ClusterServiceVersion openshift-operators/demo-operator.v1.2.3",
    ],
  },
  {
    why: "a seeded client asks for an API that the next Kubernetes minor removes",
    of: (pair) => stepsOf(pair) > 0,
    lines: () => [
      "removed-apis RemovedKubernetesAPIInUse APIRequestCount flowschemas.v1beta3.flowcontrol.apiserver.k8s.io",
    ],
  },
  {
    why: "odd minors of 4 take kubelets of the minor before, and these are two behind",
    of: among("4.13 -> 4.15.2", "4.15 -> 4.17.2", "4.17 -> 4.19.2", "4.19 -> 4.21.2", "4.21 -> 4.23.2"),
    lines: (pair) => nodesOf(pair).map((name) => `kubelet-skew KubeletTooOldForTarget Node ${name}`),
  },
  {
    why: "no API server takes newer kubelets, with which a way back begins",
    of: (pair) => stepsOf(pair) < 0,
    lines: (pair) => nodesOf(pair).map((name) => `kubelet-skew KubeletNewerThanTarget Node ${name}`),
  },
  {
    why: "4.14 to 4.14.15 lose nodes on AWS with names that AWS didn't give",
    of: (pair) => pair.network === "single" && among("4.12 -> 4.14.2", "4.13 -> 4.14.2")(pair),
    lines: (pair) => nodesOf(pair).map((name) => `known-bugs AWSNodesOfOtherDomainsDropOut Node ${name}`),
  },
  {
    why: "4.15 to 4.15.10 let installed operators seem failed",
    of: among("4.13 -> 4.15.2", "4.14 -> 4.15.2"),
    lines: () => [
      "known-bugs InstalledOperatorsSeemFailed ClusterServiceVersion openshift-operators/demo-operator.v1.2.3",
    ],
  },
  {
    why: "4.18.12 is of the releases that miscount the console",
    of: among("4.17 -> 4.18.12"),
    lines: () => ["known-bugs ConsoleTargetAlwaysDown ClusterVersion version"],
  },
  {
    why: "4.18.1 to 4.18.21 stall on networks with Whereabouts addresses",
    of: among("4.16 -> 4.18.2", "4.17 -> 4.18.12"),
    lines: () => [`known-bugs WhereaboutsShimStallsUpdate ${BRIDGE}`],
  },
  {
    why: "4.21 to 4.21.8 want a 4.20.15 or later before them",
    of: among("4.19 -> 4.21.2", "4.20 -> 4.21.2"),
    lines: () => ["known-bugs EtcdMembersFromOldStorage ClusterVersion version"],
  },
  {
    why: "4.12.18 to 4.12.25 and 4.13.0 to 4.13.4 stall on networks with Whereabouts addresses",
    of: among("4.12 -> 4.12.19", "4.12 -> 4.13.2"),
    lines: () => [`dual-stack WhereaboutsNetworksStall ${BRIDGE} spec.config`],
  },
  {
    why: "4.12.18 to 4.12.20 stall on dual-stack with additional networks",
    of: (pair) => pair.network === "dual" && among("4.12 -> 4.12.19")(pair),
    lines: () => [
      `${STALLS} Network cluster status.serviceNetwork`,
      `${STALLS} ${BRIDGE}`,
      `${STALLS} NetworkAttachmentDefinition demo-a/macvlan-b`,
    ],
  },
  {
    why: "4.16 converts ConsolePlugins by a webhook whose Service is neither among these manifests nor on a 4.17 cluster",
    of: among("4.17 -> 4.16.2"),
    lines: () => [
      "crd-skew CrdConversionUnavailable CustomResourceDefinition consoleplugins.console.openshift.io spec.conversion.webhook.clientConfig.service",
    ],
  },
  {
    why: "4.16 knows no managedBootImages, and 4.22 no backendQuotaGiB",
    of: among("4.17 -> 4.16.2", "5.0 -> 4.22.2"),
    lines: ({ release }) => [
      release === "5.0"
        ? "crd-skew CustomResourceFieldsDropped Etcd cluster spec.backendQuotaGiB"
        : "crd-skew CustomResourceFieldsDropped MachineConfiguration cluster spec.managedBootImages",
    ],
  },
  {
    why: "4.18 brought the capability OperatorLifecycleManagerV1, which the API of 4.17 rejects",
    of: among("4.18 -> 4.17.2"),
    lines: () => [`${CAPABILITIES}.enabledCapabilities[16]`, `${CAPABILITIES}.knownCapabilities[16]`],
  },
];

const GATES_BEFORE: Readonly<Record<string, string>> = {
  "4.14.2": "4.13-kube-1.27-api-removals-in-4.14",
  "4.16.2": "4.15-kube-1.29-api-removals-in-4.16",
  "4.19.2": "4.18-kube-1.32-api-removals-in-4.19",
  "4.20.3": "4.19-admissionregistration-v1beta1-api-removals-in-4.20",
};

export function truthsOf(pair: Pair): readonly string[] {
  return TRUTHS.filter(({ of }) => of(pair)).flatMap(({ lines }) => lines(pair));
}

function among(...pairs: readonly string[]): (pair: Pair) => boolean {
  return ({ release, target }) => pairs.includes(`${release} -> ${target}`);
}

function versionsOf({ release, target }: Pair): {
  readonly source: ReturnType<typeof version>;
  readonly target: ReturnType<typeof version>;
} {
  return { source: version(`${release}.8`), target: version(target) };
}

function kubernetesOf(pair: Pair): number {
  return kubernetesMinor(versionsOf(pair).source);
}

/** How many minors of Kubernetes the update goes on, or back. */
function stepsOf(pair: Pair): number {
  return kubernetesMinor(versionsOf(pair).target) - kubernetesOf(pair);
}

function nodesOf({ isSingleNode }: Pair): readonly string[] {
  return isSingleNode ? MASTERS.slice(0, 1) : [...MASTERS, ...WORKERS];
}
