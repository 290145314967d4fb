import type { Json } from "../../../src/model/json.ts";
import type { Edit } from "./edits.ts";

/** A case with a risk, and what its remedy changes. */
export type CaseRemedy = { readonly case: string; readonly edits: readonly Edit[] };

const MACHINE_CONFIGURATION = "/apis/operator.openshift.io/v1/machineconfigurations/cluster";
const CLOUD_CREDENTIAL = "/apis/operator.openshift.io/v1/cloudcredentials/cluster";
const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const WIDGETS = "/apis/storage.example.com/v1/widgets";
const BUDGETS = "/apis/policy/v1/poddisruptionbudgets";
const ROUTES = "/apis/route.openshift.io/v1/routes";
const SLICES = "/apis/discovery.k8s.io/v1/endpointslices";
const NODES = "/api/v1/nodes";
const KUBE_PROXY = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy";
const MONITORING = "/api/v1/namespaces/openshift-monitoring/configmaps/cluster-monitoring-config";
const OPERATORS = "/apis/operators.coreos.com/v1alpha1/clusterserviceversions";
const REQUEST_COUNTS = "/apis/apiserver.openshift.io/v1/apirequestcounts";
const MACHINE_CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs";
const CONSTRAINTS = "/apis/security.openshift.io/v1/securitycontextconstraints";
const PODS = "/api/v1/pods";
const CONFLICTS = "/api/v1/namespaces/openshift-config/configmaps/selinux-conflicts";

const PREPARED_FOR = ["metadata", "annotations", "cloudcredential.openshift.io/upgradeable-to"];
const KUBE_PROXY_IMAGE = ["spec", "template", "spec", "containers", 1, "image"];

function setKubelet(node: number, version: string): Edit {
  return [NODES, ["items", node, "status", "nodeInfo", "kubeletVersion"], version];
}

/** The version of an operator that supports releases up to this one. */
function setMaxVersion(operator: number, version: string): Edit {
  const properties = JSON.stringify({ properties: [{ type: "olm.maxOpenShiftVersion", value: version }] });
  return [OPERATORS, ["items", operator, "metadata", "annotations", "operatorframework.io/properties"], properties];
}

function admitPodWith(pod: number, constraints: string): Edit {
  return [PODS, ["items", pod, "metadata", "annotations", "openshift.io/scc"], constraints];
}

/** The remedy of each risk whose command has a placeholder or opens an editor, by the risk's name. */
export const CASE_REMEDIES: Readonly<Record<string, CaseRemedy>> = {
  BootImageTooOld: {
    case: "boot-image-skew/risk-manual-openshift-version",
    edits: [[MACHINE_CONFIGURATION, ["status", "bootImageSkewEnforcementStatus", "manual", "ocpVersion"], "4.22.5"]],
  },
  BootImageUpdateFailing: {
    case: "boot-image-skew/risk-automatic-update-fails",
    edits: [[MACHINE_CONFIGURATION, ["status", "conditions", 1, "status"], "False"]],
  },
  CloudCredentialsNotPrepared: {
    case: "cloud-credentials/risk-manual-not-prepared",
    edits: [[CLOUD_CREDENTIAL, PREPARED_FOR, "4.19.1"]],
  },
  CloudCredentialsPreparedForEarlierRelease: {
    case: "cloud-credentials/risk-prepared-for-the-release-between",
    edits: [[CLOUD_CREDENTIAL, PREPARED_FOR, "4.20.1"]],
  },
  ClusterVersionInvalid: {
    case: "cluster-version/risk-invalid",
    edits: [[CLUSTER_VERSION, ["status", "conditions", 0, "status"], "False"]],
  },
  CustomResourceInvalid: {
    case: "crd-skew/risk-refused-although-ratcheting",
    edits: [[WIDGETS, ["items", 0, "spec"], { mode: "A" }]],
  },
  CustomResourceFieldsFrozen: {
    case: "crd-skew/risk-enum",
    edits: [[WIDGETS, ["items", 0, "spec", "mode"], "A"]],
  },
  DrainBlockedByDisruptionBudget: {
    case: "drain-blocked/risk-selector-takes-part-of-a-controller",
    edits: [
      [BUDGETS, ["items", 0, "spec", "selector"], { matchLabels: { app: "db" } }],
      [BUDGETS, ["items", 0, "status"], buildBudgetStatus(3, 2)],
    ],
  },
  DisruptionBudgetNotComputed: {
    case: "drain-blocked/risk-no-scale-to-compute-from",
    edits: [
      [BUDGETS, ["items", 0, "spec", "maxUnavailable"]],
      [BUDGETS, ["items", 0, "spec", "minAvailable"], 0],
      [BUDGETS, ["items", 0, "status"], buildBudgetStatus(1, 0)],
    ],
  },
  PodsInSeveralDisruptionBudgets: {
    case: "drain-blocked/risk-two-budgets-of-the-same-pods",
    edits: [[BUDGETS, ["items", 0]]],
  },
  RoutesRejectedByTargetRouters: {
    case: "ingress-controllers/risk-routes-marked",
    edits: [
      [ROUTES, ["items", 0, "status", "ingress", 0, "conditions", 1, "status"], "False"],
      [ROUTES, ["items", 2, "status", "ingress", 1, "conditions", 1, "status"], "False"],
    ],
  },
  FailClosedWebhookWithoutBackend: {
    case: "webhooks/risk-scaled-to-zero",
    edits: [
      [
        SLICES,
        ["items", 0, "endpoints"],
        [{ addresses: ["10.128.0.10"], conditions: { ready: true }, targetRef: { kind: "Pod", name: "policy-a" } }],
      ],
    ],
  },
  KubeletTooOldForNextMinor: {
    case: "kubelet-skew/risk-paused-worker-before-5.0",
    edits: [setKubelet(1, "v1.35.2"), setKubelet(2, "v1.35.2")],
  },
  KubeletTooOldForTarget: {
    case: "kubelet-skew/risk-kubernetes-too-old",
    edits: [setKubelet(0, "v1.35.2")],
  },
  KubeProxyNewerThanTarget: {
    case: "kubelet-skew/risk-kubernetes-kube-proxy-newer",
    edits: [[KUBE_PROXY, KUBE_PROXY_IMAGE, "registry.k8s.io/kube-proxy:v1.35.4"]],
  },
  KubeProxyTooOldForTarget: {
    case: "kubelet-skew/risk-kubernetes-kube-proxy-too-old",
    edits: [[KUBE_PROXY, KUBE_PROXY_IMAGE, "registry.k8s.io/kube-proxy:v1.35.2"]],
  },
  MonitoringConfigAlertmanagerV1: {
    case: "monitoring-config/risk-alertmanager-v1",
    edits: [[MONITORING, ["data", "config.yaml"], buildAlertmanagers("v2")]],
  },
  MonitoringConfigRefused: {
    case: "monitoring-config/risk-unknown-keys",
    edits: [[MONITORING, ["data", "config.yaml"], "prometheusOperator: {logLevel: info}\n"]],
  },
  OperatorIncompatibleWithNextMinor: {
    case: "operator-max-version/risk-next-minor",
    edits: [setMaxVersion(0, "4.22"), setMaxVersion(2, "4.22")],
  },
  OperatorIncompatibleWithTarget: {
    case: "operator-max-version/risk-supports-only-the-next-release",
    edits: [setMaxVersion(0, "4.22")],
  },
  OperatorMaxOpenShiftVersionInvalid: {
    case: "operator-max-version/risk-declaration-invalid",
    edits: [0, 1, 2, 3, 4, 5].map((operator) => setMaxVersion(operator, "4.22")),
  },
  RemovedKubernetesAPIInUse: {
    case: "removed-apis/risk-deployer",
    edits: [[REQUEST_COUNTS, ["items", 1, "status", "last24h", 3], { requestCount: 0 }]],
  },
  RHELWorkersRemoved: {
    case: "rhel-workers/risk-next-minor",
    edits: [[NODES, ["items", 1]]],
  },
  RuncConfiguredForRhel10: {
    case: "runc-default/risk-pool-of-rhel-10",
    edits: [
      [MACHINE_CONFIGS, ["items", 1, "spec", "config", "storage", "files", 2]],
      [MACHINE_CONFIGS, ["items", 2, "spec", "config", "storage", "files", 1]],
    ],
  },
  PlatformPodsAdmittedByCustomConstraints: {
    case: "security-context-constraints/risk-granted-to-all",
    edits: [
      [CONSTRAINTS, ["items", 4, "priority"], 0],
      [CONSTRAINTS, ["items", 4, "groups"], []],
      admitPodWith(3, "privileged"),
      admitPodWith(4, "restricted-v2"),
      admitPodWith(5, "restricted-v2"),
    ],
  },
  SELinuxLabelsOfSharedVolumesConflict: {
    case: "selinux-mount/risk-conflicts",
    edits: [[CONFLICTS, ["data", "conflictsPresent"], "False"]],
  },
};

/** The status that the disruption controller computes if all pods are healthy. */
function buildBudgetStatus(expectedPods: number, desiredHealthy: number): Json {
  const disruptionsAllowed = expectedPods - desiredHealthy;
  return { observedGeneration: 1, expectedPods, desiredHealthy, currentHealthy: expectedPods, disruptionsAllowed };
}

function buildAlertmanagers(apiVersion: string): string {
  const additionalAlertmanagerConfigs = ["a.example", "b.example"].map((host) => ({
    apiVersion,
    staticConfigs: [host],
  }));
  return JSON.stringify({ prometheusK8s: { additionalAlertmanagerConfigs } });
}
