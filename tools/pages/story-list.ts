import type { JsonObject } from "../../src/model/json.ts";

/** JSON patches (RFC 6902) by API path. */
export type Patches = Readonly<Record<string, readonly JsonObject[]>>;

/** A story of docs/stories.md: a risk of the demo's cluster, and what removes it. */
export type Story = {
  readonly risk: string;
  /** What the cluster has beside the demo's objects. */
  readonly planted?: Patches;
  /** The state after what the page says was done, or another release as the target. */
  readonly done: { readonly patches: Patches } | { readonly target: string };
};

const BUDGETS = "/apis/policy/v1/poddisruptionbudgets";
const OPERATORS = "/apis/operators.coreos.com/v1alpha1/clusterserviceversions";
const BACKUP_PLANS = "/apis/storage.example.com/v1/backupplans";
const WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const NAMESPACES = "/api/v1/namespaces";
const SERVICES = "/api/v1/services";
const SLICES = "/apis/discovery.k8s.io/v1/endpointslices";

const PROPERTIES = "operatorframework.io~1properties";
const LATER = JSON.stringify({ properties: [{ type: "olm.maxOpenShiftVersion", value: "4.18" }] });

/** By the names of their outputs in the page. */
export const STORIES: Readonly<Record<string, Story>> = {
  "the blocked drain": {
    risk: "DrainBlockedByDisruptionBudget",
    done: {
      patches: {
        [BUDGETS]: ["expectedPods", "currentHealthy", "disruptionsAllowed"].map((field) => ({
          op: "replace",
          path: `/items/1/status/${field}`,
          value: field === "disruptionsAllowed" ? 1 : 2,
        })),
      },
    },
  },
  "the webhook without a backend": {
    risk: "FailClosedWebhookWithoutBackend",
    planted: {
      [NAMESPACES]: [{ op: "add", path: "/items/0", value: buildNamespace() }],
      [WEBHOOKS]: [{ op: "add", path: "/items/0", value: buildWebhook() }],
      [SERVICES]: [{ op: "add", path: "/items/0", value: buildService() }],
      [SLICES]: [{ op: "add", path: "/items/0", value: buildSlice() }],
    },
    done: {
      patches: {
        [SLICES]: [
          {
            op: "add",
            path: "/items/0/endpoints/0",
            value: { addresses: ["10.128.0.10"], conditions: { ready: true } },
          },
        ],
      },
    },
  },
  "the operator that supports no later release": {
    risk: "OperatorIncompatibleWithNextMinor",
    done: {
      patches: { [OPERATORS]: [{ op: "replace", path: `/items/0/metadata/annotations/${PROPERTIES}`, value: LATER }] },
    },
  },
  "the objects that nobody can restore": {
    risk: "CustomResourceFieldsFrozen",
    done: {
      patches: {
        [BACKUP_PLANS]: [
          { op: "replace", path: "/items/0/spec/keep", value: 30 },
          { op: "replace", path: "/items/0/spec/compression", value: "Zstd" },
          { op: "replace", path: "/items/1/spec/compression", value: "Zstd" },
          { op: "replace", path: "/items/3/spec/keep", value: 30 },
          { op: "replace", path: "/items/4/spec/keep", value: 30 },
        ],
      },
    },
  },
  "the bug of one release": { risk: "OVNSeveralClusterNetworksBreakPods", done: { target: "4.18.9" } },
};

function buildWebhook(): JsonObject {
  const service = { namespace: "policy", name: "image-policy", path: "/admit" };
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"], scope: "*" }];
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "image-policy" },
    webhooks: [
      {
        name: "pods.policy.example.com",
        clientConfig: { service, caBundle: "ZGVtbw==" },
        rules,
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
      },
    ],
  };
}

function buildNamespace(): JsonObject {
  const labels = { "kubernetes.io/metadata.name": "policy" };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: "policy", labels } };
}

function buildService(): JsonObject {
  const spec = {
    type: "ClusterIP",
    clusterIP: "172.30.0.10",
    ports: [{ port: 443, targetPort: 9443, protocol: "TCP" }],
  };
  return { apiVersion: "v1", kind: "Service", metadata: { namespace: "policy", name: "image-policy" }, spec };
}

function buildSlice(): JsonObject {
  const labels = { "kubernetes.io/service-name": "image-policy" };
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { namespace: "policy", name: "image-policy-abcde", labels },
    addressType: "IPv4",
    endpoints: [],
    ports: [{ port: 9443, protocol: "TCP" }],
  };
}
