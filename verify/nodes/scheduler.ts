import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  textsAt,
} from "../../src/model/json.ts";

/** The node for a pod, or why there is none, in the scheduler's words. */
export type Placement =
  | { readonly kind: "node"; readonly node: JsonObject }
  | { readonly kind: "unschedulable"; readonly message: string };

/** Chooses the first node that fits, as far as this project's pods need it: resources are not counted. */
export function placePod(pod: JsonObject, nodes: readonly JsonObject[], pods: readonly JsonObject[]): Placement {
  const misfits = new Map<string, number>();
  for (const node of nodes) {
    const misfit = findMisfit(pod, node, pods);
    if (misfit === undefined) return { kind: "node", node };
    misfits.set(misfit, (misfits.get(misfit) ?? 0) + 1);
  }
  const reasons = [...misfits].map(([misfit, count]) => `${count} node(s) ${misfit}`).toSorted();
  const message = `0/${nodes.length} nodes are available: ${reasons.join(", ")}. no new claims to deallocate, preemption: 0/${nodes.length} nodes are available: ${nodes.length} Preemption is not helpful for scheduling.`;
  return { kind: "unschedulable", message };
}

/** In the order of the scheduler's filters: the first one that refuses a node is told. */
function findMisfit(pod: JsonObject, node: JsonObject, pods: readonly JsonObject[]): string | undefined {
  const taint = listAt(node, "spec", "taints").find((one) => !isTolerated(pod, one));
  if (taint !== undefined)
    return `had untolerated taint(s) {${textAt(taint, "key") ?? ""}: ${textAt(taint, "value") ?? ""}}`;
  if (!fitsSelector(pod, node)) return "didn't match Pod's node affinity/selector";
  const onNode = pods.filter((one) => isOnNode(one, node));
  const ports = listHostPorts(pod);
  if (onNode.some((one) => listHostPorts(one).some((port) => ports.includes(port))))
    return "didn't have free ports for the requested pod ports";
  const terms = listAt(pod, "spec", "affinity", "podAffinity", REQUIRED);
  return terms.every((term) => onNode.some((one) => hasLabels(one, objectAt(term, "labelSelector", "matchLabels"))))
    ? undefined
    : "didn't match pod affinity rules";
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

function isTolerated(pod: JsonObject, taint: Json): boolean {
  const effect = textAt(taint, "effect");
  if (effect === "PreferNoSchedule") return true;
  return listAt(pod, "spec", "tolerations").some((toleration) => {
    const key = textAt(toleration, "key");
    const operator = textAt(toleration, "operator") ?? "Equal";
    const isKey = key === undefined ? operator === "Exists" : key === textAt(taint, "key");
    const isValue = operator === "Exists" || (textAt(toleration, "value") ?? "") === (textAt(taint, "value") ?? "");
    return isKey && isValue && [undefined, effect].includes(textAt(toleration, "effect"));
  });
}

function fitsSelector(pod: JsonObject, node: JsonObject): boolean {
  if (!hasLabels(node, objectAt(pod, "spec", "nodeSelector"))) return false;
  const terms = listAt(pod, "spec", "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms");
  return terms.length === 0 || terms.some((term) => fitsTerm(term, node));
}

/** Our pods name their node and have no expressions. */
function fitsTerm(term: Json, node: JsonObject): boolean {
  const name = textAt(node, "metadata", "name") ?? "";
  return listAt(term, "matchFields").every((field) => textsAt(field, "values").includes(name));
}

function hasLabels(object: JsonObject, labels: JsonObject): boolean {
  return Object.entries(labels).every(([key, value]) => textAt(object, "metadata", "labels", key) === value);
}

function isOnNode(pod: JsonObject, node: JsonObject): boolean {
  const isEnded = ["Failed", "Succeeded"].includes(textAt(pod, "status", "phase") ?? "");
  return !isEnded && textAt(pod, "spec", "nodeName") === textAt(node, "metadata", "name");
}

function listHostPorts(pod: JsonObject): readonly number[] {
  return listAt(pod, "spec", "containers")
    .filter(isObject)
    .flatMap((container) => listAt(container, "ports"))
    .flatMap((port) => numberAt(port, "hostPort") ?? []);
}
