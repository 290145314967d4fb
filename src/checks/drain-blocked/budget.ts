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

/** The limit in spec: a number of pods, or a percentage of them. */
export type DisruptionLimit = {
  readonly field: "spec.maxUnavailable" | "spec.minAvailable";
  readonly amount: number;
  readonly isPercent: boolean;
};

/** The disruption controller's report that it can't compute a budget. */
export type SyncFailure = { readonly message: string; readonly since: string };

/** A PodDisruptionBudget, as far as the eviction API uses it. The numbers of a status without them are absent. */
export type Budget = {
  readonly object: ObjectRef;
  readonly limit?: DisruptionLimit;
  readonly expectedPods?: number;
  readonly desiredHealthy?: number;
  readonly disruptionsAllowed?: number;
  /** Whether unhealthy pods can be evicted although `disruptionsAllowed` is 0. */
  readonly canEvictUnhealthy: boolean;
  /** Whether the status covers an earlier spec, or none yet. */
  readonly isStale: boolean;
  readonly failure?: SyncFailure;
  /** The requirements of its selector, one text each; none if it selects no pods, or all pods of the namespace. */
  readonly requirements: readonly string[];
  readonly manager?: Manager;
};

export function keepBudget(object: JsonObject): Budget {
  const status = objectAt(object, "status");
  const [limit, failure, manager] = [findLimit(object), findSyncFailure(status), findManager(object)];
  return {
    object: {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      namespace: textAt(object, "metadata", "namespace") ?? "",
      name: textAt(object, "metadata", "name") ?? "",
    },
    ...parseCounts(status),
    canEvictUnhealthy: canEvictUnhealthy(object),
    isStale: (numberAt(status, "observedGeneration") ?? 0) < (numberAt(object, "metadata", "generation") ?? 0),
    requirements: parseRequirements(objectAt(object, "spec", "selector")),
    ...defined({ limit, failure, manager }),
  };
}

/** By default, unhealthy pods can go while as many pods are healthy as the budget requires; with AlwaysAllow, always. */
function canEvictUnhealthy(object: JsonObject): boolean {
  if (textAt(object, "spec", "unhealthyPodEvictionPolicy") === "AlwaysAllow") return true;
  const desired = numberAt(object, "status", "desiredHealthy") ?? 0;
  return desired > 0 && (numberAt(object, "status", "currentHealthy") ?? 0) >= desired;
}

function parseCounts(status: JsonObject): Pick<Budget, "expectedPods" | "desiredHealthy" | "disruptionsAllowed"> {
  const [expectedPods, desiredHealthy] = [numberAt(status, "expectedPods"), numberAt(status, "desiredHealthy")];
  const disruptionsAllowed = numberAt(status, "disruptionsAllowed");
  return {
    ...defined({ expectedPods, desiredHealthy, disruptionsAllowed }),
  };
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
