import { type Json, type JsonObject, at, flagAt, isObject, listAt, numberAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type MaxUnavailable, parseMaxUnavailable } from "./max-unavailable.ts";

/** One condition that is True; `message` is the operator's. */
export type Condition = { readonly type: string; readonly message: string };

/** What matters of a MachineConfigPool. */
export type Pool = {
  readonly object: ObjectRef;
  /** The update waits for these pools. */
  readonly required: boolean;
  readonly paused: boolean;
  /** Does it have nodes, as far as its status says? */
  readonly populated: boolean;
  /** Not every node has the configuration that the pool should have. */
  readonly behind: boolean;
  readonly maxUnavailable: MaxUnavailable;
  /** As many nodes are unavailable as may be. */
  readonly crowded: boolean;
  /** Has the operator said yet whether the pool is degraded? */
  readonly reported: boolean;
  readonly conditions: readonly Condition[];
};

/** The machine-config operator waits for the pool of the control plane and for those with this label. */
const REQUIRED = "operator.machineconfiguration.openshift.io/required-for-upgrade";

export function keepPool(object: JsonObject): Pool {
  const name = textAt(object, "metadata", "name") ?? "";
  const machines = numberAt(object, "status", "machineCount");
  const conditions = listAt(object, "status", "conditions").filter(isObject);
  const maxUnavailable = parseMaxUnavailable(at(object, "spec", "maxUnavailable"), machines ?? 0);
  return {
    object: { apiVersion: "machineconfiguration.openshift.io/v1", kind: "MachineConfigPool", name },
    required: name === "master" || at(object, "metadata", "labels", REQUIRED) !== undefined,
    paused: flagAt(object, "spec", "paused") === true,
    populated: machines !== 0,
    behind: isBehind(object),
    maxUnavailable,
    crowded:
      maxUnavailable.kind === "nodes" &&
      (numberAt(object, "status", "unavailableMachineCount") ?? 0) >= maxUnavailable.nodes,
    reported: conditions.some((one) => textAt(one, "type") === "Degraded"),
    conditions: conditions.filter((one) => textAt(one, "status") === "True").map(keepCondition),
  };
}

function isBehind(object: JsonObject): boolean {
  const [machines, updated] = [at(object, "status", "machineCount"), at(object, "status", "updatedMachineCount")];
  const [wanted, reached] = [configuration(object, "spec"), configuration(object, "status")];
  return updated !== machines || wanted !== reached;
}

function configuration(object: JsonObject, section: "spec" | "status"): Json | undefined {
  return at(object, section, "configuration", "name");
}

function keepCondition(condition: JsonObject): Condition {
  return { type: textAt(condition, "type") ?? "", message: textAt(condition, "message") ?? "" };
}

export function isTrue({ conditions }: Pool, type: string): boolean {
  return conditions.some((condition) => condition.type === type);
}

/** Why a degraded pool is degraded: the conditions besides Degraded, which sums them up. */
export function degradedBy(pool: Pool): readonly Condition[] {
  const degraded = pool.conditions.filter(({ type }) => type.endsWith("Degraded"));
  const causes = degraded.filter(({ type }) => type !== "Degraded");
  return causes.length > 0 ? causes : degraded;
}
