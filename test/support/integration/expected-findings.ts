import { getKubernetesMinor, leavesMinor } from "../../../src/model/version.ts";
import { version } from "../fixtures.ts";
import type { Topology } from "./topologies.ts";

/** A seeded cluster, which runs patch 8 of its release, and a target. */
export type HealthyUpdate = {
  readonly release: string;
  readonly topology: Topology;
  readonly target: string;
};

type ExpectedFinding = {
  readonly why: string;
  readonly isExpected: (pair: HealthyUpdate) => boolean;
  readonly lines: (pair: HealthyUpdate) => readonly string[];
};

const BRIDGE = "NetworkAttachmentDefinition demo-a/bridge-a";
const STALL_RISK = "dual-stack DualStackAdditionalNetworksStall";
const ACK_PATH = "ConfigMap openshift-config/admin-acks data.ack-";
const CAPABILITIES = "capability-enums CapabilityRejected ClusterVersion version status.capabilities";
const MASTERS = [0, 1, 2].map((i) => `master-${i}.demo.example.com`);
const WORKERS = [0, 1, 2].map((i) => `worker-${i}.demo.example.com`);
const NODES: Readonly<Record<Topology, readonly string[]>> = {
  ha: [...MASTERS, ...WORKERS],
  dual: [...MASTERS, ...WORKERS],
  compact: MASTERS,
  "single-node": MASTERS.slice(0, 1),
  hosted: WORKERS,
};

/** The real risks of an update of a seeded cluster, and why. Nothing else may be found. */
const EXPECTED_FINDINGS: readonly ExpectedFinding[] = [
  {
    why: "the seeded gate of each release is not acknowledged",
    isExpected: (pair) => leavesMinor(parseVersions(pair)),
    lines: (pair) => [
      `admin-acks AdminAckMissing ${ACK_PATH}${pair.release}-kube-1.${getSourceKubernetesMinor(pair) + 1}-api-removals`,
    ],
  },
  {
    why: "an update that skips a release meets the gates of the one between",
    isExpected: isOneOf("4.12 -> 4.14.2", "4.14 -> 4.16.2", "4.17 -> 4.19.2", "4.18 -> 4.20.3"),
    lines: ({ target }) => [`admin-acks AdminAckMissingOnTheWay ${ACK_PATH}${SKIPPED_GATES[target] ?? ""}`],
  },
  {
    why: "the seeded budget demo-a/tight allows no pod to go",
    isExpected: ({ topology }) => topology !== "single-node",
    lines: () => ["drain-blocked DrainBlockedByDisruptionBudget PodDisruptionBudget demo-a/tight spec.maxUnavailable"],
  },
  {
    why: "the seeded operator declares its own release as the last one",
    isExpected: (pair) => getMinorDistance(pair) > 0,
    lines: () => [
      "operator-max-version OperatorIncompatibleWithTarget ClusterServiceVersion openshift-operators/demo-operator.v1.2.3",
    ],
  },
  {
    why: "odd minors of 4 take kubelets of the minor before, and these are two behind",
    isExpected: isOneOf("4.13 -> 4.15.2", "4.15 -> 4.17.2", "4.17 -> 4.19.2", "4.19 -> 4.21.2", "4.21 -> 4.23.2"),
    lines: (pair) => getNodes(pair).map((name) => `kubelet-skew KubeletTooOldForTarget Node ${name}`),
  },
  {
    why: "no API server takes newer kubelets, with which a way back begins",
    isExpected: (pair) => getMinorDistance(pair) < 0,
    lines: (pair) => getNodes(pair).map((name) => `kubelet-skew KubeletNewerThanTarget Node ${name}`),
  },
  {
    why: "the cluster-version operator goes back to no other minor",
    isExpected: (pair) => getMinorDistance(pair) < 0,
    lines: () => ["cluster-version TargetBelowDesired ClusterVersion version status.desired.version"],
  },
  {
    why: "4.14 to 4.14.15 lose nodes on AWS with names that AWS didn't give",
    isExpected: (pair) => pair.topology !== "dual" && isOneOf("4.12 -> 4.14.2", "4.13 -> 4.14.2")(pair),
    lines: (pair) => getNodes(pair).map((name) => `known-bugs AWSNodesOfOtherDomainsDropOut Node ${name}`),
  },
  {
    why: "4.15 to 4.15.10 let installed operators seem failed",
    isExpected: isOneOf("4.13 -> 4.15.2", "4.14 -> 4.15.2"),
    lines: () => [
      "known-bugs InstalledOperatorsSeemFailed ClusterServiceVersion openshift-operators/demo-operator.v1.2.3",
    ],
  },
  {
    why: "4.18.12 is of the releases that miscount the console",
    isExpected: isOneOf("4.17 -> 4.18.12"),
    lines: () => ["known-bugs ConsoleTargetAlwaysDown ClusterVersion version"],
  },
  {
    why: "4.18.1 to 4.18.21 stall on networks with Whereabouts addresses",
    isExpected: isOneOf("4.16 -> 4.18.2", "4.17 -> 4.18.12"),
    lines: () => [`known-bugs WhereaboutsShimStallsUpdate ${BRIDGE}`],
  },
  {
    why: "4.21 to 4.21.8 want a 4.20.15 or later before them",
    isExpected: (pair) => pair.topology !== "hosted" && isOneOf("4.19 -> 4.21.2", "4.20 -> 4.21.2")(pair),
    lines: () => ["known-bugs EtcdMembersFromOldStorage ClusterVersion version"],
  },
  {
    why: "4.12.18 to 4.12.25 and 4.13.0 to 4.13.4 stall on networks with Whereabouts addresses",
    isExpected: isOneOf("4.12 -> 4.12.19", "4.12 -> 4.13.2"),
    lines: () => [`dual-stack WhereaboutsNetworksStall ${BRIDGE} spec.config`],
  },
  {
    why: "4.12.18 to 4.12.20 stall on dual-stack with additional networks",
    isExpected: (pair) => pair.topology === "dual" && isOneOf("4.12 -> 4.12.19")(pair),
    lines: () => [
      `${STALL_RISK} Network cluster status.serviceNetwork`,
      `${STALL_RISK} ${BRIDGE}`,
      `${STALL_RISK} NetworkAttachmentDefinition demo-a/macvlan-b`,
    ],
  },
  {
    why: "4.16 converts ConsolePlugins by a webhook whose Service is neither among these manifests nor on a 4.17 cluster",
    isExpected: isOneOf("4.17 -> 4.16.2"),
    lines: () => [
      "crd-skew CrdConversionUnavailable CustomResourceDefinition consoleplugins.console.openshift.io spec.conversion.webhook.clientConfig.service",
    ],
  },
  {
    why: "4.16 knows no managedBootImages, and 4.22 no backendQuotaGiB; guests have neither object",
    isExpected: (pair) => pair.topology !== "hosted" && isOneOf("4.17 -> 4.16.2", "5.0 -> 4.22.2")(pair),
    lines: ({ release }) => [
      release === "5.0"
        ? "crd-skew CustomResourceFieldsDropped Etcd cluster spec.backendQuotaGiB"
        : "crd-skew CustomResourceFieldsDropped MachineConfiguration cluster spec.managedBootImages",
    ],
  },
  {
    why: "4.18 brought the capability OperatorLifecycleManagerV1, which the API of 4.17 rejects",
    isExpected: isOneOf("4.18 -> 4.17.2"),
    lines: () => [`${CAPABILITIES}.enabledCapabilities[16]`, `${CAPABILITIES}.knownCapabilities[16]`],
  },
];

const SKIPPED_GATES: Readonly<Record<string, string>> = {
  "4.14.2": "4.13-kube-1.27-api-removals-in-4.14",
  "4.16.2": "4.15-kube-1.29-api-removals-in-4.16",
  "4.19.2": "4.18-kube-1.32-api-removals-in-4.19",
  "4.20.3": "4.19-admissionregistration-v1beta1-api-removals-in-4.20",
};

export function getExpectedFindings(pair: HealthyUpdate): readonly string[] {
  return EXPECTED_FINDINGS.filter(({ isExpected }) => isExpected(pair)).flatMap(({ lines }) => lines(pair));
}

function isOneOf(...pairs: readonly string[]): (pair: HealthyUpdate) => boolean {
  return ({ release, target }) => pairs.includes(`${release} -> ${target}`);
}

function parseVersions({ release, target }: HealthyUpdate): {
  readonly source: ReturnType<typeof version>;
  readonly target: ReturnType<typeof version>;
} {
  return { source: version(`${release}.8`), target: version(target) };
}

function getSourceKubernetesMinor(pair: HealthyUpdate): number {
  return getKubernetesMinor(parseVersions(pair).source);
}

/** The number of Kubernetes minors that the update moves forward or back. */
function getMinorDistance(pair: HealthyUpdate): number {
  return getKubernetesMinor(parseVersions(pair).target) - getSourceKubernetesMinor(pair);
}

function getNodes({ topology }: HealthyUpdate): readonly string[] {
  return NODES[topology];
}
