import type { JsonObject } from "../../../src/model/json.ts";
import { annotate, buildChecksConfigMap, buildCsv } from "../cli/operator-checks.ts";

/** Who may edit the namespace of an operator, as OLM's own roles have it. */
export const TENANT = "tenant";
/** Outside of it: what a check names, and what it can't know of. */
export const LEAKED = "leaked-object";
export const HIDDEN = "hidden-object";

/** Declares what its operator owns, workloads of all namespaces, one of another namespace, and a kind of the platform. */
const CHECK = `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: carts}
spec:
  title: Carts are up to date
  applies: {updates: [patch, minor, rollback]}
  reads:
    carts: {list: shop.example.com/v1/carts}
    deployments: {list: apps/v1/deployments, index: {byName: object.metadata.name}}
    FOREIGN
  risks:
    - name: CartStale
      effect: broken
      title: Carts are stale
      url: https://example.com/carts
      message: "\${objects} can't be read once \${target.version} runs."
      remediation: Migrate them with the operator's own tool before the update.
      findings:
        - {forEach: carts.items, message: It is stale.}
        - {forEach: deployments.items, message: It is there.}
        - {forEach: 'deployments.by.byName[?"${LEAKED}"].orValue([])', message: It is there.}
        RULES
`;

/** A check that stays within what its operator owns. */
export const SOUND = CHECK.replace(/\n +FOREIGN/, "").replace(/\n +RULES/, "");

/** One that doesn't. */
export const GREEDY = CHECK.replace("name: carts}", "name: greedy}")
  .replace("CartStale", "NodeSeen")
  .replace(
    "FOREIGN",
    `nodes: {list: v1/nodes}
    other: {get: apps/v1/deployments, name: default/${LEAKED}}
    account: {list: v1/serviceaccounts}`,
  )
  .replace(
    "RULES",
    `- {forEach: nodes.items, message: It is seen.}
        - {when: other.hasValue(), object: other.value(), message: It is seen.}
        - {forEach: account.items, message: It is seen.}`,
  );

function buildOlmRole(name: string, kinds: Readonly<Record<string, readonly string[]>>): JsonObject {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: {
      name,
      labels: {
        "rbac.authorization.k8s.io/aggregate-to-admin": "true",
        "rbac.authorization.k8s.io/aggregate-to-edit": "true",
      },
    },
    rules: Object.entries(kinds).map(([kind, verbs]) => ({
      apiGroups: ["operators.coreos.com"],
      resources: kind.split(" "),
      verbs,
    })),
  };
}

function buildBinding(role: string): JsonObject {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { namespace: "shop", name: `tenant-${role}` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: TENANT }],
  };
}

function buildDeployment(namespace: string, name: string): JsonObject {
  const labels = { app: name };
  const containers = [{ name: "main", image: "example.com/main:1" }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

/** What OLM's manifests grant to `edit` and `admin`: of ClusterServiceVersions, no create, update or patch. */
const OLM_ROLES = [
  buildOlmRole("aggregate-olm-edit", {
    subscriptions: ["create", "update", "patch", "delete"],
    "clusterserviceversions catalogsources installplans": ["delete"],
  }),
  buildOlmRole("aggregate-olm-view", {
    "clusterserviceversions catalogsources installplans subscriptions operatorgroups": ["get", "list", "watch"],
  }),
];

const CARTS: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "carts.shop.example.com" },
  spec: {
    group: "shop.example.com",
    scope: "Namespaced",
    names: { kind: "Cart", plural: "carts", singular: "cart" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

/** The ConfigMap of the bundle, and one that somebody made of it. */
export const BUNDLE = buildChecksConfigMap("shop", { "carts.yaml": SOUND, "greedy.yaml": GREEDY });
export const EDITED = buildChecksConfigMap("shop", { "carts.yaml": SOUND.replaceAll("carts", "wagons") });

/** Of the bundle, without the status that OLM writes. */
export function buildOperator(configMap: JsonObject): JsonObject {
  const { status: _status, ...csv } = buildCsv({ annotation: annotate(configMap) });
  return csv;
}

/** In the order of their creation; the namespace shop is there. */
export const OPERATOR_OBJECTS: readonly JsonObject[] = [
  CARTS,
  ...OLM_ROLES,
  buildBinding("edit"),
  buildBinding("admin"),
  buildDeployment("shop", "shop-operator"),
  buildDeployment("default", LEAKED),
  buildDeployment("default", HIDDEN),
  BUNDLE,
  buildOperator(BUNDLE),
];

export const CART: JsonObject = {
  apiVersion: "shop.example.com/v1",
  kind: "Cart",
  metadata: { namespace: "default", name: "cart" },
};
