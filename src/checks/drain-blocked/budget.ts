import { findConditionIn } from "../../model/conditions.ts";
import {
  type Json,
  type JsonObject,
  at,
  compareText,
  formatCanonicalJson,
  listAt,
  numberAt,
  objectAt,
  textAt,
} from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { defined } from "../../model/optional.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type Manager, findManager } from "./managers.ts";
import { type DrainVerdict, hasPods, judgeState } from "./verdict.ts";

/** The limit in spec: a number of pods, or a percentage of them. */
export type DisruptionLimit = {
  readonly field: "spec.maxUnavailable" | "spec.minAvailable";
  readonly amount: number;
  readonly isPercent: boolean;
};

/** The disruption controller's report that it can't compute a budget. */
export type SyncFailure = { readonly message: string; readonly since: string };

/** The spec and status of a PodDisruptionBudget, as the eviction API uses them. Numbers that its status lacks are absent. */
export type BudgetState = {
  readonly limit?: DisruptionLimit;
  /** The pods of controllers with a scale; under a number in minAvailable, all pods. */
  readonly expectedPods?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly disruptionsAllowed?: number;
  /** Whether the status covers an earlier spec, or none yet. */
  readonly isStale: boolean;
};

/** A PodDisruptionBudget. A cluster can have very many, so only what the verdict and its sentence need is kept. */
export type Budget = {
  readonly namespace: string;
  readonly name: string;
  /** Absent if the disruption controller can't compute the budget: the verdict then depends on `failure` and the time. */
  readonly verdict?: DrainVerdict;
  readonly failure?: SyncFailure;
  readonly limitPath?: DisruptionLimit["field"];
  readonly hasPods: boolean;
  /** Whether its pods have no controller, so that the disruption controller expects none. */
  readonly countsNoPods: boolean;
  /** Whether unhealthy pods can be evicted although `disruptionsAllowed` is 0. */
  readonly canEvictUnhealthy: boolean;
  readonly isStale: boolean;
  /** The requirements of its selector, one a line; "" if it selects no pods, or all pods of the namespace. */
  readonly requirements: string;
  readonly manager?: Manager;
};

export function keepBudget(object: JsonObject): Budget {
  const state = parseState(object);
  const failure = findSyncFailure(objectAt(object, "status"));
  return {
    namespace: textAt(object, "metadata", "namespace") ?? "",
    name: textAt(object, "metadata", "name") ?? "",
    ...(failure ? { failure } : { verdict: judgeState(state) }),
    hasPods: hasPods(state),
    countsNoPods: state.expectedPods === 0,
    canEvictUnhealthy: canEvictUnhealthy(object),
    isStale: state.isStale,
    requirements: parseRequirements(objectAt(object, "spec", "selector")).join("\n"),
    ...defined({ limitPath: state.limit?.field, manager: findManager(object) }),
  };
}

export function refOfBudget({ namespace, name }: Budget): ObjectRef {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", namespace, name };
}

function parseState(object: JsonObject): BudgetState {
  const status = objectAt(object, "status");
  return {
    isStale: (numberAt(status, "observedGeneration") ?? 0) < (numberAt(object, "metadata", "generation") ?? 0),
    ...defined({
      limit: findLimit(object),
      expectedPods: numberAt(status, "expectedPods"),
      currentHealthy: numberAt(status, "currentHealthy"),
      desiredHealthy: numberAt(status, "desiredHealthy"),
      disruptionsAllowed: numberAt(status, "disruptionsAllowed"),
    }),
  };
}

/** By default, unhealthy pods can go while as many pods are healthy as the budget requires; with AlwaysAllow, always. */
function canEvictUnhealthy(object: JsonObject): boolean {
  if (textAt(object, "spec", "unhealthyPodEvictionPolicy") === "AlwaysAllow") return true;
  const desired = numberAt(object, "status", "desiredHealthy") ?? 0;
  return desired > 0 && (numberAt(object, "status", "currentHealthy") ?? 0) >= desired;
}

/** The API server accepts only one of the two, and the disruption controller reads maxUnavailable first. */
function findLimit(object: JsonObject): DisruptionLimit | undefined {
  for (const key of ["maxUnavailable", "minAvailable"] as const) {
    const value = at(object, "spec", key);
    if (value !== undefined) return parseLimit(`spec.${key}`, value);
  }
  return undefined;
}

function parseLimit(field: DisruptionLimit["field"], value: Json): DisruptionLimit | undefined {
  if (typeof value === "number") return { field, amount: value, isPercent: false };
  const percent = typeof value === "string" ? /^(\d{1,6})%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? undefined : { field, amount: Number(percent), isPercent: true };
}

function findSyncFailure(status: JsonObject): SyncFailure | undefined {
  const condition = findConditionIn(status, "DisruptionAllowed");
  if (textAt(condition, "status") === "True" || textAt(condition, "reason") !== "SyncFailed") return undefined;
  return { message: textAt(condition, "message") ?? "", since: textAt(condition, "lastTransitionTime") ?? "" };
}

function parseRequirements(selector: JsonObject): readonly string[] {
  const labels = Object.entries(objectAt(selector, "matchLabels")).map(([key, value]) =>
    formatRequirement(key, "In", [value]),
  );
  const expressions = listAt(selector, "matchExpressions").map((one) =>
    formatRequirement(textAt(one, "key") ?? "", textAt(one, "operator") ?? "", listAt(one, "values")),
  );
  return sortNames([...labels, ...expressions]);
}

function formatRequirement(key: string, operator: string, values: readonly Json[]): string {
  return formatCanonicalJson([key, operator, values.map(formatCanonicalJson).toSorted(compareText)]);
}
