import { type Json, type JsonObject, isObject, listAt, objectAt } from "../model/json.ts";
import { type Condition, setCondition } from "./objects/condition.ts";
import { isPreflightCondition } from "./progress/preflight-conditions.ts";
import type { GatedFields } from "./objects/gated-fields.ts";
import type { ClusterUpdates } from "./objects/cluster-updates.ts";
import { findOrigin } from "./objects/risk-prefix.ts";
import { buildConditionalUpdateRisks } from "./conditional-update-risks.ts";

const REPLACED_KEYS = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks", "conditions"];

/** The present status with the given updates and our conditions. Empty lists are omitted, as the API requires. */
export function buildStatus(
  clusterVersion: JsonObject,
  updates: ClusterUpdates,
  conditions: readonly Condition[],
  fields: GatedFields,
): JsonObject {
  const before = objectAt(clusterVersion, "status");
  const rest = Object.fromEntries(Object.entries(before).filter(([key]) => !REPLACED_KEYS.includes(key)));
  const present = listAt(before, "conditionalUpdateRisks");
  const risks = buildConditionalUpdateRisks(
    updates.conditional,
    present.filter(isObject),
    (risk) => findOrigin(risk) !== undefined,
  );
  const allConditions = replaceConditions(listAt(before, "conditions"), conditions);
  return {
    ...rest,
    // The API requires this field, and null for an empty list.
    availableUpdates: updates.available.length > 0 ? updates.available : null,
    ...(updates.conditional.length > 0 ? { conditionalUpdates: updates.conditional } : {}),
    ...(fields.conditionalUpdateRisks && risks.length > 0 ? { conditionalUpdateRisks: risks } : {}),
    ...(allConditions.length > 0 ? { conditions: allConditions } : {}),
  };
}

/** Replaces our conditions in place, or removes them if there are none. */
function replaceConditions(present: readonly Json[], ours: readonly Condition[]): readonly Json[] {
  const kept = ours.length > 0 ? present : present.filter((one) => !isObject(one) || !isPreflightCondition(one));
  return ours.reduce<readonly Json[]>(setCondition, kept);
}
