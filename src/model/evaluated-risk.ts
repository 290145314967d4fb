import { findConditionIn } from "./conditions.ts";
import { type Json, type JsonObject, isObject, listAt, textAt } from "./json.ts";
import { isPreflightRisk } from "./preflight-mark.ts";
import { hasSameRules, parsePublishedRisk, type PublishedRisk } from "./published-risk.ts";
import { type Applies, parseRecommended } from "./recommended-condition.ts";

/** A risk in ClusterVersion, with the cluster-version operator's evaluation of its rules. */
export type EvaluatedRisk = PublishedRisk & {
  /** The offered version that has the risk; absent in status.conditionalUpdateRisks. */
  readonly version?: string;
  readonly applies: Applies;
  /** Made by the operator itself, of a firing alert or of what Upgradeable says, and not published by the update service. */
  readonly isOfOperator: boolean;
};

/** All risks of a ClusterVersion, those of earlier preflights excepted. */
export function parseEvaluatedRisks(clusterVersion: JsonObject): readonly EvaluatedRisk[] {
  const updates = listAt(clusterVersion, "status", "conditionalUpdates");
  const listed = listAt(clusterVersion, "status", "conditionalUpdateRisks").filter(isObject);
  return [
    ...updates.flatMap((update) => parseRisksOfUpdate(update)),
    ...listed.filter((risk) => !isPreflightRisk(risk)).map((risk) => buildEvaluatedRisk(risk, "unknown")),
  ];
}

function parseRisksOfUpdate(update: Json): readonly EvaluatedRisk[] {
  const risks = listAt(update, "risks").filter(isObject);
  // The condition quotes the risks of earlier preflights too.
  const quoted = parseRecommended(findConditionIn(update, "Recommended"), risks.map(parsePublishedRisk));
  const version = textAt(update, "release", "version") ?? "";
  return risks.flatMap((risk, i) =>
    isPreflightRisk(risk) ? [] : [{ ...buildEvaluatedRisk(risk, quoted[i] ?? "unknown"), version }],
  );
}

/** The risks that the operator makes of what Upgradeable says. Source: pkg/risk of the cluster-version operator. */
const OPERATOR_NAME =
  /^(?:AdminAck(?:-.+|Unknown)|ClusterOperatorUpgradeable(?:-.+|Unknown)|ClusterVersion(?:Overrides|Updating)|ResourceDeletionInProgress(?:Unknown)?)$/;

/** From 4.22 on an operator with the feature gate reports each risk's evaluation. */
function buildEvaluatedRisk(risk: JsonObject, quoted: Applies): EvaluatedRisk {
  const condition = findConditionIn(risk, "Applies");
  const applies = condition === undefined ? quoted : parseStatus(textAt(condition, "status"));
  const published = parsePublishedRisk(risk);
  const isAlert = textAt(condition, "reason")?.startsWith("Alert:") === true;
  return { ...published, applies, isOfOperator: isAlert || OPERATOR_NAME.test(published.name) };
}

function parseStatus(status: string | undefined): Applies {
  if (status === "True") return "yes";
  return status === "False" ? "no" : "unknown";
}

/** The operator's evaluation of a risk's rules under the risk's name: that for this update, else those for other updates. */
export function findEvaluation(
  risk: PublishedRisk,
  version: string,
  evaluatedRisks: readonly EvaluatedRisk[],
): Applies {
  const same = evaluatedRisks.filter((one) => hasSameRules(one, risk));
  const own = combine(same.filter((one) => one.version === version));
  return own === "unknown" ? combine(same) : own;
}

function combine(risks: readonly EvaluatedRisk[]): Applies {
  const decided = risks.map(({ applies }) => applies).filter((applies) => applies !== "unknown");
  if (decided.includes("yes")) return "yes";
  return decided.length === 0 ? "unknown" : "no";
}
