import { joinNames } from "../model/names.ts";
import type { Exposure, Recommendation, TargetOffer } from "../model/route.ts";
import { defined } from "../model/optional.ts";

const EXPOSURE_TEXT: Readonly<Record<Exposure, string>> = {
  exposed: "The cluster-version operator found that they concern this cluster.",
  notExposed: "The cluster-version operator found that they don't concern this cluster.",
  notEvaluated: "Whether they concern this cluster has not been evaluated.",
};

/** What the update service says of the target: one or more sentences. */
export function formatOffer({ recommendation, updates = 0, channel }: TargetOffer, target: string): string {
  const needed =
    channel === undefined
      ? ""
      : ` The channel ${channel} has it ("oc adm upgrade channel ${channel}" selects the channel).`;
  if (recommendation.kind === "notOffered" && updates > 1)
    return `The update service does not offer ${target} directly; it is ${updates} updates away ("preflight plan --to ${target}" lists them).${needed}`;
  return `${formatRecommendationSentence(recommendation, target)}${needed}`;
}

function formatRecommendationSentence(recommendation: Recommendation, target: string): string {
  switch (recommendation.kind) {
    case "recommended":
      return `The update service recommends ${target}.`;
    case "conditional":
      return `The update service offers ${target} with conditions: ${joinNames(recommendation.risks.map(({ name }) => name))}. ${EXPOSURE_TEXT[recommendation.exposure]}`;
    case "notOffered":
      return `The update service does not offer ${target} to this cluster.`;
    case "unknown":
      return `What the update service says of ${target} was not read.`;
  }
}

/** The fields of an offer in JSON. */
export function buildOfferJson({ recommendation, updates, channel }: TargetOffer): object {
  return { ...buildRecommendationJson(recommendation), ...defined({ updates, channel }) };
}

export function buildRecommendationJson(recommendation: Recommendation): object {
  if (recommendation.kind !== "conditional") return { recommendation: recommendation.kind };
  const { risks, exposure } = recommendation;
  const publishedRisks = risks.map(({ name, message, url }) => ({ name, message, url }));
  return { recommendation: "conditional", exposure, publishedRisks };
}
