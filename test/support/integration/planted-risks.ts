import { type JsonObject, listAt } from "../../../src/model/json.ts";
import { CRDS } from "../../../verify/api-server/api-path.ts";
import { applyObjects } from "../../../verify/api-server/apply-objects.ts";
import { patchObject, readObject } from "../../../verify/api-server/objects.ts";
import type { CaseCluster } from "../case-cluster.ts";

const LONG_AGO = "2020-01-01T00:00:00Z";
const CONFIG = "/apis/config.openshift.io/v1";
const OPERATOR = "/apis/operator.openshift.io/v1";
const POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools";
const PERMISSIVE = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

function buildCondition(type: string, status: string): JsonObject {
  return { type, status, reason: "Planted", message: "planted", lastTransitionTime: LONG_AGO };
}

/** What a seeded cluster doesn't have, so that most kinds that checks read have something to lose. */
const OBJECTS: readonly JsonObject[] = [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "gone" },
    webhooks: [
      {
        name: "gone.example.com",
        clientConfig: { service: { namespace: "gone", name: "webhook" } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  },
  {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      namespace: "openshift-kube-apiserver",
      name: "kubelet-client",
      annotations: {
        "auth.openshift.io/certificate-not-before": LONG_AGO,
        "auth.openshift.io/certificate-not-after": "2020-02-01T00:00:00Z",
      },
    },
  },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "openshift-monitoring", name: "cluster-monitoring-config" },
    data: { "config.yaml": "prometheusK8s: {retentionn: 1d}" },
  },
  {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { namespace: "demo-a", name: "amber" },
    spec: { name: "amber", source: "catalog", sourceNamespace: "openshift-marketplace" },
  },
];

/** Merged into what a seeded cluster has. */
const CHANGES: Readonly<Record<string, JsonObject>> = {
  [`${OPERATOR}/kubeapiservers/cluster`]: { spec: { unsupportedConfigOverrides: { a: "b" } } },
  "/api/v1/nodes/worker-0.demo.example.com": { spec: { unschedulable: true } },
  [`${CONFIG}/clusterversions/version`]: {
    spec: { overrides: [{ kind: "Deployment", group: "apps", namespace: "demo-a", name: "a", unmanaged: true }] },
  },
  [`${POOLS}/worker/status`]: { status: { conditions: [buildCondition("Degraded", "True")], degradedMachineCount: 1 } },
  "/api/v1/nodes/master-0.demo.example.com/status": { status: { conditions: [buildCondition("Ready", "False")] } },
  "/api/v1/nodes/worker-1.demo.example.com/status": { status: { nodeInfo: { kubeletVersion: "v1.28.1" } } },
  [`${CONFIG}/clusteroperators/monitoring/status`]: {
    status: { conditions: [buildCondition("Degraded", "True"), buildCondition("Upgradeable", "False")] },
  },
  [`${CONFIG}/clusterversions/version/status`]: { status: { conditions: [buildCondition("Failing", "True")] } },
  [`${OPERATOR}/etcds/cluster/status`]: { status: { conditions: [buildCondition("EtcdMembersAvailable", "False")] } },
  "/apis/operators.coreos.com/v1alpha1/namespaces/demo-a/subscriptions/amber/status": {
    status: { installedCSV: "amber.v1", conditions: [buildCondition("ResolutionFailed", "True")] },
  },
};

/** Of which a version is stored that targets lack. */
export const PLANTED_CRD = "consolelinks";

/** Risks of as many checks as a seeded cluster can have at the same time. */
export async function plantRisks({ env }: Pick<CaseCluster, "env">): Promise<void> {
  await applyObjects({ env }, OBJECTS);
  for (const [path, change] of Object.entries(CHANGES)) await patchObject({ env }, path, change);
  await plantStoredVersion({ env }, `${PLANTED_CRD}.console.openshift.io`);
}

/** The target's definition lacks the version. */
async function plantStoredVersion(place: Pick<CaseCluster, "env">, name: string): Promise<void> {
  const version = { name: "v1alpha9", served: true, storage: false, schema: { openAPIV3Schema: PERMISSIVE } };
  const path = `${CRDS}/${name}`;
  const versions = [...listAt(await readObject(place, path), "spec", "versions"), version];
  await patchObject(place, path, { spec: { versions } });
  await patchObject(place, `${path}/status`, { status: { storedVersions: ["v1alpha9", "v1"] } });
}
