import { at, numberAt, objectAt, textAt, type Json } from "../../../src/model/json.ts";
import { findConditionIn } from "../../../src/model/object.ts";
import { syncBudget } from "./disruption-controller.ts";
import type { Answers } from "./api-server.ts";
import type { Statements } from "./statements.ts";
import { type DrainState, type TestBudget, type TestPod, isDrained, isPresent, selectPods } from "./state.ts";

/** What the check said of a budget, and what the API server answers now and with all pods healthy. */
export type Observation = {
  readonly state: DrainState;
  readonly budget: TestBudget;
  readonly statements: Statements;
  readonly now: Answers;
  readonly healthy: Answers;
  /** With all replicas of the controllers too. */
  readonly complete: Answers;
  /** With unhealthyPodEvictionPolicy AlwaysAllow. */
  readonly allowing: Answers;
  readonly time: Date;
};

type Property = (observation: Observation, pods: ObservedPods) => boolean;

/** The pods that the budget selects. */
type ObservedPods = {
  readonly selected: readonly TestPod[];
  readonly healthy: readonly TestPod[];
  /** Those that a drain evicts, now or once they run. */
  readonly drained: readonly TestPod[];
  /** Of these, those without a second budget. */
  readonly exclusive: readonly TestPod[];
};

/** The properties that do not hold of an observation. */
export function findUntrue(observation: Observation): readonly string[] {
  const { state, budget } = observation;
  const selected = selectPods(state.pods, budget.spec);
  const drained = selected.filter((pod) => isPresent(pod) && isDrained(pod));
  const exclusive = drained.filter((pod) => countBudgets(state, pod) === 1);
  const pods = { selected, healthy: selected.filter((pod) => pod.state === "healthy"), drained, exclusive };
  return Object.entries(PROPERTIES).flatMap(([text, holds]) => (holds(observation, pods) ? [] : [text]));
}

function countBudgets({ budgets }: DrainState, pod: TestPod): number {
  return budgets.filter(({ spec }) => selectPods([pod], spec).length > 0).length;
}

const BLOCKED = "DrainBlockedByDisruptionBudget";
const EXHAUSTED = "DisruptionBudgetExhausted";
const NOT_COMPUTED = "DisruptionBudgetNotComputed";
const OVERLAP = "PodsInSeveralDisruptionBudgets";

const hasFinding = ({ statements }: Observation, risk: string, text = ""): boolean =>
  statements.findings[risk]?.includes(text) ?? false;
const hasNotice = ({ statements }: Observation, text: string): boolean =>
  statements.notices.some((notice) => notice.includes(text));
const says = ({ statements }: Observation, text: string): boolean =>
  [...Object.values(statements.findings), ...statements.notices].some((one) => one.toLowerCase().includes(text));
const isWaiting = (o: Observation): boolean => hasNotice(o, "A drain waits until") || hasFinding(o, EXHAUSTED);
const isSilent = ({ statements: { findings, notices, unknowns } }: Observation): boolean =>
  Object.keys(findings).every((risk) => risk === OVERLAP) && notices.length === 0 && unknowns.length === 0;
const isDecided = (o: Observation): boolean => isWaiting(o) || isSilent(o);
const mayGo = (answers: Answers, { name }: TestPod): boolean => answers.get(name) === "evicted";
const isStale = ({ budget: { status, generation } }: Observation): boolean =>
  (numberAt(status, "observedGeneration") ?? 0) < generation;
const countsReplicas = ({ budget }: Observation): boolean => typeof at(budget.spec, "minAvailable") !== "number";
const getRefusedMinutes = ({ budget, time }: Observation): number => {
  const condition = findConditionIn(budget.status, "DisruptionAllowed");
  const since = new Date(textAt(condition, "lastTransitionTime") ?? "").getTime();
  return textAt(condition, "status") === "False" ? (time.getTime() - since) / 60_000 : 0;
};
/** The status once the disruption controller has computed the latest spec with the pods as they are. */
const getSyncedNumber = ({ budget, state }: Observation, key: string): number =>
  numberAt(syncBudget({ ...budget, status: {} }, state.pods, ""), key) ?? 0;
const getSyncedReason = ({ budget, state }: Observation): string | undefined =>
  textAt(findConditionIn(syncBudget(budget, state.pods, ""), "DisruptionAllowed"), "reason");
/** While a controller has more pods than replicas, it is about to remove some. */
const hasSurplus = ({ state: { controllers, pods } }: Observation): boolean =>
  controllers.some(
    ({ uid, replicas }) => replicas < pods.filter((pod) => pod.controller?.uid === uid && isPresent(pod)).length,
  );
const isImplied = (condition: boolean, ...all: readonly boolean[]): boolean => !condition || all.every(Boolean);

/** Each sentence with what makes it true, and the agreement with the API server. */
const PROPERTIES: Readonly<Record<string, Property>> = {
  "a budget that is reported as never allowing an eviction allows none with all pods healthy": (o, { exclusive }) =>
    isImplied(
      hasFinding(o, BLOCKED),
      exclusive.every((pod) => !mayGo(o.healthy, pod)),
    ),
  "a budget that is reported as never allowing an eviction by its replicas allows none with all of them": (
    o,
    { exclusive },
  ) =>
    isImplied(
      hasFinding(o, BLOCKED) && countsReplicas(o) && !hasSurplus(o) && getSyncedNumber(o, "expectedPods") > 0,
      exclusive.every((pod) => !mayGo(o.complete, pod)),
    ),
  "any other budget that is computed allows an eviction with all pods healthy, or with all replicas": (
    o,
    { exclusive },
  ) =>
    isImplied(
      isDecided(o),
      exclusive.every((pod) => mayGo(o.healthy, pod) || mayGo(o.complete, pod) || !o.complete.has(pod.name)),
    ),
  "a budget of which nothing is said keeps no pod now": (o, { exclusive }) =>
    isImplied(
      isSilent(o),
      exclusive.every((pod) => mayGo(o.now, pod)),
    ),
  "a drain waits only for a pod that may not go now": (o, { drained }) =>
    isImplied(
      isWaiting(o),
      drained.some((pod) => !mayGo(o.now, pod)),
    ),
  "pods are reported as belonging to two budgets if the API server says so": (o, { drained }) =>
    hasFinding(o, OVERLAP) === drained.some(({ name }) => o.healthy.get(name) === "two budgets"),
  "no healthy pod can be evicted": (o, { healthy }) =>
    isImplied(
      says(o, "no healthy pod can be evicted"),
      healthy.every((pod) => !mayGo(o.now, pod)),
    ),
  "no more pods are healthy than the budget requires": (o, { healthy }) =>
    isImplied(isWaiting(o), healthy.length <= getNumber(o.budget.status, "desiredHealthy")),
  "unhealthy pods can go with AlwaysAllow, which is not set, and do not go without": (o, { drained }) =>
    isImplied(
      hasNotice(o, "AlwaysAllow"),
      textAt(o.budget.spec, "unhealthyPodEvictionPolicy") !== "AlwaysAllow",
      drained.some(
        (pod) =>
          pod.state === "unhealthy" &&
          !mayGo(o.now, pod) &&
          (mayGo(o.allowing, pod) || o.now.get(pod.name) === "two budgets"),
      ),
    ),
  "the hint to AlwaysAllow is given where it helps": (o, { exclusive }) =>
    isImplied(
      hasNotice(o, "A drain waits until") && exclusive.some((pod) => pod.state === "unhealthy" && !mayGo(o.now, pod)),
      hasNotice(o, "AlwaysAllow"),
    ),
  "it has allowed no disruption for at least 2 hours": (o) =>
    isImplied(isWaiting(o), hasFinding(o, EXHAUSTED) === getRefusedMinutes(o) >= 120),
  "it requires as many healthy pods as exist": (o, { selected }) =>
    isImplied(
      hasFinding(o, BLOCKED, ", so none can be evicted") ||
        hasFinding(o, BLOCKED, "not counting those that have ended"),
      hasFinding(o, BLOCKED, "not counting those that have ended") === !selected.every(isPresent),
      getSyncedNumber(o, "desiredHealthy") >= selected.filter(isPresent).length,
    ),
  "its limit counts the replicas of controllers, and its pods have none": (o) =>
    isImplied(
      hasFinding(o, BLOCKED, "and its pods have none"),
      countsReplicas(o) && getSyncedNumber(o, "expectedPods") === 0,
    ),
  "its selector takes only some pods of a controller": (o, { selected }) =>
    isImplied(
      hasFinding(o, BLOCKED, "takes only some of their pods"),
      countsReplicas(o),
      o.state.pods.some(
        (pod) =>
          isPresent(pod) &&
          !selected.includes(pod) &&
          selected.some(({ controller }) => controller && controller === pod.controller),
      ),
    ),
  "the disruption controller can't compute it": (o) =>
    isImplied(
      hasFinding(o, NOT_COMPUTED) || hasNotice(o, "failed to compute"),
      getSyncedReason(o) === "SyncFailed",
      hasFinding(o, NOT_COMPUTED) === getRefusedMinutes(o) >= 10,
    ),
  "all of its pods belong to DaemonSets": (o, { drained }) =>
    isImplied(hasNotice(o, "belong to DaemonSets"), drained.length === 0),
  "its status doesn't cover its latest spec": (o) => isImplied(o.statements.unknowns.length > 0, isStale(o)),
};

function getNumber(status: Json, key: string): number {
  return numberAt(objectAt(status), key) ?? 0;
}
