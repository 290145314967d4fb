import type { PreflightDocument } from "../model/document.ts";
import { type Json, type JsonObject, isObject, parseObject, textAt, at, isList, objectsAt } from "../model/json.ts";
import { type RetainedResult, parseRetainedResult } from "./progress/retained-result.ts";
import type { LiftResult } from "./lift.ts";
import { nameOf, risksOf, versionOf } from "./objects/cluster-updates.ts";
import { buildConfigMap, formatJson } from "./objects/preflight-request.ts";

/** The ConfigMap that publishes the result while a preflight is requested. */
export const RESULT_NAME = "preflight-result";

/** In UTF-16 code units of up to three bytes, since a ConfigMap holds 1 MiB. */
const MAX_PROPOSAL_LENGTH = 200_000;

/**
 * The ConfigMap's keys: "proposal.json", the parts of ClusterVersion's status about the target as an operator would write them;
 * "held.json", input of the next lift; "document.json", the runner's document.
 */
export function buildResultConfigMap(
  result: LiftResult,
  document: PreflightDocument | undefined,
  present?: JsonObject,
): JsonObject {
  const known = parseObject(textAt(present, "data", "proposal.json") ?? "");
  const data = {
    "proposal.json": formatJson(withKnownTimes(buildBoundedProposal(result), known)),
    ...(result.retained ? { "held.json": formatJson(result.retained) } : {}),
    ...(document ? { "document.json": formatJson(document) } : {}),
  };
  return { ...buildConfigMap(RESULT_NAME), data };
}

/** The last lift's retained result. */
export function getRetainedResult(result: JsonObject | undefined): RetainedResult | undefined {
  return parseRetainedResult(textAt(result, "data", "held.json") ?? "");
}

/** Leaves out other sources' risks if they are too long; riskNames still lists all names. */
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
  const updates = objectsAt(status, "conditionalUpdates").filter((one) => versionOf(one) === retained?.target);
  const names = new Set(updates.flatMap(risksOf).map(nameOf));
  const risks = objectsAt(status, "conditionalUpdateRisks").filter((risk) => names.has(nameOf(risk)));
  return {
    conditionalUpdates: updates.map((update) => ({ ...update, risks: risksOf(update).filter(isShown) })),
    conditionalUpdateRisks: risks.filter(isShown),
    conditions,
    problems,
  };
}

/**
 * The value with the transition times of its last version, wherever a condition's status is the same. An operator sets the times of its
 * conditions anew when it fetches the updates again, which changes nothing for a reader.
 */
export function withKnownTimes(next: Json, known: Json | undefined): Json {
  if (isList(next)) {
    const before = isList(known) ? known : [];
    return next.map((item) =>
      withKnownTimes(
        item,
        before.find((one) => keyOf(one) === keyOf(item)),
      ),
    );
  }
  if (!isObject(next)) return next;
  const entries = Object.entries(next).map(([key, value]) => [key, withKnownTimes(value, at(known, key))] as const);
  const time = textAt(known, "lastTransitionTime");
  const isSame = textAt(known, "status") === textAt(next, "status");
  const isTimed = textAt(next, "lastTransitionTime") !== undefined && time !== undefined && isSame;
  return { ...Object.fromEntries(entries), ...(isTimed ? { lastTransitionTime: time } : {}) };
}

/** What identifies an update, a risk or a condition in its list. */
function keyOf(item: Json): string {
  return textAt(item, "release", "version") ?? textAt(item, "name") ?? textAt(item, "type") ?? "";
}
