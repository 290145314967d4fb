import { formatCanonicalJson, type Json, type JsonObject, listAt, textAt } from "./json.ts";

/** A risk that the update service publishes for an update. */
export type PublishedRisk = {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  /** As published, for example `{type: Always}`. The first one that can be evaluated decides. */
  readonly matchingRules: readonly Json[];
};

export function parsePublishedRisk(risk: JsonObject): PublishedRisk {
  return {
    name: textAt(risk, "name") ?? "",
    message: textAt(risk, "message") ?? "",
    url: textAt(risk, "url") ?? "",
    matchingRules: listAt(risk, "matchingRules"),
  };
}

/** Whether a risk is published for every cluster: there is nothing to evaluate. */
export function isUnconditional({ matchingRules }: Pick<PublishedRisk, "matchingRules">): boolean {
  return textAt(matchingRules[0], "type") === "Always";
}

/** Whether an evaluation of one risk is one of the other too: they have the same name and the same rules. */
export function hasSameRules(a: PublishedRisk, b: PublishedRisk): boolean {
  return a.name === b.name && formatCanonicalJson(a.matchingRules) === formatCanonicalJson(b.matchingRules);
}
