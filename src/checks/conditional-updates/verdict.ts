import type { Context, CoveredRisk, Finding, Judgement, Unknown } from "../../model/check.ts";
import { findApplies, findEvaluation } from "../../model/evaluated-risk.ts";
import { getOperatorRiskName } from "../../model/operator-risks.ts";
import { isUnconditional, type PublishedRisk } from "../../model/published-risk.ts";
import { quote } from "../../model/quote.ts";
import type { Applies } from "../../model/recommended-condition.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import type { PublishedRisks, Offers } from "./published-risks.ts";
import { conditionalUpdateRiskApplies } from "./risks.ts";
import { mergeJudgements } from "../shared/judgements.ts";

const MAX_QUOTE_LENGTH = 240;

export function judgeRisks({ risks, unpublished }: PublishedRisks, offers: Offers, context: Context): Judgement {
  const notices = unpublished.map((risk) => buildUnpublishedNotice(risk, context));
  return mergeJudgements([...risks.map((risk) => judgeRisk(risk, offers, context)), { notices }]);
}

function judgeRisk(risk: PublishedRisk, offers: Offers, context: Context): Judgement {
  const covered = findCovered(risk.name, context.coveredRisks);
  if (covered?.source === "operator") return isReported(risk, context) ? {} : judgeUncovered(risk, offers, context);
  if (covered === undefined || !isDecided(covered)) return judgeUncovered(risk, offers, context);
  const evaluation = findEvaluation(risk, context.target.text, offers.evaluatedRisks);
  return { notices: [buildCoveredNotice(risk, covered, evaluation)] };
}

function judgeUncovered(risk: PublishedRisk, { evaluatedRisks, acceptedNames }: Offers, context: Context): Judgement {
  const version = context.target.text;
  const applies = findApplies(risk, version, evaluatedRisks);
  if (applies === "unknown") return { unknowns: [buildUnknown(risk, context)] };
  if (applies === "no") return { notices: [buildOtherNotice(risk, context, NOT_APPLYING)] };
  if (acceptedNames.includes(risk.name)) return { notices: [buildOtherNotice(risk, context, ACCEPTED)] };
  return { findings: [buildFinding(risk, findEvaluation(risk, version, evaluatedRisks))] };
}

/** Whether another check has found the fault that the operator made this risk of, from the same source. */
function isReported({ name }: PublishedRisk, { coveredRisks, reported }: Context): boolean {
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

const NOT_APPLYING = "the cluster-version operator evaluates it as not applying to this cluster";
const ACCEPTED = "an administrator has accepted it (spec.desiredUpdate.acceptRisks)";

function formatEvaluation(risk: PublishedRisk, evaluation: Applies): string {
  if (isUnconditional(risk)) return "for every cluster";
  if (evaluation === "yes") return "and the cluster-version operator evaluates it as applying to this one";
  return evaluation === "no" ? `and ${NOT_APPLYING}` : "and the cluster-version operator has not evaluated it";
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

function buildFinding(risk: PublishedRisk, evaluation: Applies): Finding {
  const why =
    evaluation === "yes"
      ? `The cluster-version operator evaluates ${risk.name} as applying`
      : `The update service publishes ${risk.name} for every cluster`;
  return {
    risk: conditionalUpdateRiskApplies.name,
    object: CLUSTER_VERSION,
    message: `${why}: ${formatRisk(risk)}.`,
    detail: { name: risk.name, message: risk.message, url: risk.url },
  };
}

function buildUnknown(risk: PublishedRisk, { target }: Context): Unknown {
  return {
    reason: "RuleNotEvaluated",
    where: `risk ${risk.name} of ${target.text}`,
    message: `the cluster-version operator has not evaluated whether it applies: ${formatRisk(risk)}`,
  };
}

function formatRisk({ message, url }: PublishedRisk): string {
  return `"${quote(message, MAX_QUOTE_LENGTH).replaceAll('"', "'")}" (${url})`;
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
