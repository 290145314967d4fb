import { type JsonObject, listAt, objectAt } from "../../src/model/json.ts";
import { applyObjects } from "../api-server/apply-objects.ts";
import type { ControlPlane } from "../api-server/control-plane.ts";
import { createObject, patchObject, readObject } from "../api-server/objects.ts";
import { setCondition } from "./conditions.ts";
import type { Act, DayFault } from "./fault.ts";

const OPERATORS = "/apis/config.openshift.io/v1/clusteroperators";
const VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools";
const BUDGET = "/apis/policy/v1/namespaces/demo-a/poddisruptionbudgets/tight";
const OLM = "openshift-operators";
const CSV = `/apis/operators.coreos.com/v1alpha1/namespaces/${OLM}/clusterserviceversions/demo-operator.v1.2.3`;
const PROPERTIES = "operatorframework.io/properties";

const patch =
  (path: string, change: JsonObject): Act =>
  (cluster) =>
    patchObject(cluster, path, change);
const condition =
  (path: string, type: string, status: string, message = ""): Act =>
  (cluster) =>
    setCondition(cluster, path, { type, status, reason: status === "True" ? "AsExpected" : "Broken", message });
const apply =
  (...objects: readonly JsonObject[]): Act =>
  (cluster) =>
    applyObjects(cluster, objects);

const SUBSCRIPTION: JsonObject = {
  apiVersion: "operators.coreos.com/v1alpha1",
  kind: "Subscription",
  metadata: { name: "demo", namespace: OLM },
  spec: { name: "demo-operator", channel: "stable-1", source: "shop", sourceNamespace: "openshift-marketplace" },
  status: { installedCSV: "demo-operator.v1.2.3", currentCSV: "demo-operator.v1.2.3" },
};

const buildRefusal = (status: string): JsonObject => ({
  apiVersion: "operators.coreos.com/v2",
  kind: "OperatorCondition",
  metadata: { name: "ledger.v1.0.0", namespace: OLM },
  spec: {
    conditions: [
      {
        type: "Upgradeable",
        status,
        reason: "Migrating",
        message: "Ledgers are being migrated.",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ],
  },
});

const LABELS = { app: "guard" };
const WEBHOOK: JsonObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "guard" },
  webhooks: [
    {
      name: "guard.shop.example.com",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      failurePolicy: "Fail",
      clientConfig: { service: { name: "guard", namespace: "demo-b" } },
      rules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["daemonsets"] }],
    },
  ],
};
const DEPLOYMENT: JsonObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "guard-server", namespace: "demo-b" },
  spec: {
    selector: { matchLabels: LABELS },
    template: { metadata: { labels: LABELS }, spec: { containers: [{ name: "guard", image: "example.com/guard" }] } },
  },
};

/** The endpoint slice controller's part, once the Service is back. */
async function addEndpoint(cluster: ControlPlane): Promise<void> {
  const service = await readObject(cluster, "/api/v1/namespaces/demo-b/services/guard");
  const [port] = listAt(service, "spec", "ports");
  await createObject(cluster, "/apis/discovery.k8s.io/v1/namespaces/demo-b/endpointslices", {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "guard-1", namespace: "demo-b", labels: { "kubernetes.io/service-name": "guard" } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.128.0.20"], conditions: { ready: true } }],
    ports: [{ port: Number(objectAt(port)["targetPort"]), protocol: "TCP" }],
  });
}

/** The disruption controller's part, too. */
async function spareOne(cluster: ControlPlane): Promise<void> {
  const { metadata } = await patchObject(cluster, BUDGET, { spec: { maxUnavailable: 1 } });
  await patchObject(cluster, `${BUDGET}/status`, {
    status: { disruptionsAllowed: 1, desiredHealthy: 2, observedGeneration: objectAt(metadata)["generation"] ?? 0 },
  });
}

/** The cluster-version operator's part of an update to a patch of the same minor. */
async function updateToPatch(cluster: ControlPlane): Promise<void> {
  const { metadata, status } = await readObject(cluster, VERSION);
  const history = listAt(status, "history");
  const done = { ...objectAt(history[0]), version: "4.20.15", completionTime: "2026-01-01T00:00:00Z" };
  const desired = { ...objectAt(status, "desired"), version: "4.20.15" };
  const observedGeneration = objectAt(metadata)["generation"] ?? 0;
  await patchObject(cluster, `${VERSION}/status`, {
    status: { history: [done, ...history], desired, observedGeneration },
  });
}

/** Thirteen faults of the same morning, of every kind: four are in each seeded cluster of 4.20. */
export const FAULTS: readonly DayFault[] = [
  {
    risk: "ClusterOperatorNotUpgradeable",
    what: "an operator that must not be updated",
    plant: condition(`${OPERATORS}/authentication`, "Upgradeable", "False", "A login provider is outdated."),
    mending: {
      kind: "do",
      says: 'Resolve what "oc describe clusteroperator authentication" shows',
      act: condition(`${OPERATORS}/authentication`, "Upgradeable", "True"),
    },
  },
  {
    risk: "DegradedMachineConfigPool",
    what: "a pool that is degraded",
    plant: condition(`${POOLS}/worker`, "Degraded", "True", "Node worker-2 has an unexpected file."),
    mending: {
      kind: "do",
      says: "Repair the node or the configuration that the condition names",
      act: condition(`${POOLS}/worker`, "Degraded", "False"),
    },
  },
  {
    risk: "AdminAckMissing",
    what: "a gate that nobody has acknowledged",
    mending: { kind: "fix" },
  },
  {
    risk: "ComponentsSetUnmanaged",
    what: "a forgotten override",
    plant: patch(VERSION, {
      spec: { overrides: [{ group: "apps", kind: "Deployment", namespace: "x", name: "x", unmanaged: true }] },
    }),
    mending: { kind: "fix" },
  },
  {
    risk: "RequiredMachineConfigPoolPaused",
    what: "the pool of the control plane, paused",
    plant: patch(`${POOLS}/master`, { spec: { paused: true } }),
    mending: { kind: "fix" },
  },
  {
    risk: "ClusterOperatorUnhealthy",
    what: "an operator that is down",
    plant: condition(`${OPERATORS}/dns`, "Available", "False", "No pod answers."),
    mending: {
      kind: "do",
      says: 'Repair what "oc describe clusteroperator dns" shows',
      act: condition(`${OPERATORS}/dns`, "Available", "True"),
    },
  },
  {
    risk: "ControlPlaneNodeUnusable",
    what: "a control-plane node that is cordoned",
    plant: patch("/api/v1/nodes/master-0.demo.example.com", { spec: { unschedulable: true } }),
    mending: { kind: "fix" },
  },
  {
    risk: "MachineConfigPoolCapacityUsedUp",
    what: "a worker that is cordoned",
    plant: patch("/api/v1/nodes/worker-0.demo.example.com", { spec: { unschedulable: true } }),
    mending: { kind: "fix" },
  },
  {
    risk: "DrainBlockedByDisruptionBudget",
    what: "a budget that spares no pod",
    mending: { kind: "do", says: "Set spec.maxUnavailable to 1", act: spareOne },
  },
  {
    risk: "EtcdMembersFromOldStorage",
    what: "a known bug of the target",
    mending: { kind: "do", says: "first update to 4.20.15", act: updateToPatch, isAnotherUpdate: true },
  },
  {
    risk: "FailClosedWebhookWithoutBackend",
    what: "a webhook whose Service was deleted",
    plant: apply(WEBHOOK, DEPLOYMENT),
    mending: {
      kind: "fix",
      choices: { deployment: "guard-server", "container-port": "8443" },
      afterwards: addEndpoint,
    },
  },
  {
    risk: "OperatorIncompatibleWithTarget",
    what: "an operator whose version doesn't support the target",
    plant: apply(SUBSCRIPTION),
    mending: {
      kind: "fix",
      choices: { channel: "stable-2" },
      // OLM's part.
      afterwards: patch(CSV, {
        metadata: {
          annotations: {
            [PROPERTIES]: JSON.stringify({ properties: [{ type: "olm.maxOpenShiftVersion", value: "4.22" }] }),
          },
        },
      }),
    },
  },
  {
    risk: "OperatorRefusesUpdates",
    what: "an operator in the middle of a migration",
    plant: apply(buildRefusal("False")),
    mending: {
      kind: "do",
      says: "Let each operator finish",
      act: apply(buildRefusal("True")),
    },
  },
];
