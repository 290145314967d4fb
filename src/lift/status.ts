import { type Json, type JsonObject, isObject, listAt, objectAt } from "../model/json.ts";
import { type Condition, withCondition } from "./condition.ts";
import { isOurCondition } from "./conditions.ts";
import type { CrdFields } from "./fields.ts";
import type { Offers } from "./offers.ts";
import { originOf } from "./origin.ts";
import { unionOf } from "./union.ts";

const LISTS = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks", "conditions"];

/** The present status with other offers and our conditions; a list that would be empty is left out, as the API wants it. */
export function statusOf(
  clusterVersion: JsonObject,
  offers: Offers,
  conditions: readonly Condition[],
  fields: CrdFields,
): JsonObject {
  const before = objectAt(clusterVersion, "status");
  const rest = Object.fromEntries(Object.entries(before).filter(([key]) => !LISTS.includes(key)));
  const present = listAt(before, "conditionalUpdateRisks");
  const union = unionOf(offers.conditional, present.filter(isObject), (risk) => originOf(risk) !== undefined);
  const said = conditionsIn(listAt(before, "conditions"), conditions);
  return {
    ...rest,
    // Required by the API, and null where there is none.
    availableUpdates: offers.available.length > 0 ? offers.available : null,
    ...(offers.conditional.length > 0 ? { conditionalUpdates: offers.conditional } : {}),
    ...(fields.conditionalUpdateRisks && union.length > 0 ? { conditionalUpdateRisks: union } : {}),
    ...(said.length > 0 ? { conditions: said } : {}),
  };
}

/** Ours in their places, or taken out where there are none any more. */
function conditionsIn(present: readonly Json[], ours: readonly Condition[]): readonly Json[] {
  const kept = ours.length > 0 ? present : present.filter((one) => !isObject(one) || !isOurCondition(one));
  return ours.reduce<readonly Json[]>(withCondition, kept);
}
