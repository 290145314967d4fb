import { type JsonObject, isObject, listAt, objectAt, compareText } from "../model/json.ts";
import type { Condition } from "./objects/condition.ts";
import { replacePreflightConditions } from "./progress/preflight-conditions.ts";
import type { GatedFields } from "./objects/gated-fields.ts";
import { type ClusterUpdates, nameOf, risksOf } from "./objects/cluster-updates.ts";
import { findOrigin } from "./objects/risk-prefix.ts";

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
  const allConditions = replacePreflightConditions(listAt(before, "conditions"), conditions);
  return {
    ...rest,
    // The API requires this field, and null for an empty list.
    availableUpdates: updates.available.length > 0 ? updates.available : null,
    ...(updates.conditional.length > 0 ? { conditionalUpdates: updates.conditional } : {}),
    ...(fields.conditionalUpdateRisks && risks.length > 0 ? { conditionalUpdateRisks: risks } : {}),
    ...(allConditions.length > 0 ? { conditions: allConditions } : {}),
  };
}

/**
 * Builds status.conditionalUpdateRisks: each risk of an update once, sorted by name. Another source's risk takes precedence over a
 * preflight's of the same name, and entries without an update stay, since they belong to another source.
 */
export function buildConditionalUpdateRisks(
  conditional: readonly JsonObject[],
  present: readonly JsonObject[],
  isOurs: (risk: JsonObject) => boolean,
): readonly JsonObject[] {
  const attached = conditional.flatMap(risksOf);
  if (![...present, ...attached].some(isOurs)) return present;
  const foreign = [...present, ...attached].filter((risk) => !isOurs(risk));
  const firstLast = [...foreign, ...attached.filter(isOurs)].toReversed();
  const byName = new Map(firstLast.map((risk) => [nameOf(risk), risk]));
  return [...byName].toSorted(([a], [b]) => compareText(a, b)).map(([, risk]) => risk);
}
