import { at, type JsonObject } from "../../src/model/json.ts";
import { eventually } from "../shared/eventually.ts";
import type { AdminApi } from "./admin-api.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
const NAME = "sentinel";
const NAMESPACE = "default";
const PAUSE_MS = 20;

/** Waits until the API server decides by the roles and bindings as they are now: it takes up each kind's changes in their order. */
export async function waitUntilAuthorized(api: AdminApi): Promise<void> {
  const kinds = [
    { role: "Role", scope: `${RBAC}/namespaces/${NAMESPACE}`, user: "sentinel-in-namespace" },
    { role: "ClusterRole", scope: RBAC, user: "sentinel-in-cluster" },
  ];
  for (const { role, scope, user } of kinds) {
    const roles = `${scope}/${role.toLowerCase()}s`;
    const bindings = `${scope}/${role.toLowerCase()}bindings`;
    await api.call("POST", roles, buildRole(role));
    await api.call("POST", bindings, buildBinding(role, user));
    await waitUntil(api, user, true);
    // Each on its own takes the right away.
    await api.call("DELETE", `${bindings}/${NAME}`);
    await waitUntil(api, user, false);
    await api.call("POST", bindings, buildBinding(role, user));
    await waitUntil(api, user, true);
    await api.call("DELETE", `${roles}/${NAME}`);
    await waitUntil(api, user, false);
    await api.call("DELETE", `${bindings}/${NAME}`);
  }
}

function buildRole(kind: string): JsonObject {
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }];
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata: { name: NAME }, rules };
}

function buildBinding(role: string, user: string): JsonObject {
  const apiGroup = "rbac.authorization.k8s.io";
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: `${role}Binding`,
    metadata: { name: NAME },
    roleRef: { apiGroup, kind: role, name: NAME },
    subjects: [{ apiGroup, kind: "User", name: user }],
  };
}

async function waitUntil(api: AdminApi, user: string, expected: boolean): Promise<void> {
  const resourceAttributes = { verb: "get", resource: "configmaps", namespace: NAMESPACE };
  const review = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: { user, resourceAttributes },
  };
  await eventually(async () => {
    const { body } = await api.call("POST", REVIEWS, review);
    if (at(body, "status", "allowed") !== expected) throw new Error(`${user} is not yet ${String(expected)}`);
  }, PAUSE_MS);
}
