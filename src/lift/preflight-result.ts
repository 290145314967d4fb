import type { PreflightDocument } from "../model/document.ts";
import { type JsonObject, isObject, listAt, textAt } from "../model/json.ts";
import { type RetainedResult, parseRetainedResult } from "./progress/retained-result.ts";
import type { LiftResult } from "./lift.ts";
import { nameOf, risksOf, versionOf } from "./objects/cluster-updates.ts";
import { buildConfigMap } from "./objects/preflight-request.ts";

/** Where a result is published as long as a preflight is asked for. */
export const RESULT_NAME = "preflight-result";

/** In UTF-16 units: a ConfigMap holds a mebibyte, and a unit is up to three bytes. */
const MAX_PROPOSAL_LENGTH = 200_000;

/**
 * The ConfigMap with what an operator would show: "proposal.json", of ClusterVersion's status the parts that this target is in;
 * "held.json", for the next lift; "document.json", as the runner wrote it.
 */
export function buildResultConfigMap(result: LiftResult, document: PreflightDocument | undefined): JsonObject {
  const data = {
    "proposal.json": formatJson(buildBoundedProposal(result)),
    ...(result.retained ? { "held.json": formatJson(result.retained) } : {}),
    ...(document ? { "document.json": formatJson(document) } : {}),
  };
  return { ...buildConfigMap(RESULT_NAME), data };
}

/** What the last lift gave back, as the ConfigMap holds it. */
export function getRetainedResult(result: JsonObject | undefined): RetainedResult | undefined {
  return parseRetainedResult(textAt(result, "data", "held.json") ?? "");
}

/** Other sources' texts have no bound, so they are left out where they are too much; riskNames still names all. */
function buildBoundedProposal(result: LiftResult): JsonObject {
  const whole = buildProposal(result, () => true);
  if (formatJson(whole).length <= MAX_PROPOSAL_LENGTH) return whole;
  const ownNames = new Set(result.retained?.risks.map(nameOf));
  return buildProposal(result, (risk) => ownNames.has(nameOf(risk)));
}

function buildProposal(
  { status, retained, conditions, problems }: LiftResult,
  isShown: (risk: JsonObject) => boolean,
): JsonObject {
  const updates = listAt(status, "conditionalUpdates")
    .filter(isObject)
    .filter((one) => versionOf(one) === retained?.target);
  const names = new Set(updates.flatMap(risksOf).map(nameOf));
  const risks = listAt(status, "conditionalUpdateRisks")
    .filter(isObject)
    .filter((risk) => names.has(nameOf(risk)));
  return {
    conditionalUpdates: updates.map((update) => ({ ...update, risks: risksOf(update).filter(isShown) })),
    conditionalUpdateRisks: risks.filter(isShown),
    conditions,
    problems,
  };
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
