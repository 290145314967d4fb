import type { Context, CoveredRisk, Finding, Judgement, Unknown } from "../../model/check.ts";
import { getOperatorRiskName } from "../../model/operator-risks.ts";
import { quote } from "../../model/quote.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { findCovered } from "./covered.ts";
import type { OfferedRisk } from "./offered-risk.ts";
import { conditionalUpdateRiskApplies } from "./risks.ts";

const MAX_QUOTE_LENGTH = 240;

export function judgeRisks(risks: readonly OfferedRisk[], context: Context): Judgement {
  const judgements = risks.map((risk) => judgeRisk(risk, findCovered(risk.name, context.coveredRisks), context));
  return {
    findings: judgements.flatMap(({ findings = [] }) => findings),
    notices: judgements.flatMap(({ notices = [] }) => notices),
    unknowns: judgements.flatMap(({ unknowns = [] }) => unknowns),
  };
}

function judgeRisk(risk: OfferedRisk, covered: CoveredRisk | undefined, context: Context): Judgement {
  if (covered?.source === "operator") return isReported(risk, context) ? {} : judgeUncovered(risk, context);
  if (covered?.risk !== undefined) return { notices: [buildDecidedNotice(risk, covered, covered.risk)] };
  if (covered && !isEvaluatedAsApplying(risk)) return { notices: [buildNarrowedNotice(risk, covered)] };
  return judgeUncovered(risk, context);
}

function judgeUncovered(risk: OfferedRisk, context: Context): Judgement {
  if (risk.applies === "unknown") return { unknowns: [buildUnknown(risk)] };
  if (risk.applies === "no" || risk.isAccepted) return { notices: [buildOtherNotice(risk, context)] };
  return { findings: [buildFinding(risk)] };
}

/** Whether another check has found the fault that the operator made this risk of, from the same source. */
function isReported({ name }: OfferedRisk, { coveredRisks, reported }: Context): boolean {
  return coveredRisks.some(
    (covered) =>
      covered.source === "operator" &&
      reported.some((finding) => finding.risk === covered.risk && getOperatorRiskName(covered.name, finding) === name),
  );
}

/** The operator's evaluation of a rule is better evidence than a notice that only narrows the clusters down. */
function isEvaluatedAsApplying({ applies, isUnconditional }: OfferedRisk): boolean {
  return applies === "yes" && !isUnconditional;
}

function formatEvaluation({ applies, isUnconditional }: OfferedRisk): string {
  if (isUnconditional) return "for every cluster";
  if (applies === "yes") return "and the cluster-version operator evaluates it as applying to this one";
  return applies === "no"
    ? "and the cluster-version operator evaluates it as not applying to this cluster"
    : "and the cluster-version operator could not evaluate whether it applies";
}

function buildDecidedNotice(risk: OfferedRisk, { check }: CoveredRisk, ownName: string): string {
  return `The update service publishes ${risk.name} ${formatEvaluation(risk)}. The check ${check} decides it from this cluster's objects: it concerns the cluster if ${ownName} is reported.`;
}

function buildNarrowedNotice(risk: OfferedRisk, { check }: CoveredRisk): string {
  return `The update service publishes ${risk.name} ${formatEvaluation(risk)}. A notice of the check ${check} says what to examine, if it may concern this cluster.`;
}

function buildOtherNotice(risk: OfferedRisk, { target }: Context): string {
  const reason =
    risk.applies === "no"
      ? "the cluster-version operator evaluates it as not applying to this cluster"
      : "an administrator has accepted it (spec.desiredUpdate.acceptRisks)";
  return `ClusterVersion version lists the risk ${risk.name} for ${target.text}, but ${reason}: ${formatRisk(risk)}.`;
}

function buildFinding(risk: OfferedRisk): Finding {
  return {
    risk: conditionalUpdateRiskApplies.name,
    object: CLUSTER_VERSION,
    message: `The cluster-version operator evaluates ${risk.name} as applying: ${formatRisk(risk)}.`,
    detail: { name: risk.name, message: risk.message, url: risk.url },
  };
}

function buildUnknown(risk: OfferedRisk): Unknown {
  return {
    reason: "RuleNotEvaluated",
    where: `ClusterVersion version, risk ${risk.name}`,
    message: `the cluster-version operator has not evaluated whether it applies: ${formatRisk(risk)}`,
  };
}

function formatRisk({ message, url }: OfferedRisk): string {
  return `"${quote(message, MAX_QUOTE_LENGTH).replaceAll('"', "'")}" (${url})`;
}
