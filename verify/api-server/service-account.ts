import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { connectAdminApi } from "./admin-api.ts";
import type { ControlPlane } from "./control-plane.ts";
import { waitUntilAuthorized } from "./rbac-sentinel.ts";

/**
 * A kubeconfig of a ServiceAccount, for an hour; the namespace and the account are made if they are not there. The
 * rights that it was given before are in force.
 */
export async function createAccount(cluster: ControlPlane, namespace: string, name: string): Promise<string> {
  const namespaces = "/api/v1/namespaces";
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const api = await connectAdminApi(cluster);
  try {
    await api.call("POST", namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await api.call("POST", accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } });
    await waitUntilAuthorized(api);
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 3600 } };
    const { body } = await api.call("POST", `${accounts}/${name}/token`, review);
    const token = textAt(body, "status", "token");
    if (token === undefined) throw new Error(`no token of ${namespace}/${name}: ${textAt(body, "message") ?? ""}`);
    return JSON.stringify(await buildConfig(cluster, namespace, name, token));
  } finally {
    api.close();
  }
}

async function buildConfig(
  { env }: ControlPlane,
  namespace: string,
  account: string,
  token: string,
): Promise<JsonObject> {
  const ca = await readFile(join(env["ENVTEST_DIR"] ?? "", "pki", "ca.crt"), "base64");
  const server = { server: env["APISERVER_URL"] ?? "", "certificate-authority-data": ca };
  const name = "envtest";
  const user = `system:serviceaccount:${namespace}:${account}`;
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: server }],
    contexts: [{ name, context: { cluster: name, user, namespace } }],
    users: [{ name: user, user: { token } }],
  };
}
