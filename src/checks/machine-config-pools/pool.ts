import { type Json, type JsonObject, at, flagAt, isObject, listAt, numberAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type MaxUnavailable, parseMaxUnavailable } from "../shared/max-unavailable.ts";
import { isRequiredPool, buildPoolRef } from "../shared/machine-config-pools.ts";

/** A condition that is True, with the operator's message. */
export type PoolCondition = { readonly type: string; readonly message: string };

/** The fields of a MachineConfigPool that matter here. */
export type MachineConfigPool = {
  readonly object: ObjectRef;
  /** The update waits for these pools. */
  readonly isRequired: boolean;
  readonly isPaused: boolean;
  /** False only if its status reports that it has no nodes. */
  readonly hasNodes: boolean;
  /** Some node doesn't have the pool's current configuration. */
  readonly isBehind: boolean;
  readonly maxUnavailable: MaxUnavailable;
  /** As many nodes are unavailable as maxUnavailable allows. */
  readonly isAtMaxUnavailable: boolean;
  /** Has the operator reported yet whether the pool is degraded? */
  readonly isReported: boolean;
  readonly conditions: readonly PoolCondition[];
};

export function keepMachineConfigPool(object: JsonObject): MachineConfigPool {
  const machines = numberAt(object, "status", "machineCount");
  const conditions = listAt(object, "status", "conditions").filter(isObject);
  const maxUnavailable = parseMaxUnavailable(at(object, "spec", "maxUnavailable"), machines ?? 0);
  return {
    object: buildPoolRef(textAt(object, "metadata", "name") ?? ""),
    isRequired: isRequiredPool(object),
    isPaused: flagAt(object, "spec", "paused") === true,
    hasNodes: machines !== 0,
    isBehind: isBehind(object),
    maxUnavailable,
    isAtMaxUnavailable:
      maxUnavailable.kind === "nodes" &&
      (numberAt(object, "status", "unavailableMachineCount") ?? 0) >= maxUnavailable.nodes,
    isReported: conditions.some((one) => textAt(one, "type") === "Degraded"),
    conditions: conditions.filter((one) => textAt(one, "status") === "True").map(parseCondition),
  };
}

function isBehind(object: JsonObject): boolean {
  const machines = at(object, "status", "machineCount");
  const updated = at(object, "status", "updatedMachineCount");
  const desired = getConfigurationName(object, "spec");
  const current = getConfigurationName(object, "status");
  return updated !== machines || desired !== current;
}

function getConfigurationName(object: JsonObject, section: "spec" | "status"): Json | undefined {
  return at(object, section, "configuration", "name");
}

function parseCondition(condition: JsonObject): PoolCondition {
  return { type: textAt(condition, "type") ?? "", message: textAt(condition, "message") ?? "" };
}

export function hasCondition({ conditions }: MachineConfigPool, type: string): boolean {
  return conditions.some((condition) => condition.type === type);
}

/** The causes of a degraded pool: the conditions that Degraded sums up, or Degraded alone. */
export function selectDegradedConditions(pool: MachineConfigPool): readonly PoolCondition[] {
  const degraded = pool.conditions.filter(({ type }) => type.endsWith("Degraded"));
  const causes = degraded.filter(({ type }) => type !== "Degraded");
  return causes.length > 0 ? causes : degraded;
}
