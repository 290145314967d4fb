import type { Context, Finding, Judgement, Unknown } from "../../model/check.ts";
import { findEvaluation } from "../../model/evaluated-risk.ts";
import { getOperatorRiskName } from "../../model/operator-risks.ts";
import { isUnconditional, type PublishedRisk } from "../../model/published-risk.ts";
import { quoteText } from "../../model/quote.ts";
import type { Applies } from "../../model/recommended-condition.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import type { CoveredRisk, SpecialContext } from "../../model/special-check.ts";
import type { PublishedRisks, Offers } from "./published-risks.ts";
import { risks } from "./risks.ts";
import { mergeJudgements } from "../shared/judgements.ts";
import { evaluateRules, listExpressions, type QueryAnswers } from "./matching-rules.ts";

const MAX_QUOTE_LENGTH = 240;

/** What a risk is judged by: what the cluster says of its updates, and what its monitoring answers to the rules. */
export type Evidence = { readonly offers: Offers; readonly answers: QueryAnswers };

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
