import { joinNames } from "../../model/names.ts";
import type { Report } from "../../model/report.ts";
import type { Exposure, Recommendation, TargetOffer } from "../../model/route.ts";

/** The check that judges the conditions of the update. */
const CHECK = "conditional-updates";

/** What the update service says of the target: one or more sentences. */
export function formatOffer({ recommendation, updates = 0, channel }: TargetOffer, report: Report): string {
  const target = report.target.text;
  const needed =
    channel === undefined
      ? ""
      : ` The channel ${channel} has it ("oc adm upgrade channel ${channel}" selects the channel).`;
  if (recommendation.kind === "notOffered" && updates > 1)
    return `The update service does not offer ${target} directly; it is ${updates} updates away ("preflight plan --to ${target}" lists them).${needed}`;
  return `${formatRecommendation(recommendation, report)}${needed}`;
}

function formatRecommendation(recommendation: Recommendation, report: Report): string {
  const target = report.target.text;
  switch (recommendation.kind) {
    case "recommended":
      return `The update service recommends ${target}.`;
    case "conditional":
      return `The update service offers ${target} with conditions: ${joinNames(recommendation.risks.map(({ name }) => name))}. ${formatExposure(recommendation.exposure, report)}`;
    case "notOffered":
      return `The update service does not offer ${target} to this cluster.`;
    case "unknown":
      return `What the update service says of ${target} was not read.`;
  }
}

/** Whether the conditions concern the cluster: what the operator found, and else what the check says, which knows more than the operator. */
function formatExposure(exposure: Exposure, { checks }: Report): string {
  if (exposure === "exposed") return "The cluster-version operator found that they concern this cluster.";
  if (exposure === "notExposed") return "The cluster-version operator found that they don't concern this cluster.";
  const kind = checks.find(({ id }) => id === CHECK)?.outcome.kind;
  if (kind === "clear" || kind === "risk") return `The check ${CHECK} says which of them concern this cluster.`;
  return "Whether all of them concern this cluster is not known: not all of them have been evaluated.";
}

/** The fields of an offer in JSON. */
export function buildOfferJson({ recommendation, updates, channel }: TargetOffer): object {
  return { ...buildRecommendationJson(recommendation), updates, channel };
}

export function buildRecommendationJson(recommendation: Recommendation): object {
  if (recommendation.kind !== "conditional") return { recommendation: recommendation.kind };
  const { risks, exposure } = recommendation;
  const publishedRisks = risks.map(({ name, message, url }) => ({ name, message, url }));
  return { recommendation: "conditional", exposure, publishedRisks };
}
