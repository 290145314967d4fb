import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { get } from "../../model/read.ts";
import { findPublishedRisks, type Offers, keepOffers } from "./published-risks.ts";
import { conditionalUpdateRiskApplies } from "./risks.ts";
import { judgeRisks } from "./verdict.ts";

export default defineCheck({
  id: "conditional-updates",
  title: "No risk that the update service publishes for this update applies",
  risks: [conditionalUpdateRiskApplies],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  special: { judgedLast: true },
  seenAfterUpdate: "The cluster-version operator evaluates the updates from its own release.",
  reads: () => ({ offers: get("config.openshift.io/v1/clusterversions", "version", keepOffers) }),
  evaluate: ({ offers }, context) =>
    offers.kind === "absent"
      ? { notApplicable: "The cluster has no ClusterVersion version." }
      : judgeOffers(offers.value, context),
});

function judgeOffers(offers: Offers, context: Context): Judgement {
  const published = findPublishedRisks(offers, context);
  return published.kind === "none" ? { notApplicable: published.reason } : judgeRisks(published, offers, context);
}
