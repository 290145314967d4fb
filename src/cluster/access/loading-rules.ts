import { delimiter, join } from "node:path";
import { FailedError } from "../../model/errors.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ConnectOptions } from "./connection.ts";
import { MAX_CREDENTIAL_BYTES } from "./kube-context.ts";
import { type Kubeconfig, isEmpty, parseGivenKubeconfig, readKubeconfig } from "./kubeconfig.ts";
import { isReadableFile } from "../../files/named-file.ts";

const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
const IN_CLUSTER = "in-cluster";

/**
 * Loads what kubectl would: the flag's file; else the files of KUBECONFIG; else ~/.kube/config; and if these are empty or missing,
 * the pod's service account. Throws a FailedError if there is none of them: there is no default server.
 */
export async function loadKubeconfig(options: ConnectOptions): Promise<Kubeconfig> {
  if (options.given !== undefined) return parseGivenKubeconfig(options.given);
  if (options.kubeconfig !== undefined) return readKubeconfig([options.kubeconfig], true);
  const files = getDefaultFiles(options.env);
  const config = await readKubeconfig(files, false);
  if (!isEmpty(config)) return config;
  const inCluster = await readInClusterConfig(options);
  if (inCluster) return inCluster;
  const where = files.length === 0 ? "HOME is not set" : `${files.join(", ")} does not exist or is empty`;
  throw new FailedError(
    `No cluster to check: no --kubeconfig, ${where}, and no service account of a pod. Name a kubeconfig with --kubeconfig or KUBECONFIG`,
  );
}

function getDefaultFiles(env: ConnectOptions["env"]): readonly string[] {
  const envFiles = (env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  if (envFiles.length > 0) return envFiles;
  const home = env["HOME"] ?? env["USERPROFILE"];
  return home ? [join(home, ".kube", "config")] : [];
}

/** A pod's service account in the form of a kubeconfig. Its token file is re-read, since the kubelet renews it. */
async function readInClusterConfig(options: ConnectOptions): Promise<Kubeconfig | undefined> {
  const host = options.env["KUBERNETES_SERVICE_HOST"];
  const port = options.env["KUBERNETES_SERVICE_PORT"];
  const folder = options.serviceAccountFolder ?? SERVICE_ACCOUNT_FOLDER;
  const token = join(folder, "token");
  if (!host || !port || !(await isReadableFile(token, MAX_CREDENTIAL_BYTES))) return undefined;
  const ca = join(folder, "ca.crt");
  const cluster: JsonObject = {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ...((await isReadableFile(ca, MAX_CREDENTIAL_BYTES)) ? { "certificate-authority": ca } : {}),
  };
  return {
    origin: "the pod's service account",
    currentContext: IN_CLUSTER,
    contexts: new Map([[IN_CLUSTER, { cluster: IN_CLUSTER, user: IN_CLUSTER }]]),
    clusters: new Map([[IN_CLUSTER, cluster]]),
    users: new Map([[IN_CLUSTER, { tokenFile: token }]]),
  };
}
