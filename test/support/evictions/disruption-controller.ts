import { type Json, type JsonObject, at, numberAt, objectAt, textAt } from "../../../src/model/json.ts";
import { type DrainState, type PodController, type TestBudget, type TestPod, hasScale, selectPods } from "./state.ts";

/** The status that the disruption controller writes for a budget, given the status before. */
export function syncBudget(
  budget: Pick<TestBudget, "spec" | "generation" | "status">,
  pods: readonly TestPod[],
  since: string,
): JsonObject {
  const selected = selectPods(pods, budget.spec);
  const needsScale = typeof at(budget.spec, "minAvailable") !== "number";
  const failing = needsScale ? selected.find(({ controller }) => controller && !hasScale(controller)) : undefined;
  if (failing?.controller) return failSafe(budget.status, describeFailure(failing.name, failing.controller), since);
  const expectedPods = needsScale ? countReplicas(selected) : selected.length;
  const desiredHealthy = countDesired(budget.spec, expectedPods);
  const currentHealthy = selected.filter(({ state }) => state === "healthy").length;
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const isAllowed = disruptionsAllowed > 0;
  const condition = buildCondition(isAllowed, isAllowed ? "SufficientPods" : "InsufficientPods", "", since);
  const numbers = { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed };
  return { observedGeneration: budget.generation, ...numbers, conditions: [condition] };
}

/** The status of a budget with the same pods, all of them healthy, after its spec has changed. */
export function syncSpec({ metadata, spec, status }: JsonObject): JsonObject {
  const expectedPods = numberAt(status, "expectedPods") ?? 0;
  const desiredHealthy = countDesired(objectAt(spec), expectedPods);
  const disruptionsAllowed = Math.max(0, expectedPods - desiredHealthy);
  const observedGeneration = numberAt(metadata, "generation") ?? 0;
  return { observedGeneration, expectedPods, desiredHealthy, currentHealthy: expectedPods, disruptionsAllowed };
}

/** All budgets of a state, computed at once. */
export function syncAll(state: DrainState, since: string): DrainState {
  const budgets = state.budgets.map((budget) => ({ ...budget, status: syncBudget(budget, state.pods, since) }));
  return { ...state, budgets };
}

/** After a failure the controller keeps all numbers, so that no eviction is allowed by mistake. */
function failSafe(status: JsonObject, message: string, since: string): JsonObject {
  return { ...status, disruptionsAllowed: 0, conditions: [buildCondition(false, "SyncFailed", message, since)] };
}

function buildCondition(isAllowed: boolean, reason: string, message: string, lastTransitionTime: string): JsonObject {
  return { type: "DisruptionAllowed", status: isAllowed ? "True" : "False", reason, message, lastTransitionTime };
}

function describeFailure(pod: string, { kind }: PodController): string {
  if (kind === "Gone") return `found no controllers for pod "${pod}"`;
  return `${kind === "Job" ? "jobs.batch" : "daemonsets.apps"} does not implement the scale subresource`;
}

/** Each controller counts once, with all of its replicas; pods without one count nothing. */
function countReplicas(pods: readonly TestPod[]): number {
  const controllers = new Map(pods.flatMap(({ controller }) => (controller ? [[controller.uid, controller]] : [])));
  return [...controllers.values()].reduce((sum, { replicas }) => sum + replicas, 0);
}

function countDesired(spec: JsonObject, expected: number): number {
  const max = at(spec, "maxUnavailable");
  if (max !== undefined) return Math.max(0, expected - countScaled(max, expected));
  return numberAt(spec, "minAvailable") ?? countScaled(at(spec, "minAvailable") ?? 0, expected);
}

/** Percentages are rounded up. */
function countScaled(limit: Json, expected: number): number {
  return typeof limit === "number" ? limit : Math.ceil((Number.parseInt(textAt(limit) ?? "0", 10) * expected) / 100);
}
