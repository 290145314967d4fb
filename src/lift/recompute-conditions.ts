import { type JsonObject, at, listAt } from "../model/json.ts";
import { findConditionIn } from "../model/conditions.ts";
import { setCondition, APPLIES, RECOMMENDED } from "./objects/condition.ts";
import { type AppliesConditions, evaluateRisks, indexAppliesConditions } from "./applies-conditions.ts";
import type { GatedFields } from "./objects/gated-fields.ts";
import { getDefinitionKey } from "./risk-merge.ts";
import {
  type ClusterUpdates,
  nameOf,
  releaseOf,
  risksOf,
  versionOf,
  removeRelease,
  addRelease,
  sortNewestFirst,
} from "./objects/cluster-updates.ts";
import { buildRecommendedCondition } from "./recommended-condition.ts";

export type RecomputeInput = {
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
  const last = proposedRecommended.get(versionOf(update)) ?? findConditionIn(presentUpdate, RECOMMENDED);
  const conditions = listAt(presentUpdate, "conditions");
  const candidate = { ...update, conditions: last ? setCondition(conditions, last) : conditions };
  const appliesConditions = evaluateRisks(candidate, presentConditions, now);
  const risks = risksOf(update).map((risk) => setApplies(risk, appliesConditions.get(getDefinitionKey(risk)), fields));
  return {
    ...update,
    ...(fields.riskNames ? { riskNames: risks.map(nameOf) } : {}),
    risks,
    conditions: setCondition(
      candidate.conditions,
      buildRecommendedCondition(candidate, appliesConditions, accepted, now),
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
