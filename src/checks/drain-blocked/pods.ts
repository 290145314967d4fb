import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, at, flagAt, isObject, listAt, objectAt, textAt } from "../../model/json.ts";
import { type Each, each, soundInPart } from "../../model/read.ts";
import { type Budget, countsReplicas } from "./budget.ts";
import { canOverlap, readsPods } from "./needs-pods.ts";
import { type NamespaceBudgets, eachNamespace, unpackBudgets } from "./packed-budget.ts";
import { isFailureOfPod } from "./sync-failure.ts";
import { type SelectorIndex, buildSelectorIndex } from "./selector-index.ts";

/** What a pod means to the eviction API, which lets pods that are pending, ended or being deleted go whatever their budgets say. */
export type PodState = "healthy" | "unhealthy" | "pending" | "gone";

/** A pod of a namespace with a budget that may block a drain. */
export type BudgetPod = {
  readonly namespace: string;
  readonly name: string;
  /** Which of the namespace's budgets select it. */
  readonly budgets: readonly number[];
  readonly state: PodState;
  /** Drains leave the pods of DaemonSets and static pods where they are. */
  readonly isDrained: boolean;
  /** The controller's uid; "" without a controller. */
  readonly controller: string;
  /** Whether the failure that a budget reports is about this pod. */
  readonly explainsFailure: boolean;
};

/** Reads the pods of the namespaces that need it, with the budgets that select them; undefined if none does. */
export function buildPodsRead(packed: readonly string[]): Each<string> | undefined {
  const ranges = new Map<string, readonly [number, number]>();
  for (const { namespace, budgets, start, end } of eachNamespace(packed))
    if (budgets.some(readsPods) || canOverlap(budgets)) ranges.set(namespace, [start, end]);
  if (ranges.size === 0) return undefined;
  let last: PodSelection | undefined;
  const select = (namespace: string): PodSelection | undefined => {
    if (last?.namespace === namespace) return last;
    const range = ranges.get(namespace);
    return range && (last = buildPodSelection(namespace, unpackBudgets(packed.slice(...range))));
  };
  const keep = (pod: JsonObject): string | undefined => {
    const selection = select(textAt(pod, "metadata", "namespace") ?? "");
    return selection && keepPod(pod, selection);
  };
  return soundInPart("namespace", each("v1/pods", keep));
}

/** The budgets of one namespace, prepared for its pods. */
type PodSelection = {
  readonly namespace: string;
  readonly budgets: readonly Budget[];
  readonly index: SelectorIndex;
  /** Whether pods that no budget selects matter too, since a budget counts their controller's replicas. */
  readonly keepsSiblings: boolean;
};

function buildPodSelection(namespace: string, budgets: NamespaceBudgets["budgets"]): PodSelection {
  const keepsSiblings = budgets.some(({ state }) => state && countsReplicas(state));
  return { namespace, budgets, index: buildSelectorIndex(budgets.map(({ selector }) => selector)), keepsSiblings };
}

function keepPod(pod: JsonObject, { namespace, budgets, index, keepsSiblings }: PodSelection): string | undefined {
  const selecting = index(objectAt(pod, "metadata", "labels"));
  const controller = findController(pod);
  const matters = selecting.length > 1 || selecting.some((i) => budgets[i]?.state !== undefined);
  if (!matters && !(keepsSiblings && controller)) return undefined;
  const flags = [
    STATE_LETTERS[getPodState(pod)],
    isDrained(controller) ? "d" : "",
    selecting.some((i) => isFailureOfPod(budgets[i]?.state?.failure ?? "", pod, controller)) ? "f" : "",
  ];
  const name = selecting.length > 1 ? textAt(pod, "metadata", "name") : "";
  return [namespace, selecting.join(","), flags.join(""), textAt(controller, "uid") ?? "", name].join("\n");
}

/** Grouped as texts: those of one namespace at a time become objects. */
export function groupPods(packed: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(packed, (text) => text.slice(0, text.indexOf("\n")));
}

const STATE_LETTERS = { healthy: "h", unhealthy: "u", pending: "p", gone: "g" } as const;

export function unpackPod(text: string): BudgetPod {
  const [namespace = "", budgets = "", flags = "", controller = "", name = ""] = text.split("\n");
  const states = ["healthy", "unhealthy", "pending", "gone"] as const;
  return {
    namespace,
    name,
    budgets: budgets === "" ? [] : budgets.split(",").map(Number),
    state: states.find((state) => flags.startsWith(STATE_LETTERS[state])) ?? "gone",
    isDrained: flags.includes("d"),
    controller,
    explainsFailure: flags.includes("f"),
  };
}

function getPodState(pod: JsonObject): PodState {
  const phase = textAt(pod, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed" || at(pod, "metadata", "deletionTimestamp") !== undefined)
    return "gone";
  if (phase === "Pending") return "pending";
  return textAt(findCondition(pod, "Ready"), "status") === "True" ? "healthy" : "unhealthy";
}

function findController(pod: JsonObject): JsonObject | undefined {
  return listAt(pod, "metadata", "ownerReferences")
    .filter(isObject)
    .find((owner) => flagAt(owner, "controller"));
}

function isDrained(controller: JsonObject | undefined): boolean {
  const kind = textAt(controller, "kind");
  return kind !== "DaemonSet" && kind !== "Node";
}
