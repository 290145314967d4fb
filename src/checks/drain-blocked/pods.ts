import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { type Each, each, soundInPart } from "../../model/read.ts";
import { findController, isGone } from "../shared/pod.ts";
import { type Budget, countsReplicas, isFailureOfPod } from "./budget.ts";
import { canOverlap, readsPods } from "./needs-pods.ts";
import { type SelectorIndex, buildSelectorIndex } from "./selector.ts";

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
export function buildPodsRead(all: readonly Budget[]): Each<BudgetPod> | undefined {
  const groups = [...Map.groupBy(all, ({ namespace }) => namespace)].filter(
    ([, budgets]) => budgets.some(readsPods) || canOverlap(budgets),
  );
  if (groups.length === 0) return undefined;
  const budgetsByNamespace = new Map(groups);
  // An API server lists one namespace after the other.
  let last: PodSelection | undefined;
  const keep = (pod: JsonObject): BudgetPod | undefined => {
    const namespace = textAt(pod, "metadata", "namespace") ?? "";
    const budgets = budgetsByNamespace.get(namespace);
    if (budgets === undefined) return undefined;
    if (last?.namespace !== namespace) last = buildPodSelection(namespace, budgets);
    return keepPod(pod, last);
  };
  return { ...soundInPart("namespace", each("v1/pods", keep)), done: () => (last = undefined) };
}

/** The budgets of one namespace, prepared for its pods. */
type PodSelection = {
  readonly namespace: string;
  readonly budgets: readonly Budget[];
  readonly index: SelectorIndex;
  /** Whether pods that no budget selects matter too, since a budget counts their controller's replicas. */
  readonly keepsSiblings: boolean;
};

function buildPodSelection(namespace: string, budgets: readonly Budget[]): PodSelection {
  const keepsSiblings = budgets.some(({ state }) => state && countsReplicas(state));
  return { namespace, budgets, index: buildSelectorIndex(budgets.map(({ selector }) => selector)), keepsSiblings };
}

function keepPod(pod: JsonObject, { namespace, budgets, index, keepsSiblings }: PodSelection): BudgetPod | undefined {
  const selecting = index(objectAt(pod, "metadata", "labels"));
  const controller = findController(pod);
  const matters = selecting.length > 1 || selecting.some((i) => budgets[i]?.state !== undefined);
  if (!matters && !(keepsSiblings && controller)) return undefined;
  return {
    namespace,
    name: textAt(pod, "metadata", "name") ?? "",
    budgets: selecting,
    state: getPodState(pod),
    isDrained: isDrained(controller),
    controller: textAt(controller, "uid") ?? "",
    explainsFailure: selecting.some((i) => isFailureOfPod(budgets[i]?.state?.failure ?? "", pod, controller)),
  };
}

function getPodState(pod: JsonObject): PodState {
  if (isGone(pod)) return "gone";
  if (textAt(pod, "status", "phase") === "Pending") return "pending";
  return textAt(findCondition(pod, "Ready"), "status") === "True" ? "healthy" : "unhealthy";
}

function isDrained(controller: JsonObject | undefined): boolean {
  const kind = textAt(controller, "kind");
  return kind !== "DaemonSet" && kind !== "Node";
}
