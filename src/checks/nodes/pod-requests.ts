import { type JsonObject, at, isObject, listAt, textAt } from "../../model/json.ts";
import { type Each, each } from "../../model/read.ts";
import { NO_REQUESTS, type Requests, addRequests, parseRequests } from "./requests.ts";

/** The sums of the requests on one node. */
export type NodeRequests = {
  readonly node: string;
  /** Of all pods. */
  used: Requests;
  /** Of those that a controller creates anew elsewhere if the node is drained, and that run on untainted nodes only. */
  movable: Requests;
};

/** Sums up while the pods are streamed: a cluster has too many to keep them. */
export function buildPodsRead(): Each<NodeRequests> {
  const sums = new Map<string, NodeRequests>();
  return {
    ...each("v1/pods", (pod) => addPod(pod, sums)),
    begin: () => {
      sums.clear();
    },
    done: () => {
      sums.clear();
    },
  };
}

function addPod(pod: JsonObject, sums: Map<string, NodeRequests>): NodeRequests | undefined {
  const node = textAt(pod, "spec", "nodeName") ?? "";
  if (node === "" || hasEnded(pod)) return undefined;
  const known = sums.get(node);
  const sum = known ?? { node, used: NO_REQUESTS, movable: NO_REQUESTS };
  sums.set(node, sum);
  const requests = sumContainers(pod);
  sum.used = addRequests(sum.used, requests);
  if (isMovable(pod)) sum.movable = addRequests(sum.movable, requests);
  return known === undefined ? sum : undefined;
}

/** A pod that is being deleted soon frees its room. */
function hasEnded(pod: JsonObject): boolean {
  const phase = textAt(pod, "status", "phase");
  return phase === "Succeeded" || phase === "Failed" || textAt(pod, "metadata", "deletionTimestamp") !== undefined;
}

/** Containers alone: with init containers and overhead a pod needs as much or more. */
function sumContainers(pod: JsonObject): Requests {
  const containers = listAt(pod, "spec", "containers").map((one) => parseRequests(at(one, "resources", "requests")));
  return { ...containers.reduce(addRequests, NO_REQUESTS), pods: 1 };
}

function isMovable(pod: JsonObject): boolean {
  const controller = listAt(pod, "metadata", "ownerReferences").find((one) => at(one, "controller") === true);
  const kind = textAt(controller, "kind");
  return kind !== undefined && kind !== "DaemonSet" && kind !== "Node" && !toleratesTaints(pod);
}

/** Every pod tolerates for some minutes that its node is not ready or unreachable. */
function toleratesTaints(pod: JsonObject): boolean {
  const tolerations = listAt(pod, "spec", "tolerations").filter(isObject);
  return tolerations.some((one) => !(textAt(one, "key") ?? "").startsWith("node.kubernetes.io/"));
}
