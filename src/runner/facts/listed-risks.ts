import { findConditionIn } from "../../model/conditions.ts";
import { type Json, type JsonObject, isObject, listAt, textAt, textsAt } from "../../model/json.ts";
import { isPreflightRisk } from "../../model/preflight-mark.ts";

/** A risk of an offered update that the cluster-version operator itself shows as applying. */
export type ListedRisk = {
  /** Of the update's release. */
  readonly version: string;
  readonly name: string;
  /** What the condition Applies says, which for an alert names its objects. */
  readonly about: string;
};

/** The operator's risks in ClusterVersion, without those that came from a preflight. Without a condition Applies, nothing shows that a risk applies. */
export function parseListedRisks(clusterVersion: JsonObject): readonly ListedRisk[] {
  const defined = listAt(clusterVersion, "status", "conditionalUpdateRisks").filter(isObject);
  return listAt(clusterVersion, "status", "conditionalUpdates").flatMap((update) => parseUpdate(update, defined));
}

function parseUpdate(update: Json, defined: readonly JsonObject[]): readonly ListedRisk[] {
  const version = textAt(update, "release", "version") ?? "";
  const own = listAt(update, "risks").filter(isObject);
  const names = new Set([...own.map(nameOf), ...textsAt(update, "riskNames")]);
  return [...names].flatMap((name) => {
    const risks = [...own, ...defined].filter((risk) => nameOf(risk) === name);
    const applies = risks.map((risk) => findConditionIn(risk, "Applies")).find((condition) => condition !== undefined);
    if (textAt(applies, "status") !== "True" || risks.some(isPreflightRisk)) return [];
    return [{ version, name, about: textAt(applies, "message") ?? "" }];
  });
}

function nameOf(risk: JsonObject): string {
  return textAt(risk, "name") ?? "";
}
