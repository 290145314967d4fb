import { type JsonObject, compareText } from "../model/json.ts";
import { nameOf, risksOf } from "./objects/cluster-updates.ts";

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
