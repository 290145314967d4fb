import type { JsonObject } from "../../../src/model/json.ts";
import { syncAll } from "./disruption-controller.ts";
import { type DrainState, type TestPod, hasScale, isPresent, selectPods } from "./state.ts";

const SINCE = "2026-01-01T00:00:00Z";

/** The state with all pods healthy that can be, and every budget computed. */
export function makeHealthy(state: DrainState): DrainState {
  const pods = state.pods.map((pod) => (isPresent(pod) ? { ...pod, state: "healthy" as const } : pod));
  return syncAll({ ...state, pods }, SINCE);
}

/** The same once each controller has its replicas: missing ones become pods like those that the budget selects. */
export function completeReplicas(state: DrainState, spec: JsonObject): DrainState {
  const remaining = state.pods.filter((pod) => pod.state !== "deleting");
  const selected = new Set(selectPods(state.pods, spec));
  const pods = state.controllers.filter(hasScale).reduce((all, { uid, replicas }) => {
    const present = all.filter((pod) => pod.controller?.uid === uid && isPresent(pod));
    const own = state.pods.filter((pod) => pod.controller?.uid === uid);
    const template = own.find((pod) => selected.has(pod)) ?? own[0];
    if (present.length > replicas) return all.filter((pod) => !present.slice(replicas).includes(pod));
    return template ? [...all, ...copyPod(template, replicas - present.length)] : all;
  }, remaining);
  return makeHealthy({ ...state, pods });
}

function copyPod(template: TestPod, count: number): readonly TestPod[] {
  return Array.from({ length: count }, (_, i) => ({ ...template, name: `${template.name}-new${i}`, state: "healthy" }));
}

/** The state with the policy that lets unhealthy pods go. */
export function allowUnhealthy(state: DrainState, name: string): DrainState {
  const budgets = state.budgets.map((budget) =>
    budget.name === name ? { ...budget, spec: { ...budget.spec, unhealthyPodEvictionPolicy: "AlwaysAllow" } } : budget,
  );
  return { ...state, budgets };
}
