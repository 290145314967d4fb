import { readFileBytes } from "../../files/named-file.ts";
import { type Json, type JsonObject, flagAt, listAt, objectAt, textAt } from "../../model/json.ts";
import { type KubeContext, MAX_CREDENTIAL_BYTES } from "./kube-context.ts";

const EXEC_EXTENSION = "client.authentication.k8s.io/exec";

/** Adds KUBERNETES_EXEC_INFO to a plugin's variables, as client-go does; client-node leaves it out. */
export async function withExecInfo(exec: JsonObject, kubeContext: KubeContext): Promise<JsonObject> {
  const env = listAt(exec, "env");
  if (env.some((variable) => textAt(variable, "name") === "KUBERNETES_EXEC_INFO")) return exec;
  const cluster = flagAt(exec, "provideClusterInfo") ? { cluster: await readClusterInfo(kubeContext) } : {};
  const info = {
    apiVersion: textAt(exec, "apiVersion") ?? "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    spec: { interactive: false, ...cluster },
  };
  return { ...exec, env: [...env, { name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(info) }] };
}

async function readClusterInfo(kubeContext: KubeContext): Promise<JsonObject> {
  const info: Record<string, Json> = { server: kubeContext.server };
  for (const key of ["tls-server-name", "insecure-skip-tls-verify", "certificate-authority-data", "proxy-url"]) {
    const value = kubeContext.cluster[key];
    if (value !== undefined) info[key] = value;
  }
  const file = textAt(kubeContext.cluster, "certificate-authority");
  if (file && info["certificate-authority-data"] === undefined) {
    info["certificate-authority-data"] = (await readFileBytes(file, MAX_CREDENTIAL_BYTES)).toString("base64");
  }
  const extension = listAt(kubeContext.cluster, "extensions").find((item) => textAt(item, "name") === EXEC_EXTENSION);
  return { ...info, config: objectAt(extension, "extension") };
}
