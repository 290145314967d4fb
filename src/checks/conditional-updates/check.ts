import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Get, get } from "../../model/read.ts";
import { type Offers, keepOffers } from "./offers.ts";
import { conditionalUpdateRiskApplies } from "./risks.ts";
import { judgeRisks } from "./verdict.ts";

type Reads = { readonly offers: Get<Offers> };

export default defineCheck<Reads>({
  id: "conditional-updates",
  name: "ConditionalUpdates",
  title: "No risk that the update service publishes for this update applies",
  risks: [conditionalUpdateRiskApplies],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  needsManifests: false,
  judgedLast: true,
  seenAfterUpdate: "The cluster-version operator evaluates the updates from its own release.",
  reads: () => ({ offers: get("config.openshift.io/v1/clusterversions", "version", keepOffers) }),
  evaluate: ({ offers }, context) =>
    offers.kind === "absent"
      ? { notApplicable: "The cluster has no ClusterVersion version." }
      : judgeOffers(offers.value, context),
});

function judgeOffers(offers: Offers, context: Context): Judgement {
  const { text } = context.target;
  const update = offers.conditional.find(({ version }) => version === text);
  if (update) return judgeRisks(update.risks, context);
  return offers.available.includes(text) ? {} : { notApplicable: explainNoOffer(offers, text) };
}

/** The update service publishes risks only with the updates that it offers. */
function explainNoOffer({ channel, failure }: Offers, target: string): string {
  const where = channel === "" ? "without a channel" : `in the channel ${channel}`;
  const why = failure === "" ? "" : ` (RetrievedUpdates=False: ${failure})`;
  return `The update service does not offer ${target} to this cluster ${where}${why}, so ClusterVersion lists no published risks of this update.`;
}
