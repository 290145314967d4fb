import { type JsonObject, compareText } from "../model/json.ts";
import { nameOf, risksOf } from "./objects/cluster-updates.ts";

/**
 * status.conditionalUpdateRisks: every risk of an update once, the first by name, sorted by name. Another source's risk goes before a
 * preflight's of the same name, whichever version it is at, and what stands there without an update is left: it is somebody else's.
 * Where there was no list, it is made whole as an operator makes it, and stays so: whose others' entries are can't be told afterwards.
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
