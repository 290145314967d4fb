import { type JsonObject, textAt } from "../model/json.ts";
import { conditionIn } from "../model/conditions.ts";
import type { Condition } from "./condition.ts";
import { APPLIES } from "./exposure.ts";
import { MAX_CONDITIONAL_UPDATES, MAX_RISKS, MAX_RISKS_OF_UPDATE } from "./limits.ts";
import { nameOf, type Offers, risksOf, versionOf } from "./offers.ts";
import { type TextForm, type Versions, marked } from "./origin.ts";

/** The name that a document, too, gives to the one risk that counts those that it can't hold. */
const FURTHER_RISKS = "PreflightFurtherRisks";
const FURTHER_URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index";

export type Fitted = { readonly kept: readonly JsonObject[]; readonly left: readonly string[] };

/** How many risks a version can take beside those of other sources, which are never pushed out. */
export function roomFor(version: string, { conditional }: Offers, taken: readonly JsonObject[]): number {
  const update = conditional.find((one) => versionOf(one) === version);
  if (!update && conditional.length >= MAX_CONDITIONAL_UPDATES) return 0;
  const names = new Set([...conditional.flatMap(risksOf), ...taken].map(nameOf));
  return Math.max(0, Math.min(MAX_RISKS_OF_UPDATE - risksOf(update).length, MAX_RISKS - names.size));
}

/** As many risks as there is room for, blind spots given up first; one more risk then says how many are left out. */
export function fitRisks(risks: readonly JsonObject[], room: number, versions: Versions, form: TextForm): Fitted {
  if (risks.length <= room) return { kept: risks, left: [] };
  const byWorth = [...risks.filter((risk) => !isBlind(risk)), ...risks.filter(isBlind)];
  const plain = byWorth.filter((risk) => nameOf(risk) !== FURTHER_RISKS);
  const [kept, left] = [plain.slice(0, Math.max(0, room - 1)), plain.slice(Math.max(0, room - 1))];
  const further = room > 0 ? [furtherRisks(left, versions, form)] : [];
  return { kept: [...kept, ...further], left: left.map(nameOf) };
}

function isBlind(risk: JsonObject): boolean {
  return textAt(conditionIn(risk, APPLIES), "reason") === "PreflightPartial";
}

function furtherRisks(left: readonly JsonObject[], versions: Versions, form: TextForm): JsonObject {
  const text = `ClusterVersion has no room for ${left.length} more risks of this preflight. The document has them all.`;
  return {
    name: FURTHER_RISKS,
    message: marked(text, versions, form),
    url: FURTHER_URL,
    matchingRules: [{ type: "Always" }],
    conditions: [further(left)],
  };
}

/** The time of the first of those that it stands for: it has applied since then. */
function further(left: readonly JsonObject[]): JsonObject {
  const times = left.map((risk) => textAt(conditionIn(risk, APPLIES), "lastTransitionTime") ?? "").filter(Boolean);
  const wanted: Omit<Condition, "lastTransitionTime"> = {
    type: APPLIES,
    status: "True",
    reason: "PreflightValidation",
    message: "",
  };
  const first = times.toSorted()[0];
  return first === undefined ? wanted : { ...wanted, lastTransitionTime: first };
}
