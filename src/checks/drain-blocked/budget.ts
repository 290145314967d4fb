import { findConditionIn } from "../../model/conditions.ts";
import { type Json, type JsonObject, at, numberAt, objectAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { parseTimestamp } from "../../model/time.ts";
import { type Manager, findManager } from "./managers.ts";
import { type RequirementTexts, parseSelector } from "./selector.ts";

/** The limit in spec: a number of pods, or a percentage of them. */
type DisruptionLimit = {
  readonly field: "maxUnavailable" | "minAvailable";
  readonly amount: number;
  readonly isPercent: boolean;
};

export type Budget = {
  readonly namespace: string;
  readonly name: string;
  readonly selector: RequirementTexts;
  readonly manager?: Manager;
  /** Absent if the budget allows a disruption now. */
  readonly state?: BudgetState;
};

/** What the eviction API and the disruption controller hold of a budget that allows no disruption now. */
export type BudgetState = {
  readonly limit?: DisruptionLimit;
  /** Absent if the status lacks them. */
  readonly numbers?: {
    /** The replicas of the pods' controllers; under a number in minAvailable, all pods, ended ones included. */
    readonly expectedPods: number;
    readonly desiredHealthy: number;
  };
  readonly currentHealthy: number;
  /** Whether the status covers an earlier spec, or none yet. */
  readonly isStale: boolean;
  /** Whether unhealthyPodEvictionPolicy is AlwaysAllow. */
  readonly alwaysAllows: boolean;
  /** Since when the condition DisruptionAllowed is False, in milliseconds since 1970. */
  readonly refusedSince?: number;
  /** Why the disruption controller can't compute the budget. */
  readonly failure?: string;
};

export function parseBudget(object: JsonObject): Budget {
  return {
    namespace: textAt(object, "metadata", "namespace") ?? "",
    name: textAt(object, "metadata", "name") ?? "",
    selector: parseSelector(objectAt(object, "spec")),
    manager: findManager(object),
    state: parseState(object),
  };
}

export function refOfBudget({ namespace, name }: Budget): ObjectRef {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", namespace, name };
}

/** The path of the limit in spec. */
export function getLimitPath({ state }: Budget): string | undefined {
  return state?.limit && `spec.${state.limit.field}`;
}

/** Whether the limit counts the replicas of controllers; a number in minAvailable counts pods instead. */
export function countsReplicas({ limit }: BudgetState): boolean {
  return limit === undefined || limit.field === "maxUnavailable" || limit.isPercent;
}

/** The eviction API looks at nothing but the age of the status and this number before it allows a healthy pod to go. */
function parseState(object: JsonObject): BudgetState | undefined {
  const status = objectAt(object, "status");
  const isStale = (numberAt(status, "observedGeneration") ?? 0) < (numberAt(object, "metadata", "generation") ?? 0);
  const allowed = numberAt(status, "disruptionsAllowed");
  if (!isStale && (allowed ?? 0) > 0) return undefined;
  const expectedPods = numberAt(status, "expectedPods");
  const desiredHealthy = numberAt(status, "desiredHealthy");
  const condition = findConditionIn(status, "DisruptionAllowed");
  const isRefused = textAt(condition, "status") === "False";
  const hasFailed = isRefused && textAt(condition, "reason") === "SyncFailed";
  return {
    currentHealthy: numberAt(status, "currentHealthy") ?? 0,
    isStale,
    alwaysAllows: textAt(object, "spec", "unhealthyPodEvictionPolicy") === "AlwaysAllow",
    limit: findLimit(object),
    numbers:
      expectedPods === undefined || desiredHealthy === undefined || allowed === undefined
        ? undefined
        : { expectedPods, desiredHealthy },
    refusedSince: isRefused ? parseTimestamp(textAt(condition, "lastTransitionTime")) : undefined,
    failure: hasFailed ? textAt(condition, "message") || "no reason reported" : undefined,
  };
}

/** The API server accepts only one of the two, and the disruption controller reads maxUnavailable first. */
function findLimit(object: JsonObject): DisruptionLimit | undefined {
  for (const field of ["maxUnavailable", "minAvailable"] as const) {
    const value = at(object, "spec", field);
    if (value !== undefined) return parseLimit(field, value);
  }
  return undefined;
}

function parseLimit(field: DisruptionLimit["field"], value: Json): DisruptionLimit | undefined {
  if (typeof value === "number") return { field, amount: value, isPercent: false };
  const percent = typeof value === "string" ? /^(\d{1,6})%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? undefined : { field, amount: Number(percent), isPercent: true };
}

/** What the disruption controller's failure is about: a pod by its name, or a controller's resource, such as jobs of batch. */
type FailureSubject =
  | { readonly kind: "pod"; readonly name: string }
  | { readonly kind: "resource"; readonly plural: string; readonly group: string };

/** Undefined for other failures, such as an API that is not served. */
export function parseFailureSubject(message: string): FailureSubject | undefined {
  const name = /^found no controllers for pod "(.*)"$/.exec(message)?.[1];
  if (name !== undefined) return { kind: "pod", name };
  const [, plural, group = ""] = /^([^. ]+)\.?(\S*) does not implement the scale/.exec(message) ?? [];
  return plural === undefined ? undefined : { kind: "resource", plural, group };
}

/** Whether the failure is about this pod and its controller. */
export function isFailureOfPod(message: string, pod: JsonObject, controller: JsonObject | undefined): boolean {
  const subject = parseFailureSubject(message);
  if (subject === undefined || controller === undefined) return false;
  if (subject.kind === "pod") return subject.name === textAt(pod, "metadata", "name");
  const kind = (textAt(controller, "kind") ?? "").toLowerCase();
  const group = /^(.*)\//.exec(textAt(controller, "apiVersion") ?? "")?.[1] ?? "";
  return subject.group === group && subject.plural.startsWith(kind.replace(/y$/, ""));
}
