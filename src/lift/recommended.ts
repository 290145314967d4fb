import { type JsonObject, textAt } from "../model/json.ts";
import { conditionIn } from "../model/conditions.ts";
import { type Condition, type Status, since } from "./condition.ts";
import { type Exposures, RECOMMENDED } from "./exposure.ts";
import { joinTexts, MAX_CONDITION_MESSAGE } from "./limits.ts";
import { definition } from "./merge.ts";
import { nameOf, risksOf } from "./offers.ts";

const NOT_EXPOSED = "NotExposedToRisks";
const ALL_ACCEPTED = "AllExposedRisksAccepted";
const NOT_EVALUATED = "EvaluationFailed";
const SEVERAL = "MultipleReasons";
/** In the place of a risk's name that may not stand as a reason. */
const EXPOSED = "ExposedToRisks";

const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

const TEXT_OF_CLEAR = "No risk of this update applies to this cluster, so it is recommended.";
const TEXT_OF_ACCEPTED = "Every risk of this update that applies to this cluster is accepted, so it is recommended.";

/** What one risk says of an update. */
type Vote = { readonly status: Status; readonly reason: string; readonly text?: string };

/**
 * Whether an update is recommended, by the operator's rules: one risk that applies is the reason by its name, several are
 * MultipleReasons, and one that applies outweighs one that could not be evaluated.
 */
export function recommendedOf(
  update: JsonObject,
  exposures: Exposures,
  accepted: ReadonlySet<string>,
  now: Date,
): Condition {
  const votes = risksOf(update).flatMap((risk) => voteOf(risk, exposures.get(definition(risk)), accepted));
  const texts = votes.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const clear = votes.length === 0 ? TEXT_OF_CLEAR : TEXT_OF_ACCEPTED;
  const wanted = {
    type: RECOMMENDED,
    status: statusOf(votes),
    reason: votes.map(({ reason }) => reason).reduce(weighed, NOT_EXPOSED),
    message: texts.length === 0 ? clear : joinTexts(texts, MAX_CONDITION_MESSAGE),
  };
  return since(conditionIn(update, RECOMMENDED), wanted, now);
}

function voteOf(risk: JsonObject, exposure: JsonObject | undefined, accepted: ReadonlySet<string>): readonly Vote[] {
  const status = textAt(exposure, "status") ?? "Unknown";
  const name = nameOf(risk);
  if (status === "Unknown")
    return [
      { status, reason: NOT_EVALUATED, text: textAt(exposure, "message") ?? `Whether ${name} applies is not known.` },
    ];
  if (status !== "True") return [];
  if (accepted.has(name)) return [{ status, reason: ALL_ACCEPTED }];
  const text = `${textAt(risk, "message") ?? ""} ${textAt(risk, "url") ?? ""}`;
  return [{ status: "False", reason: REASON.test(name) ? name : EXPOSED, text }];
}

function statusOf(votes: readonly Vote[]): Status {
  if (votes.some(({ status }) => status === "False")) return "False";
  return votes.some(({ status }) => status === "Unknown") ? "Unknown" : "True";
}

/** The operator weighs one risk after the other, so an accepted one counts as a further reason only behind one that isn't. */
function weighed(before: string, reason: string): string {
  return [NOT_EXPOSED, ALL_ACCEPTED, reason].includes(before) ? reason : SEVERAL;
}
