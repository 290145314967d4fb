import type { PreflightDocument } from "../model/document.ts";
import { type JsonObject, isObject, listAt, textAt } from "../model/json.ts";
import { type Held, parseHeld } from "./held.ts";
import type { Lifted } from "./lift.ts";
import { nameOf, risksOf, versionOf } from "./offers.ts";
import { configMap } from "./request.ts";

/** Where a result is published as long as a preflight is asked for. */
export const RESULT_NAME = "preflight-result";

/** In UTF-16 units: a ConfigMap holds a mebibyte, and a unit is up to three bytes. */
const MOST_PROPOSED = 200_000;

/**
 * The ConfigMap with what an operator would show: "proposal.json", of ClusterVersion's status the parts that this target is in;
 * "held.json", for the next lift; "document.json", as the runner wrote it.
 */
export function resultConfigMap(lifted: Lifted, document: PreflightDocument | undefined): JsonObject {
  const data = {
    "proposal.json": text(proposalOf(lifted)),
    ...(lifted.held ? { "held.json": text(lifted.held) } : {}),
    ...(document ? { "document.json": text(document) } : {}),
  };
  return { ...configMap(RESULT_NAME), data };
}

/** What the last lift gave back, as the ConfigMap holds it. */
export function heldIn(result: JsonObject | undefined): Held | undefined {
  return parseHeld(textAt(result, "data", "held.json") ?? "");
}

/** Other sources' texts have no bound, so they are left out where they are too much; riskNames still names all. */
function proposalOf(lifted: Lifted): JsonObject {
  const whole = proposal(lifted, () => true);
  if (text(whole).length <= MOST_PROPOSED) return whole;
  const own = new Set(lifted.held?.risks.map(nameOf));
  return proposal(lifted, (risk) => own.has(nameOf(risk)));
}

function proposal({ status, held, conditions, problems }: Lifted, isShown: (risk: JsonObject) => boolean): JsonObject {
  const updates = listAt(status, "conditionalUpdates")
    .filter(isObject)
    .filter((one) => versionOf(one) === held?.target);
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

function text(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
