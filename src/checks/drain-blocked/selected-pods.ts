import type { Budget } from "./budget.ts";
import type { BudgetPod } from "./pods.ts";

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
