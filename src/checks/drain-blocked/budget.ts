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

/** How many pods spec keeps or spares: a number of pods, or a percentage of them. */
export type DisruptionLimit = {
  readonly field: "spec.maxUnavailable" | "spec.minAvailable";
  readonly amount: number;
  readonly isPercent: boolean;
};

/** What the disruption controller says of a budget that it can't compute. */
export type SyncFailure = { readonly message: string; readonly since: string };

/** A PodDisruptionBudget, as far as eviction heeds it. Numbers of its status are absent where it has none. */
export type Budget = {
  readonly object: ObjectRef;
  readonly limit?: DisruptionLimit;
  readonly expectedPods?: number;
  readonly desiredHealthy?: number;
  readonly disruptionsAllowed?: number;
  /** The status is of an earlier spec, or there is none yet. */
  readonly isStale: boolean;
  readonly failure?: SyncFailure;
  /** What a pod must have to be the budget's, one text each; none where it selects no pods, or all of the namespace. */
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
    ...(limit ? { limit } : {}),
    ...parseCounts(status),
    isStale: (numberAt(status, "observedGeneration") ?? 0) < (numberAt(object, "metadata", "generation") ?? 0),
    ...(failure ? { failure } : {}),
    requirements: parseRequirements(objectAt(object, "spec", "selector")),
    ...(manager ? { manager } : {}),
  };
}

function parseCounts(status: JsonObject): Pick<Budget, "expectedPods" | "desiredHealthy" | "disruptionsAllowed"> {
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
