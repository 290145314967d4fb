import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocuments } from "../../../src/encoding/yaml.ts";
import { type JsonObject, isObject, listAt, textAt } from "../../../src/model/json.ts";
import { runPreflight } from "../../../verify/shared/preflight.ts";

async function print(...args: readonly string[]): Promise<readonly JsonObject[]> {
  const { code, out, err } = await runPreflight(["rbac", ...args]);
  assert.equal(code, 0, err);
  const parsed = parseDocuments(out);
  assert.ok(parsed.kind === "documents");
  return parsed.documents.filter(isObject);
}

const QUERIES: JsonObject = {
  apiGroups: ["monitoring.coreos.com"],
  resources: ["prometheuses/api"],
  resourceNames: ["k8s"],
  verbs: ["get"],
};
const NAMESPACES: JsonObject = { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] };

function getByName(apiGroup: string, resource: string, name: string): JsonObject {
  return { apiGroups: [apiGroup], resources: [resource], resourceNames: [name], verbs: ["get"] };
}

test("the right to ask the cluster's monitoring is a role beside the others, for the runner", async () => {
  const [role, binding] = await print("--promql", "service");
  assert.equal(textAt(role, "metadata", "name"), "cluster-version-operator-preflight-promql");
  assert.deepEqual(listAt(role, "rules"), [
    QUERIES,
    NAMESPACES,
    getByName("", "configmaps", "openshift-service-ca.crt"),
    getByName("", "services", "thanos-querier"),
  ]);
  assert.equal(textAt(binding, "subjects", 0, "name"), "cluster-version-operator-preflight");
});

test("a reader's role includes it only if it is asked for", async () => {
  const user = ["--bind-to", "jane", "--only", "cgroup-v1"];
  const [plain] = await print(...user);
  const [role] = await print(...user, "--promql", "route");
  assert.deepEqual(listAt(role, "rules"), [
    ...listAt(plain, "rules"),
    QUERIES,
    NAMESPACES,
    getByName("", "configmaps", "default-ingress-cert"),
    getByName("route.openshift.io", "routes", "thanos-querier"),
  ]);
  assert.ok(!JSON.stringify([plain, await print()]).includes("prometheuses/api"));
});
