import { type Finding, type Context, type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { quoteText } from "../../model/text.ts";
import { readRisks } from "../shared/risks.ts";
import { summarizeTexts, mergeJudgements } from "../shared/judgements.ts";
import { get, query, type Query } from "../../model/read.ts";
import type { QueryAnswers, Offers, PublishedRisks } from "./published-risks.ts";
import { findPublishedRisks, keepOffers, evaluateRules, listExpressions } from "./published-risks.ts";
import { type Applies, findEvaluation, getOperatorRiskName } from "../../model/cluster-version-risks.ts";
import { isUnconditional, type PublishedRisk } from "../../model/route.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import type { CoveredRisk, SpecialContext } from "../../model/special-check.ts";

const risks = readRisks("conditional-updates", {
  ConditionalUpdateRiskApplies: { message: { published: formatRisks } },
});

const MAX_LENGTH = 480;

function formatRisks(findings: readonly Finding[]): string {
  return summarizeTexts(findings, MAX_LENGTH, ({ detail }, longest) => formatPublished(detail ?? {}, longest));
}

function formatPublished(
  { name = "", message = "", url = "" }: NonNullable<Finding["detail"]>,
  longest: number,
): string {
  return `${name} (${quoteText(message, longest)}, ${url})`;
}

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

const MAX_QUOTE_LENGTH = 240;

/** What a risk is judged by: what the cluster says of its updates, and what its monitoring answers to the rules. */
type Evidence = { readonly offers: Offers; readonly answers: QueryAnswers };

export function judgeRisks({ risks, unpublished }: PublishedRisks, evidence: Evidence, context: Context): Judgement {
  const notices = unpublished.map((risk) => buildUnpublishedNotice(risk, context));
  return mergeJudgements([...risks.map((risk) => judgeRisk(risk, evidence, context)), { notices }]);
}

function judgeRisk(risk: PublishedRisk, evidence: Evidence, context: Context): Judgement {
  const covered = findCovered(risk.name, context.special.coveredRisks);
  if (covered?.source === "operator")
    return isReported(risk, context.special) ? {} : judgeUncovered(risk, evidence, context);
  if (covered === undefined || !isDecided(covered)) return judgeUncovered(risk, evidence, context);
  const evaluation = findEvaluation(risk, context.target.text, evidence.offers.evaluatedRisks);
  return { notices: [buildCoveredNotice(risk, covered, evaluation)] };
}

function judgeUncovered(risk: PublishedRisk, { offers, answers }: Evidence, context: Context): Judgement {
  const evaluation = evaluate(risk, offers, answers, context);
  if (evaluation.kind === "unknown") return { unknowns: [buildUnknown(risk, context, evaluation.why)] };
  if (evaluation.kind === "doesNotApply")
    return { notices: [buildOtherNotice(risk, context, `${evaluation.by} evaluates it as ${NOT_APPLYING}`)] };
  if (offers.acceptedNames.includes(risk.name)) return { notices: [buildOtherNotice(risk, context, ACCEPTED)] };
  return { findings: [buildFinding(risk, evaluation.why)] };
}

/** `by`: who says it. `why`: a sentence, or a clause of the unknown. */
type Evaluation =
  | { readonly kind: "applies"; readonly why: string }
  | { readonly kind: "doesNotApply"; readonly by: string }
  | { readonly kind: "unknown"; readonly why: string };

/** The operator's evaluation counts before the rules are evaluated anew. */
function evaluate(risk: PublishedRisk, offers: Offers, answers: QueryAnswers, { target }: Context): Evaluation {
  const { name } = risk;
  const applies = findEvaluation(risk, target.text, offers.evaluatedRisks);
  if (applies === "yes") return { kind: "applies", why: `The cluster-version operator evaluates ${name} as applying` };
  if (applies === "no" && !isUnconditional(risk)) return { kind: "doesNotApply", by: OPERATOR };
  const verdict = evaluateRules(risk.matchingRules, answers);
  if (verdict.kind === "doesNotApply") return { kind: "doesNotApply", by: MONITORING };
  if (verdict.kind === "unknown") return verdict;
  const isForEveryone = verdict.to === "everyone";
  const why = isForEveryone
    ? `The update service publishes ${name} for every cluster`
    : `The cluster's monitoring evaluates ${name} as applying`;
  return { kind: "applies", why };
}

/** Whether another check has found the fault that the operator made this risk of, from the same source. */
function isReported({ name }: PublishedRisk, { coveredRisks, reported }: SpecialContext): boolean {
  return coveredRisks.some(
    (covered) =>
      covered.source === "operator" &&
      reported.some((finding) => finding.risk === covered.risk && getOperatorRiskName(covered.name, finding) === name),
  );
}

/** A check that narrows a risk down rules it out if it looked and has nothing to say. */
function isDecided({ risk, hasNotice }: CoveredRisk): boolean {
  return risk !== undefined || hasNotice === false;
}

const OPERATOR = "the cluster-version operator";
const MONITORING = "the cluster's monitoring";
const NOT_APPLYING = "not applying to this cluster";
const ACCEPTED = "an administrator has accepted it (spec.desiredUpdate.acceptRisks)";

function formatEvaluation(risk: PublishedRisk, evaluation: Applies): string {
  if (isUnconditional(risk)) return "for every cluster";
  if (evaluation === "yes") return `and ${OPERATOR} evaluates it as applying to this one`;
  return evaluation === "no"
    ? `and ${OPERATOR} evaluates it as ${NOT_APPLYING}`
    : `and ${OPERATOR} has not evaluated it`;
}

function buildCoveredNotice(risk: PublishedRisk, { check, risk: own }: CoveredRisk, evaluation: Applies): string {
  const published = `The update service publishes ${risk.name} ${formatEvaluation(risk, evaluation)}.`;
  if (own === undefined) return `${published} The check ${check} found that it can't concern this cluster.`;
  return `${published} The check ${check} decides it from this cluster's objects: it concerns the cluster if ${own} is reported.`;
}

function buildOtherNotice(risk: PublishedRisk, { target }: Context, reason: string): string {
  return `The update service publishes the risk ${risk.name} for ${target.text}, but ${reason}: ${formatRisk(risk)}.`;
}

function buildUnpublishedNotice(risk: PublishedRisk, { target }: Context): string {
  return `ClusterVersion version lists the risk ${risk.name} for ${target.text}, but the update graph does not publish it: ${formatRisk(risk)}.`;
}

function buildFinding(risk: PublishedRisk, why: string): Finding {
  return {
    risk: risks.ConditionalUpdateRiskApplies.name,
    object: CLUSTER_VERSION,
    message: `${why}: ${formatRisk(risk)}.`,
    detail: { name: risk.name, message: risk.message, url: risk.url },
  };
}

function buildUnknown(risk: PublishedRisk, { target }: Context, why: string): Unknown {
  return {
    reason: "RuleNotEvaluated",
    where: `risk ${risk.name} of ${target.text}`,
    message: `${OPERATOR} has not evaluated whether it applies, and ${why}: ${formatRisk(risk)}`,
  };
}

function formatRisk({ message, url }: PublishedRisk): string {
  return `${quoteText(message, MAX_QUOTE_LENGTH)} (${url})`;
}

/** The expressions that decide the risks: of those that neither another check decides nor the operator has evaluated. */
export function listOpenExpressions({ risks }: PublishedRisks, offers: Offers, context: Context): readonly string[] {
  const open = risks.filter((risk) => {
    const covered = findCovered(risk.name, context.special.coveredRisks);
    const mayBeOpen = covered === undefined || covered.source === "operator" || covered.risk === undefined;
    return mayBeOpen && findEvaluation(risk, context.target.text, offers.evaluatedRisks) === "unknown";
  });
  return [...new Set(open.flatMap(({ matchingRules }) => listExpressions(matchingRules)))];
}

/** The check that covers a risk; one that decides it comes before one that only gives a notice. */
function findCovered(name: string, coveredRisks: readonly CoveredRisk[]): CoveredRisk | undefined {
  const matching = coveredRisks.filter((covered) => matchesName(covered.name, name));
  return matching.find(({ risk }) => risk !== undefined) ?? matching[0];
}

/** A family of names ends with a placeholder: "ClusterOperatorUpgradeable-*", "AdminAck-<gate>". */
function matchesName(pattern: string, name: string): boolean {
  const family = /^(.+-)(?:\*|<\w+>)$/.exec(pattern)?.[1];
  return family === undefined ? pattern === name : name.startsWith(family);
}
