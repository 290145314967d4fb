import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { get, query, type Query } from "../../model/read.ts";
import type { QueryAnswers } from "./matching-rules.ts";
import { findPublishedRisks, type Offers, keepOffers } from "./published-risks.ts";
import { risks } from "./risks.ts";
import { judgeRisks, listOpenExpressions } from "./verdict.ts";

/** By expression. */
type Queries = Readonly<Record<string, Query>>;

/** Far more than any update has. */
const MAX_QUERIES = 50;

export default defineCheck({
  id: "conditional-updates",
  title: "No risk that the update service publishes for this update applies",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  special: { judgedLast: true },
  seenAfterUpdate: "The cluster-version operator evaluates the updates from its own release.",
  reads: () => ({ offers: get("config.openshift.io/v1/clusterversions", "version", keepOffers) }),
  follow: ({ offers }, context): Queries =>
    offers.kind === "absent" ? {} : planQueries(listQueries(offers.value, context)),
  evaluate: ({ offers }, context, answers) =>
    offers.kind === "absent"
      ? { notApplicable: "The cluster has no ClusterVersion version." }
      : judgeOffers(offers.value, (expression) => answers[expression]?.value, context),
});

/** What a later update of a plan shows is seen only after the update before it. */
function listQueries(offers: Offers, context: Context): readonly string[] {
  const published = findPublishedRisks(offers, context);
  const isOpen = published.kind === "published" && context.special.running === undefined;
  return isOpen ? listOpenExpressions(published, offers, context) : [];
}

function planQueries(expressions: readonly string[]): Queries {
  return Object.fromEntries(expressions.slice(0, MAX_QUERIES).map((expression) => [expression, query(expression)]));
}

function judgeOffers(offers: Offers, answers: QueryAnswers, context: Context): Judgement {
  const published = findPublishedRisks(offers, context);
  switch (published.kind) {
    case "none":
      return { notApplicable: published.reason };
    case "unknown":
      return { unknowns: [published.unknown] };
    case "published":
      return judgeRisks(published, { offers, answers }, context);
  }
}
