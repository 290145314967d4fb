import type { Json } from "../../../src/model/json.ts";
import type { CaseRemedy } from "./case-remedies.ts";
import type { Edit } from "./edits.ts";

const OPERATORS = "/apis/config.openshift.io/v1/clusteroperators";
const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const NETWORK = "/apis/config.openshift.io/v1/networks/cluster";
const GATES = "/api/v1/namespaces/openshift-config-managed/configmaps/admin-gates";
const SECRETS = "/api/v1/secrets";
const SERVICES = "/api/v1/services";
const SLICES = "/apis/discovery.k8s.io/v1/endpointslices";
const NODES = "/api/v1/nodes";
const WIDGETS = "/apis/storage.example.com/v1/widgets";
const REQUEST_COUNTS = "/apis/apiserver.openshift.io/v1/apirequestcounts";
const BUDGETS = "/apis/policy/v1/poddisruptionbudgets";
const ETCD = "/apis/operator.openshift.io/v1/etcds/cluster";
const VOLUMES = "/api/v1/persistentvolumes";
const POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools";
const EXTENSIONS = "/apis/olm.operatorframework.io/v1/clusterextensions";

const NOT_AFTER = ["metadata", "annotations", "auth.openshift.io/certificate-not-after"] as const;

function setItemCondition(path: string, name: string, type: string, status: string): Edit {
  return [path, ["items", { name }, "status", "conditions", { type }, "status"], status];
}

function setCondition(path: string, type: string, status: string): Edit {
  return [path, ["status", "conditions", { type }, "status"], status];
}

function setContainerd(name: string): Edit {
  return [NODES, ["items", { name }, "status", "nodeInfo", "containerRuntimeVersion"], "containerd://2.1.4"];
}

function buildControlPlaneNode(name: string): Json {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "node-role.kubernetes.io/master": "" } },
    status: { conditions: [{ type: "Ready", status: "True", lastTransitionTime: "1969-12-01T00:00:00Z" }] },
  };
}

function buildService(namespace: string, name: string): Json {
  return { apiVersion: "v1", kind: "Service", metadata: { namespace, name }, spec: { ports: [{ port: 443 }] } };
}

function buildSlice(namespace: string, service: string): Json {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { namespace, name: `${service}-x1`, labels: { "kubernetes.io/service-name": service } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.1"], conditions: { ready: true } }],
    ports: [{ port: 8443 }],
  };
}

/** The cluster after the remedy of each risk without a command, as somebody or an operator repaired it, by the risk's name. */
export const STATE_REMEDIES: Readonly<Record<string, CaseRemedy>> = {
  AdminGateInvalid: {
    case: "admin-acks/risk-gates-invalid",
    edits: ["ack-4.018-zero", "ack-4.18", "ack-4.18-empty", "demo"].map((gate) => [GATES, ["data", gate]]),
  },
  PlatformCertificatesExpired: {
    case: "certificates-expiring/risk-etcd-of-a-node",
    edits: [[SECRETS, ["items", 0, ...NOT_AFTER], "1972-12-01T00:00:00Z"]],
  },
  PlatformCertificatesEnding: {
    case: "certificates-expiring/risk-ending",
    edits: ["aggregator-client", "no-beginning"].map((name) => [
      SECRETS,
      ["items", { name }, ...NOT_AFTER],
      "1970-01-31T12:00:00Z",
    ]),
  },
  ClusterOperatorNotUpgradeable: {
    case: "cluster-operators/risk-not-upgradeable-on-the-same-place",
    edits: [setItemCondition(OPERATORS, "machine-config", "Upgradeable", "True")],
  },
  ClusterOperatorUnhealthy: {
    case: "cluster-operators/risk-availability-unknown-without-a-time",
    edits: [setItemCondition(OPERATORS, "monitoring", "Available", "True")],
  },
  ClusterVersionFailing: {
    case: "cluster-version/risk-failing-because-of-an-operator",
    edits: [setCondition(CLUSTER_VERSION, "Failing", "False")],
  },
  EarlierUpdateIncomplete: {
    case: "cluster-version/risk-earlier-update-incomplete-without-conditions",
    edits: [[CLUSTER_VERSION, ["status", "history", 0, "state"], "Completed"]],
  },
  ClusterVersionNotUpgradeable: {
    case: "cluster-version/risk-not-upgradeable-without-the-acknowledgement",
    edits: [setCondition(CLUSTER_VERSION, "Upgradeable", "True")],
  },
  TargetNotAccepted: {
    case: "cluster-version/risk-target-not-verified",
    edits: [setCondition(CLUSTER_VERSION, "ReleaseAccepted", "True")],
  },
  HighlyAvailableControlPlaneIncomplete: {
    case: "control-plane-nodes/risk-no-nodes",
    edits: [[NODES, ["items"], ["control-0", "control-1", "control-2"].map(buildControlPlaneNode)]],
  },
  CustomResourceFieldsDropped: {
    case: "crd-skew/risk-field-dropped",
    edits: [[WIDGETS, ["items", 0, "spec", "old"]]],
  },
  CrdServedVersionRemoved: {
    case: "crd-skew/risk-rollback-served-version-removed",
    edits: [[REQUEST_COUNTS, ["items", 0, "status", "last24h", 1], { requestCount: 0 }]],
  },
  CrdConversionUnavailable: {
    case: "crd-skew/risk-conversion-moved-to-another-service",
    edits: [[SLICES, ["items"], [buildSlice("demo-hooks", "converter")]]],
  },
  CrdDeletedWithObjects: {
    case: "crd-skew/risk-crd-deleted-with-objects",
    edits: [[WIDGETS, ["items"], []]],
  },
  DisruptionBudgetExhausted: {
    case: "drain-blocked/risk-no-disruption-for-two-hours",
    edits: [
      [BUDGETS, ["items", 0, "status", "currentHealthy"], 3],
      [BUDGETS, ["items", 0, "status", "disruptionsAllowed"], 1],
      setItemCondition(BUDGETS, "web", "DisruptionAllowed", "True"),
    ],
  },
  DualStackPluginUnsupported: {
    case: "dual-stack/risk-dual-stack-on-a-plugin-of-one-family",
    edits: [[NETWORK, ["spec", "serviceNetwork"], ["172.30.0.0/16"]]],
  },
  NetworkPluginRemoved: {
    case: "dual-stack/risk-plugin-removed-on-the-way",
    edits: [
      [NETWORK, ["spec", "networkType"], "OVNKubernetes"],
      [NETWORK, ["status", "networkType"], "OVNKubernetes"],
    ],
  },
  EtcdNotHealthy: {
    case: "etcd-health/risk-member-degraded",
    edits: [setCondition(ETCD, "EtcdMembersDegraded", "False")],
  },
  VolumePluginGone: {
    case: "in-tree-volumes/risk-kubernetes-without-openshift",
    edits: [[VOLUMES, ["items", { name: "a" }]]],
  },
  CSIDriverOfInTreeVolumesMissing: {
    case: "in-tree-volumes/risk-kubernetes-without-openshift",
    edits: [
      [
        "/apis/storage.k8s.io/v1/csidrivers",
        ["items"],
        [{ apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: { name: "pxd.portworx.com" }, spec: {} }],
      ],
    ],
  },
  IngressControllerBlocksUpdate: {
    case: "ingress-controllers/risk-same-place-on-the-line",
    edits: [setItemCondition("/apis/operator.openshift.io/v1/ingresscontrollers", "default", "Upgradeable", "True")],
  },
  KubeletNewerThanTarget: {
    case: "kubelet-skew/risk-newer-than-the-target",
    edits: [[NODES, ["items", { name: "worker-0" }, "status", "nodeInfo", "kubeletVersion"], "v1.33.5"]],
  },
  DegradedMachineConfigPool: {
    case: "machine-config-pools/risk-degraded-node",
    edits: ["NodeDegraded", "Degraded"].map((type) => setItemCondition(POOLS, "worker", type, "False")),
  },
  MachineConfigPoolImageBuildInterrupted: {
    case: "machine-config-pools/risk-build-interrupted",
    edits: [setItemCondition(POOLS, "layered", "BuildInterrupted", "False")],
  },
  ContainerdTooOldForTarget: {
    case: "node-requirements/risk-containerd-1",
    edits: [setContainerd("old-0"), setContainerd("old-1")],
  },
  ControlPlaneNodeNotReady: {
    case: "nodes/risk-kubernetes-control-plane-not-ready",
    edits: [setItemCondition(NODES, "cp-1", "Ready", "True")],
  },
  OperatorRefusesUpdates: {
    case: "operator-conditions/risk-spec-is-newer-than-status",
    edits: [
      ["/apis/operators.coreos.com/v2/operatorconditions", ["items", 0, "spec", "conditions", 0, "status"], "True"],
    ],
  },
  OperatorUpdatesNotResolved: {
    case: "operator-conditions/risk-extension-blocked",
    edits: ["amber", "basalt"].map((name) => [
      EXTENSIONS,
      ["items", { name }, "status", "conditions", { type: "Progressing" }, "reason"],
      "Succeeded",
    ]),
  },
  ConversionWebhookWithoutBackend: {
    case: "webhooks/risk-conversion-of-stored-version",
    edits: [
      [SERVICES, ["items"], [buildService("demo", "gone")]],
      [SLICES, ["items"], [buildSlice("demo", "gone")]],
    ],
  },
};

/** The risks without a command that no change of an object removes; test/support/fix-reasons.ts says why. */
export const IRREMEDIABLE: readonly string[] = [
  "CapabilityRejected",
  "ConditionalUpdateRiskApplies",
  "CrdNamesChanged",
  "CrdRefused",
  "CrdScopeOrKindChanged",
  "CrdSubresourceRemoved",
  "DualStackAdditionalNetworksStall",
  "FeatureSetForbidsUpdates",
  "KubernetesMinorSkipped",
  "OVNSeveralClusterNetworksBreakPods",
  "ReleaseSignatureUntrusted",
  "TargetBelowDesired",
  "WhereaboutsNetworksStall",
];
