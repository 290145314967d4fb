import type reasons from "../../conformance/reasons.json";
import { type JsonObject, at, listAt, textAt } from "../model/json.ts";
import { findConditionIn } from "../model/object.ts";
import type { ClusterUpdates } from "./objects/cluster-version.ts";
import {
  nameOf,
  releaseOf,
  risksOf,
  versionOf,
  removeRelease,
  addRelease,
  sortNewestFirst,
} from "./objects/cluster-version.ts";
import type { UntimedCondition, ConditionStatus, Condition } from "./objects/conditions.ts";
import { setCondition, APPLIES, RECOMMENDED, setTransitionTime } from "./objects/conditions.ts";
import { truncate, MAX_CONDITION_MESSAGE, joinMessages } from "./objects/limits.ts";
import type { GatedFields } from "./objects/gated-fields.ts";
import { getDefinitionKey } from "./risk-merge.ts";
import { formatTime } from "../model/time.ts";
import { parsePublishedRisk } from "../model/route.ts";
import { type Applies, formatRiskText, formatUnknownRisk, parseRecommended } from "../model/cluster-version-risks.ts";

type RecomputeInput = {
  /** The updates in ClusterVersion, for the transition times. */
  readonly present: ClusterUpdates;
  /** Risks with the present Applies conditions. */
  readonly presentRisks: readonly JsonObject[];
  /** The previously proposed Recommended conditions, by version. */
  readonly proposedRecommended: ReadonlyMap<string, JsonObject>;
  /** The versions whose risks have changed; other versions are left alone. */
  readonly changedVersions: ReadonlySet<string>;
  readonly accepted: ReadonlySet<string>;
  readonly fields: GatedFields;
  readonly now: Date;
};

/** Derives Applies, riskNames, Recommended and the available releases from the merged risks, the newest release first. */
export function recomputeConditions(updates: ClusterUpdates, input: RecomputeInput): ClusterUpdates {
  if (input.changedVersions.size === 0) return updates;
  const presentConditions = indexAppliesConditions(input.presentRisks);
  const conditional = updates.conditional.map((update) =>
    input.changedVersions.has(versionOf(update)) ? recomputeUpdate(update, presentConditions, input) : update,
  );
  const changed = conditional.filter((update) => input.changedVersions.has(versionOf(update)));
  return {
    available: sortNewestFirst(changed.reduce(addOrRemoveRelease, updates.available), (release) => release),
    conditional: sortNewestFirst(conditional, releaseOf),
  };
}

function recomputeUpdate(update: JsonObject, presentConditions: AppliesConditions, input: RecomputeInput): JsonObject {
  const { present, proposedRecommended, accepted, fields, now } = input;
  const presentUpdate = present.conditional.find((one) => isSameRelease(one, update));
  const candidate = { ...update, conditions: listAt(presentUpdate, "conditions") };
  const appliesConditions = evaluateRisks(candidate, presentUpdate, presentConditions, now);
  const risks = risksOf(update).map((risk) => setApplies(risk, appliesConditions.get(getDefinitionKey(risk)), fields));
  return {
    ...update,
    ...(fields.riskNames ? { riskNames: risks.map(nameOf) } : {}),
    risks,
    conditions: setCondition(
      candidate.conditions,
      buildRecommendedCondition(
        candidate,
        appliesConditions,
        accepted,
        now,
        proposedRecommended.get(versionOf(update)),
      ),
    ),
  };
}

function setApplies(risk: JsonObject, appliesCondition: JsonObject | undefined, fields: GatedFields): JsonObject {
  const { conditions, ...definition } = risk;
  if (!fields.riskConditions || !appliesCondition) return definition;
  const others = listAt({ conditions: conditions ?? [] }, "conditions");
  return { ...definition, conditions: setCondition(others, { ...appliesCondition, type: APPLIES }) };
}

function addOrRemoveRelease(releases: readonly JsonObject[], update: JsonObject): readonly JsonObject[] {
  const isRecommended = at(findConditionIn(update, RECOMMENDED), "status") === "True";
  return isRecommended ? addRelease(releases, releaseOf(update)) : removeRelease(releases, releaseOf(update));
}

function isSameRelease(a: JsonObject, b: JsonObject): boolean {
  return at(releaseOf(a), "image") === at(releaseOf(b), "image") && versionOf(a) === versionOf(b);
}

/** Applies conditions by risk definition, since two sources may use one name for different risks. */
type AppliesConditions = ReadonlyMap<string, JsonObject>;

/** Indexes the present Applies conditions. */
export function indexAppliesConditions(risks: readonly JsonObject[]): AppliesConditions {
  const entries = risks.flatMap((risk) => {
    const condition = findConditionIn(risk, APPLIES);
    return condition ? [[getDefinitionKey(risk), condition] as const] : [];
  });
  return new Map(entries);
}

/** Evaluates an update's risks. `before`: the update in ClusterVersion, since its Recommended is about the risks that it has there. */
export function evaluateRisks(
  update: JsonObject,
  before: JsonObject | undefined,
  present: AppliesConditions,
  now: Date,
): AppliesConditions {
  let evaluations: ReadonlyMap<string, Applies> | undefined;
  // Its message is read once, and only if a risk depends on it.
  const infer = (key: string): Applies => (evaluations ??= readRecommended(before)).get(key) ?? "unknown";
  return new Map(
    risksOf(update).map((risk) => {
      const key = getDefinitionKey(risk);
      return [key, evaluateRisk(risk, () => infer(key), present.get(key), now)] as const;
    }),
  );
}

/** By the risks' definitions. */
function readRecommended(update: JsonObject | undefined): ReadonlyMap<string, Applies> {
  const risks = update ? risksOf(update) : [];
  const evaluations = parseRecommended(findConditionIn(update, RECOMMENDED), risks.map(parsePublishedRisk));
  return new Map(risks.map((risk, i) => [getDefinitionKey(risk), evaluations[i] ?? "unknown"]));
}

/** `infer`: what an operator that writes no Applies says in Recommended: risks by message, or by name if it could not evaluate them. */
function evaluateRisk(risk: JsonObject, infer: () => Applies, present: JsonObject | undefined, now: Date): JsonObject {
  const own = findConditionIn(risk, APPLIES);
  if (textAt(listAt(risk, "matchingRules")[0], "type") === "Always") return evaluateAlways(own, present, now);
  // Only the operator runs queries, so its verdict is kept.
  return own ?? present ?? setTransitionTime(undefined, toApplies(infer(), risk), now);
}

/** Keeps the source's condition if it is True, with the transition time already in ClusterVersion. */
function evaluateAlways(own: JsonObject | undefined, present: JsonObject | undefined, now: Date): JsonObject {
  if (textAt(own, "status") !== "True") return setTransitionTime(present, buildApplies("True", "Match", ""), now);
  const transitionTime = textAt(present, "status") === "True" ? at(present, "lastTransitionTime") : undefined;
  return { ...own, lastTransitionTime: transitionTime ?? at(own, "lastTransitionTime") ?? formatTime(now) };
}

function toApplies(evaluation: Applies, risk: JsonObject): UntimedCondition {
  const published = parsePublishedRisk(risk);
  switch (evaluation) {
    case "yes":
      return buildApplies("True", "Match", "");
    case "no":
      return buildApplies("False", "NotMatch", "");
    case "unknown":
      return buildApplies("Unknown", "EvaluationFailed", formatUnknownRisk(published.name) + formatRiskText(published));
  }
}

function buildApplies(
  status: ConditionStatus,
  reason: keyof typeof reasons.Applies,
  message: string,
): UntimedCondition {
  return { type: APPLIES, status, reason, message: truncate(message, MAX_CONDITION_MESSAGE) };
}

/** Beside the names of risks. */
type RecommendedReason = keyof typeof reasons.Recommended;

const NOT_EXPOSED: RecommendedReason = "NotExposedToRisks";
const ALL_ACCEPTED: RecommendedReason = "AllExposedRisksAccepted";
const NOT_EVALUATED: RecommendedReason = "EvaluationFailed";
const MULTIPLE_REASONS: RecommendedReason = "MultipleReasons";
/** Replaces a risk's name that is not a valid reason. */
const EXPOSED: RecommendedReason = "ExposedToRisks";

const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

export const CLEAR_MESSAGE = "No risk of this update applies to this cluster, so it is recommended.";
export const ACCEPTED_MESSAGE =
  "Every risk of this update that applies to this cluster is accepted, so it is recommended.";

/** One risk's effect on Recommended. */
type Vote = { readonly status: ConditionStatus; readonly reason: string; readonly text?: string };

/**
 * Whether an update is recommended, by the operator's rules: a single risk that applies gives its name as the reason, several give
 * MultipleReasons, and a risk that applies outweighs one that could not be evaluated. `proposed`: the condition that preflight last wrote, for its time.
 */
export function buildRecommendedCondition(
  update: JsonObject,
  appliesConditions: AppliesConditions,
  accepted: ReadonlySet<string>,
  now: Date,
  proposed?: JsonObject,
): Condition {
  const votes = risksOf(update).flatMap((risk) =>
    collectVotes(risk, appliesConditions.get(getDefinitionKey(risk)), accepted),
  );
  const texts = votes.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const clear = votes.length === 0 ? CLEAR_MESSAGE : ACCEPTED_MESSAGE;
  const desired = {
    type: RECOMMENDED,
    status: combineStatuses(votes),
    reason: votes.map(({ reason }) => reason).reduce(combineReasons, NOT_EXPOSED),
    message: texts.length === 0 ? clear : joinMessages(texts, MAX_CONDITION_MESSAGE),
  };
  const present = findConditionIn(update, RECOMMENDED);
  return setTransitionTime(textAt(present, "status") === desired.status ? present : proposed, desired, now);
}

function collectVotes(
  risk: JsonObject,
  appliesCondition: JsonObject | undefined,
  accepted: ReadonlySet<string>,
): readonly Vote[] {
  const status = textAt(appliesCondition, "status") ?? "Unknown";
  const name = nameOf(risk);
  if (status === "Unknown")
    return [
      {
        status,
        reason: NOT_EVALUATED,
        text:
          textAt(appliesCondition, "message") ??
          `${formatUnknownRisk(name)}${formatRiskText(parsePublishedRisk(risk))}`,
      },
    ];
  if (status !== "True") return [];
  if (accepted.has(name)) return [{ status, reason: ALL_ACCEPTED }];
  const text = formatRiskText(parsePublishedRisk(risk));
  return [{ status: "False", reason: REASON.test(name) ? name : EXPOSED, text }];
}

function combineStatuses(votes: readonly Vote[]): ConditionStatus {
  if (votes.some(({ status }) => status === "False")) return "False";
  return votes.some(({ status }) => status === "Unknown") ? "Unknown" : "True";
}

/** The operator weighs one risk after the other, so an accepted one counts as a further reason only behind one that isn't. */
function combineReasons(before: string, reason: string): string {
  return [NOT_EXPOSED, ALL_ACCEPTED, reason].includes(before) ? reason : MULTIPLE_REASONS;
}
