import type { ApiClient } from "../../src/cluster/writer/api-client.ts";
import { findCondition } from "../../src/model/object.ts";
import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { formatTime } from "../../src/model/time.ts";

const UNREACHABLE = "node.kubernetes.io/unreachable";
/** The API server gives it to each new node. */
const NOT_READY = "node.kubernetes.io/not-ready";

/** As the node lifecycle controller does once a kubelet has been silent for too long. */
export async function markNodeLost(api: ApiClient, name: string): Promise<void> {
  const message = "Kubelet stopped posting node status.";
  const timeAdded = formatTime(new Date());
  const taints = ["NoSchedule", "NoExecute"].map((effect) => ({ key: UNREACHABLE, effect, timeAdded }));
  await changeNode(api, name, taints, { status: "Unknown", reason: "NodeStatusUnknown", message });
}

export function markNodeReady(api: ApiClient, name: string): Promise<void> {
  return changeNode(api, name, [], {
    status: "True",
    reason: "KubeletReady",
    message: "kubelet is posting ready status",
  });
}

async function changeNode(
  api: ApiClient,
  name: string,
  taints: readonly JsonObject[],
  ready: Readonly<Record<string, string>>,
): Promise<void> {
  const path = `/api/v1/nodes/${name}`;
  const node = await read(api, path);
  const others = listAt(node, "spec", "taints").filter((one) => !isLifecycleTaint(one));
  const now = formatTime(new Date());
  const conditions = listAt(node, "status", "conditions")
    .filter(isObject)
    .map((one) => (textAt(one, "type") === "Ready" ? { ...one, ...ready, lastTransitionTime: now } : one));
  await patch(api, path, { spec: { taints: [...others, ...taints] } });
  await patch(api, `${path}/status`, { status: { conditions } });
}

/** Whether a ready node still has the taint of one that is not. */
export function isWronglyTainted(node: JsonObject): boolean {
  const isReady = textAt(findCondition(node, "Ready"), "status") === "True";
  return isReady && listAt(node, "spec", "taints").some(isLifecycleTaint);
}

function isLifecycleTaint(taint: Json): boolean {
  return [UNREACHABLE, NOT_READY].includes(textAt(taint, "key") ?? "");
}

/** As the taint eviction controller does, without the five minutes that it gives. */
export async function evictFromNode(api: ApiClient, namespace: string, node: string): Promise<void> {
  const collection = `/api/v1/namespaces/${namespace}/pods`;
  for (const pod of listAt(await read(api, collection), "items")) {
    if (textAt(pod, "spec", "nodeName") !== node) continue;
    const metadata = objectAt(pod, "metadata");
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: metadata["uid"] ?? "" } };
    await api.write(
      { method: "DELETE", path: `${collection}/${textAt(metadata, "name") ?? ""}`, body },
      AbortSignal.timeout(60_000),
    );
  }
}

async function patch(api: ApiClient, path: string, body: JsonObject): Promise<void> {
  const type = "application/merge-patch+json";
  const answer = await api.write({ method: "PATCH", path, body, type }, AbortSignal.timeout(60_000));
  if (answer.kind !== "ok") throw new Error(`${path}: ${answer.message}`);
}

async function read(api: ApiClient, path: string): Promise<JsonObject> {
  const answer = await api.read(path, AbortSignal.timeout(60_000));
  if (answer.kind !== "ok") throw new Error(`${path}: ${answer.message}`);
  return answer.object;
}
