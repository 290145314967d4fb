import type { Budget, RequirementTexts, SelectorIndex } from "./budget.ts";
import {
  countsReplicas,
  answersEvictions,
  areDisjoint,
  parseRequirement,
  isFailureOfPod,
  buildSelectorIndex,
} from "./budget.ts";
import { findCondition } from "../../model/object.ts";
import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { type Each, each, soundInPart } from "../../model/read.ts";
import { findController, isGone } from "../shared/pod.ts";

/** Whether the verdict on a budget depends on its pods: a status alone tells neither missing pods from ended ones, nor one controller's from another's. */
export function readsPods({ state }: Budget): boolean {
  if (state === undefined) return false;
  if (state.isStale || state.failure !== undefined) return true;
  return state.numbers !== undefined && (state.numbers.expectedPods > 0 || countsReplicas(state));
}

/** Comparing more selectors pairwise takes longer than reading their pods. */
const MAX_COMPARED = 50;

/** Whether two budgets of a namespace may select the same pod. */
export function canOverlap(budgets: readonly Budget[]): boolean {
  const selectors = budgets.filter(isComparable).map(({ selector }) => selector);
  if (selectors.length < 2 || haveDistinctLabel(selectors)) return false;
  if (selectors.length > MAX_COMPARED) return true;
  return selectors.some((one, i) => selectors.slice(i + 1).some((other) => !areDisjoint(one, other)));
}

/** KubeVirt answers evictions of its pods itself, and without a selector a budget has no pods. */
export function isComparable({ selector, manager }: Budget): boolean {
  return selector !== undefined && !answersEvictions(manager);
}

/** Whether each selector requires other values of the same label, as in a namespace with a budget for each app. */
function haveDistinctLabel(selectors: readonly RequirementTexts[]): boolean {
  const parse = (selector: RequirementTexts) => (selector ?? []).map(parseRequirement);
  return parse(selectors[0]).some(({ key }) => {
    const seen = new Set<string>();
    return selectors.every((selector) => {
      const values = parse(selector).find((one) => one.key === key && one.operator === "In")?.values;
      return values !== undefined && values.every((value) => !seen.has(value) && seen.add(value));
    });
  });
}

/** What a pod means to the eviction API, which lets pods that are pending, ended or being deleted go whatever their budgets say. */
type PodState = "healthy" | "unhealthy" | "pending" | "gone";

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

/** The pods that a budget selects, counted as the disruption controller and a drain count them. */
export type SelectedPods = {
  /** Pods that are healthy or can become so, with a controller. */
  readonly managed: number;
  /** The same without a controller. */
  readonly bare: number;
  /** Of these, the ones that a drain evicts. */
  readonly drained: number;
  /** Of the drained ones, those whose eviction the budget decides now. */
  readonly healthy: number;
  readonly unhealthy: number;
  /** Pods of the same controllers that the budget does not select. */
  readonly siblings: number;
  /** Whether pods have ended or are being deleted: some limits still count them. */
  readonly hasGone: boolean;
  readonly explainsFailure: boolean;
};

/** Counts the pods of one namespace for each of its budgets, by the budget's position. */
export function countSelectedPods(pods: readonly BudgetPod[]): (budget: number) => SelectedPods {
  const podsByBudget = Map.groupBy(
    pods.flatMap((pod) => pod.budgets.map((budget) => ({ budget, pod }))),
    ({ budget }) => budget,
  );
  const controllerPods = countByController(pods);
  return (budget) =>
    countPods(
      (podsByBudget.get(budget) ?? []).map(({ pod }) => pod),
      controllerPods,
    );
}

/** The pods if they are those of the status: a list read earlier or later, or of a part of the cluster, has fewer. */
export function findSelectedPods({ state }: Budget, pods: SelectedPods): SelectedPods | undefined {
  if (state === undefined || state.isStale || state.failure !== undefined) return pods;
  return pods.managed + pods.bare >= state.currentHealthy ? pods : undefined;
}

function countPods(pods: readonly BudgetPod[], controllerPods: ReadonlyMap<string, number>): SelectedPods {
  const present = pods.filter(isPresent);
  const drained = present.filter(({ isDrained }) => isDrained);
  const managed = present.filter(({ controller }) => controller !== "").length;
  const controllers = new Set(pods.map(({ controller }) => controller).filter((uid) => uid !== ""));
  const ofControllers = [...controllers].reduce((sum, uid) => sum + (controllerPods.get(uid) ?? 0), 0);
  return {
    managed,
    bare: present.length - managed,
    drained: drained.length,
    healthy: drained.filter(({ state }) => state === "healthy").length,
    unhealthy: drained.filter(({ state }) => state === "unhealthy").length,
    siblings: ofControllers - managed,
    hasGone: present.length < pods.length,
    explainsFailure: pods.some(({ explainsFailure }) => explainsFailure),
  };
}

function countByController(pods: readonly BudgetPod[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { controller } of pods.filter(isPresent)) counts.set(controller, (counts.get(controller) ?? 0) + 1);
  return counts;
}

export function isPresent({ state }: BudgetPod): boolean {
  return state !== "gone";
}
