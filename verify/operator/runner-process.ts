import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DEFAULT_DOCUMENT } from "../../src/cli/settings/shared-settings.ts";
import { NAMESPACE } from "../../src/lift/objects/preflight-request.ts";
import { isObject, type JsonObject, listAt, objectAt, textAt, textsAt } from "../../src/model/json.ts";
import { applyObjects, readManifests } from "../api-server/apply-objects.ts";
import { type ControlPlane, createPayload } from "../api-server/control-plane.ts";
import { createAccount } from "../api-server/service-account.ts";
import { type PreflightProcess, startPreflight } from "../shared/preflight.ts";

const ACCOUNT = "cluster-version-operator-preflight";
const ACCOUNT_BASE = join(import.meta.dirname, "..", "..", "deploy", "runner", "account");

/** Makes the runner's account with the shipped rights, and returns the file of a kubeconfig for it. */
export async function prepareAccount(cluster: ControlPlane, folder: string): Promise<string> {
  const files = readdirSync(ACCOUNT_BASE).filter((file) => file !== "kustomization.yaml");
  await applyObjects(
    cluster,
    files.flatMap((file) => readManifests(join(ACCOUNT_BASE, file))),
  );
  const kubeconfig = join(folder, "runner.kubeconfig");
  await writeFile(kubeconfig, await createAccount(cluster, NAMESPACE, ACCOUNT));
  return kubeconfig;
}

/** Gives what starts the runner of a pod: the built executable with the pod's arguments, environment and account, and its volumes as folders. */
export async function prepareRunner(
  cluster: ControlPlane,
  clusterVersion: JsonObject,
  folder: string,
  offered: Readonly<Record<string, string>>,
  create = createPayload,
): Promise<(pod: JsonObject) => PreflightProcess> {
  const payloads = new Map<string, string>();
  for (const [version, release] of Object.entries(offered))
    payloads.set(findImage(clusterVersion, version), await create(join(folder, version), release, version));
  const kubeconfig = await prepareAccount(cluster, folder);
  return (pod) => {
    const image = textAt(pod, "spec", "initContainers", 0, "image") ?? "";
    const container = objectAt(pod, "spec", "containers", 0);
    const env = listAt(container, "env").map((one) => [textAt(one, "name") ?? "", textAt(one, "value") ?? ""] as const);
    return startPreflight(textsAt(container, "args").slice(1), {
      ...Object.fromEntries(env),
      PREFLIGHT_TARGET: payloads.get(image) ?? assert.fail(`no payload of ${image}`),
      PREFLIGHT_DOCUMENT: mapToNode(pod, DEFAULT_DOCUMENT),
      KUBECONFIG: kubeconfig,
    });
  };
}

/** Where a path of the main container is on the node. */
function mapToNode(pod: JsonObject, path: string): string {
  for (const mount of listAt(pod, "spec", "containers", 0, "volumeMounts")) {
    const name = textAt(mount, "name");
    const mountPath = textAt(mount, "mountPath") ?? "";
    const volume = listAt(pod, "spec", "volumes").find((one) => textAt(one, "name") === name);
    const hostPath = textAt(volume, "hostPath", "path");
    if (hostPath !== undefined && path.startsWith(`${mountPath}/`)) return join(hostPath, path.slice(mountPath.length));
  }
  return assert.fail(`${path} is in no hostPath volume`);
}

function findImage(clusterVersion: JsonObject, version: string): string {
  const updates = listAt(clusterVersion, "status", "conditionalUpdates").map((one) => objectAt(one, "release"));
  const releases = [...listAt(clusterVersion, "status", "availableUpdates"), ...updates].filter(isObject);
  return (
    textAt(
      releases.find((one) => textAt(one, "version") === version),
      "image",
    ) ?? assert.fail(version)
  );
}
