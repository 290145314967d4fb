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
import type { ObjectRef } from "../../model/resource.ts";
import { type Manager, findManager } from "./managers.ts";
import { defined } from "../../model/optional.ts";
import { type DrainVerdict, judgeState } from "./verdict.ts";

/** How many pods spec keeps or spares: a number of pods, or a percentage of them. */
export type DisruptionLimit = {
  readonly field: "spec.maxUnavailable" | "spec.minAvailable";
  readonly amount: number;
  readonly isPercent: boolean;
};

/** What the disruption controller says of a budget that it can't compute. */
export type SyncFailure = { readonly message: string; readonly since: string };

/** The spec and status of a PodDisruptionBudget that decide on evictions. Numbers that its status lacks are absent. */
export type BudgetState = {
  readonly limit?: DisruptionLimit;
  readonly expectedPods?: number;
  readonly desiredHealthy?: number;
  readonly disruptionsAllowed?: number;
  /** The status is of an earlier spec, or there is none yet. */
  readonly isStale: boolean;
};

/** A PodDisruptionBudget. A cluster may have very many, so this is as small as it can be. */
export type Budget = {
  readonly namespace: string;
  readonly name: string;
  /** Absent if the disruption controller can't compute the budget: the verdict then depends on `failure` and the time. */
  readonly verdict?: DrainVerdict;
  readonly failure?: SyncFailure;
  /** Whether spec sets maxUnavailable, or else minAvailable; absent if neither. */
  readonly setsMaxUnavailable?: boolean;
  readonly hasPods: boolean;
  /** The requirements of the selector, one a line; empty if it selects no pods or all of the namespace, or if the status is stale. */
  readonly requirements: string;
  readonly manager?: Manager;
};

export function keepBudget(object: JsonObject): Budget {
  const status = objectAt(object, "status");
  const limit = findLimit(object);
  const isStale = (numberAt(status, "observedGeneration") ?? 0) < (numberAt(object, "metadata", "generation") ?? 0);
  const state = { ...defined({ limit }), ...parseCounts(status), isStale };
  const failure = findSyncFailure(status);
  return {
    namespace: textAt(object, "metadata", "namespace") ?? "",
    name: textAt(object, "metadata", "name") ?? "",
    ...(failure ? { failure } : { verdict: judgeState(state) }),
    ...(limit ? { setsMaxUnavailable: limit.field === "spec.maxUnavailable" } : {}),
    hasPods: (state.expectedPods ?? 0) !== 0,
    requirements: isStale ? "" : parseRequirements(objectAt(object, "spec", "selector")).join("\n"),
    ...defined({ manager: findManager(object) }),
  };
}

export function refOfBudget({ namespace, name }: Budget): ObjectRef {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", namespace, name };
}

function parseCounts(status: JsonObject): Pick<BudgetState, "expectedPods" | "desiredHealthy" | "disruptionsAllowed"> {
  const [expectedPods, desiredHealthy] = [numberAt(status, "expectedPods"), numberAt(status, "desiredHealthy")];
  const disruptionsAllowed = numberAt(status, "disruptionsAllowed");
  return {
    ...defined({ expectedPods, desiredHealthy, disruptionsAllowed }),
  };
}

/** The API server takes only one of the two, and the disruption controller looks at maxUnavailable first. */
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
  return [...new Set([...labels, ...expressions])].toSorted(compareText);
}

function formatRequirement(key: string, operator: string, values: readonly Json[]): string {
  return formatCanonicalJson([key, operator, values.map(formatCanonicalJson).toSorted(compareText)]);
}
