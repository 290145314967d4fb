import { type Budget, type BudgetState, countsReplicas, parseFailureSubject, answersEvictions } from "./budget.ts";
import { isRecent } from "../../model/time.ts";
import { type SelectedPods, type BudgetPod, isComparable, isPresent } from "./pods.ts";
import { compareText } from "../../model/json.ts";

/** What a budget means for the drain of a node. */
export type DrainVerdict =
  /** It keeps none of the pods that a drain evicts. */
  | "free"
  /** It requires as many healthy pods as there are, or more. */
  | "requiresAll"
  /** The same, since pods that have ended or are being deleted count as expected. */
  | "requiresGone"
  /** The same, since its limit counts all replicas of a controller, and its selector takes only some of them. */
  | "selectsPart"
  /** It allows nothing, since its limit counts the replicas of controllers, and its pods have none. */
  | "countsNone"
  /** It can't spare a pod now. */
  | "notNow"
  /** The same, and not for hours. */
  | "exhausted"
  /** The disruption controller has failed to compute it for longer than the grace period, and so allows no eviction. */
  | "notComputed"
  /** The same, but within the grace period. */
  | "notComputedYet"
  /** The same, but all of its pods belong to DaemonSets, and drains don't evict those. */
  | "ofDaemonSet"
  /** Its status doesn't cover its latest spec. */
  | "stale"
  | "notUnderstood";

/** How long the disruption controller may fail to compute a budget before that is a risk. */
const GRACE_PERIOD_MS = 10 * 60_000;

/** How long a budget may allow no disruption before that is a risk: pods that start or roll take minutes. */
const EXHAUSTED_MS = 2 * 60 * 60_000;

/** `pods` is undefined if they are not those that the status counts: then the status alone decides. */
export function judgeBudget({ state }: Budget, pods: SelectedPods | undefined, now: Date): DrainVerdict {
  if (state === undefined) return "free";
  if (pods?.drained === 0) return state.failure !== undefined && pods.managed > 0 ? "ofDaemonSet" : "free";
  if (hasFailed(state, pods)) return hasLasted(state, GRACE_PERIOD_MS, now, true) ? "notComputed" : "notComputedYet";
  if (state.isStale) return pods ? judgeSpec(state, pods) : "stale";
  const verdict = pods ? judgePods(state, pods) : judgeStatus(state);
  return verdict === "notNow" && hasLasted(state, EXHAUSTED_MS, now, false) ? "exhausted" : verdict;
}

/** Whether no pod can be evicted even if all are healthy. */
export function isNever(verdict: DrainVerdict): boolean {
  return NEVER.has(verdict);
}

const NEVER: ReadonlySet<DrainVerdict> = new Set(["requiresAll", "requiresGone", "selectsPart", "countsNone"]);

/** By default, unhealthy pods can go while as many pods are healthy as the budget requires; with AlwaysAllow, always. */
export function canEvictUnhealthy({ alwaysAllows, numbers, currentHealthy }: BudgetState): boolean {
  const desired = numbers?.desiredHealthy ?? 0;
  return alwaysAllows || (desired > 0 && currentHealthy >= desired);
}

/** A failure to compute an earlier spec is still reported until the latest one is computed: then no selected pod explains it. */
function hasFailed(state: BudgetState, pods: SelectedPods | undefined): boolean {
  const { failure, isStale } = state;
  if (failure === undefined) return false;
  if (!isStale || pods === undefined) return true;
  return countsReplicas(state) && (pods.explainsFailure || parseFailureSubject(failure) === undefined);
}

function hasLasted({ refusedSince }: BudgetState, duration: number, now: Date, unknown: boolean): boolean {
  return refusedSince === undefined ? unknown : !isRecent(now.getTime() - refusedSince, duration);
}

/** A number in minAvailable is decided by the pods; other limits need the replicas, which only the next status counts. */
function judgeSpec(state: BudgetState, pods: SelectedPods): DrainVerdict {
  return countsReplicas(state) ? "stale" : (judgeNumber(state.limit?.amount ?? 0, pods) ?? "stale");
}

function judgePods(state: BudgetState, pods: SelectedPods): DrainVerdict {
  const { numbers } = state;
  if (numbers === undefined) return "notUnderstood";
  const isWaiting = pods.healthy > 0 || (pods.unhealthy > 0 && !canEvictUnhealthy(state));
  const never = countsReplicas(state)
    ? judgeReplicas(numbers.expectedPods, numbers.desiredHealthy, pods)
    : judgeNumber(numbers.desiredHealthy, pods);
  return never ?? (isWaiting ? "notNow" : "free");
}

/** A number in minAvailable is compared with the pods that can be healthy. */
function judgeNumber(required: number, { managed, bare, hasGone }: SelectedPods): DrainVerdict | undefined {
  if (required < managed + bare) return undefined;
  return hasGone ? "requiresGone" : "requiresAll";
}

/** Missing replicas are created sooner or later, and may become pods of the budget; those that another selector takes can't. */
function judgeReplicas(expected: number, required: number, pods: SelectedPods): DrainVerdict | undefined {
  if (expected <= 0) return "countsNone";
  const possible = pods.bare + Math.max(pods.managed, expected - pods.siblings);
  if (required < possible) return undefined;
  if (required < expected) return "selectsPart";
  return pods.hasGone ? "requiresGone" : "requiresAll";
}

function judgeStatus(state: BudgetState): DrainVerdict {
  const { numbers, currentHealthy } = state;
  if (numbers === undefined) return "notUnderstood";
  const { expectedPods, desiredHealthy } = numbers;
  if (expectedPods <= 0) return currentHealthy > 0 ? "countsNone" : "free";
  if (desiredHealthy >= expectedPods) return "requiresAll";
  return currentHealthy > 0 || !canEvictUnhealthy(state) ? "notNow" : "free";
}

/** A budget with pods that also belong to another one; no names if it has no pods now. */
export type Overlap = { readonly budget: Budget; readonly other: Budget; readonly pods: readonly string[] };

/** The eviction API counts a pod's budgets by their selectors alone, so the status of the second budget doesn't matter. */
export function findOverlaps(budgets: readonly Budget[], pods: readonly BudgetPod[]): readonly Overlap[] {
  if (budgets.length < 2) return [];
  const seen = new Set(pods.flatMap((pod) => pod.budgets.map((i) => budgets[i])));
  const bySelector = findSelectorOverlaps(budgets).filter(({ budget }) => !seen.has(budget));
  const overlaps = [...findPodOverlaps(budgets, pods), ...bySelector];
  return overlaps.toSorted((a, b) => compareText(a.budget.name, b.budget.name));
}

function findPodOverlaps(budgets: readonly Budget[], pods: readonly BudgetPod[]): readonly Overlap[] {
  const shared = pods.filter((one) => isBlockedByTwo(one, budgets));
  const podsByBudget = Map.groupBy(
    shared.flatMap((pod) => pod.budgets.map((i) => ({ i, pod }))),
    ({ i }) => i,
  );
  return [...podsByBudget].flatMap(([i, own]) => {
    const others = new Set(own.flatMap(({ pod }) => pod.budgets.filter((other) => other !== i)));
    return buildOverlap(
      budgets[i],
      [...others].map((other) => budgets[other]),
      (other) => own.filter(({ pod }) => pod.budgets.some((j) => budgets[j] === other)).map(({ pod }) => pod.name),
    );
  });
}

/** KubeVirt's webhook answers first, so a second budget doesn't block the pod of a virtual machine. */
function isBlockedByTwo(pod: BudgetPod, budgets: readonly Budget[]): boolean {
  if (pod.budgets.length < 2 || !isPresent(pod) || !pod.isDrained) return false;
  return !pod.budgets.some((i) => answersEvictions(budgets[i]?.manager));
}

function buildOverlap(
  budget: Budget | undefined,
  others: readonly (Budget | undefined)[],
  listPods: (other: Budget) => readonly string[] = () => [],
): readonly Overlap[] {
  const [other] = others.filter((one) => one !== undefined).toSorted((a, b) => compareText(a.name, b.name));
  return budget && other ? [{ budget, other, pods: listPods(other).toSorted(compareText) }] : [];
}

/**
 * For budgets without pods: if a budget's requirements include all of another's, its pods belong to the other one too. Budgets with different
 * requirements may still share a pod.
 */
function findSelectorOverlaps(budgets: readonly Budget[]): readonly Overlap[] {
  const comparable = budgets.filter((budget) => isComparable(budget) && (budget.selector ?? []).length > 0);
  const budgetsByRequirement = Map.groupBy(
    comparable.flatMap(({ selector }) => selector ?? []),
    (one) => one,
  );
  const countSharers = (one: string): number => budgetsByRequirement.get(one)?.length ?? 0;
  // Each budget is compared only with those whose rarest requirement it has: a namespace with thousands has too many pairs.
  const byRarest = Map.groupBy(
    comparable,
    ({ selector = [] }) => selector.toSorted((a, b) => countSharers(a) - countSharers(b))[0],
  );
  return comparable.filter(hasPods).flatMap((budget) => {
    const requirements = budget.selector ?? [];
    const others = requirements
      .flatMap((one) => byRarest.get(one) ?? [])
      .filter((one) => one !== budget && one.selector?.every((each) => requirements.includes(each)));
    return buildOverlap(budget, others);
  });
}

/** A status that allows a disruption counts a healthy pod. */
function hasPods({ state }: Budget): boolean {
  if (state === undefined) return true;
  return !state.isStale && (state.currentHealthy > 0 || (state.numbers?.expectedPods ?? 0) > 0);
}
