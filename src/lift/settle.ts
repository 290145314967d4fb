import { type JsonObject, at, listAt } from "../model/json.ts";
import { conditionIn } from "../model/conditions.ts";
import { withCondition } from "./condition.ts";
import { APPLIES, type Exposures, RECOMMENDED, exposuresOf, presentExposures } from "./exposure.ts";
import type { CrdFields } from "./fields.ts";
import { definition } from "./merge.ts";
import { type Offers, nameOf, releaseOf, risksOf, versionOf, withoutRelease, withRelease } from "./offers.ts";
import { newestFirst } from "./order.ts";
import { recommendedOf } from "./recommended.ts";

export type Settling = {
  /** As ClusterVersion has it now, for the times of its conditions. */
  readonly present: Offers;
  /** Risks whose Applies conditions stand now. */
  readonly standing: readonly JsonObject[];
  /** The Recommended condition that was proposed before, by version. */
  readonly proposed: ReadonlyMap<string, JsonObject>;
  /** The versions whose risks have changed; all others stay as they are. */
  readonly touched: ReadonlySet<string>;
  readonly accepted: ReadonlySet<string>;
  readonly fields: CrdFields;
  readonly now: Date;
};

/** Writes what follows from the merged risks: Applies, riskNames, Recommended, and which releases are available; the newest first. */
export function settle(offers: Offers, settling: Settling): Offers {
  if (settling.touched.size === 0) return offers;
  const standing = presentExposures(settling.standing);
  const conditional = offers.conditional.map((update) =>
    settling.touched.has(versionOf(update)) ? settled(update, standing, settling) : update,
  );
  const changed = conditional.filter((update) => settling.touched.has(versionOf(update)));
  return {
    available: newestFirst(changed.reduce(withOrWithout, offers.available), (release) => release),
    conditional: newestFirst(conditional, releaseOf),
  };
}

function settled(update: JsonObject, standing: Exposures, settling: Settling): JsonObject {
  const { present, proposed, accepted, fields, now } = settling;
  const before = present.conditional.find((one) => isSameRelease(one, update));
  const last = proposed.get(versionOf(update)) ?? conditionIn(before, RECOMMENDED);
  const conditions = listAt(before, "conditions");
  const known = { ...update, conditions: last ? withCondition(conditions, last) : conditions };
  const exposures = exposuresOf(known, standing, now);
  const risks = risksOf(update).map((risk) => withExposure(risk, exposures.get(definition(risk)), fields));
  return {
    ...update,
    ...(fields.riskNames ? { riskNames: risks.map(nameOf) } : {}),
    risks,
    conditions: withCondition(known.conditions, recommendedOf(known, exposures, accepted, now)),
  };
}

function withExposure(risk: JsonObject, exposure: JsonObject | undefined, fields: CrdFields): JsonObject {
  const { conditions, ...definition } = risk;
  if (!fields.riskConditions || !exposure) return definition;
  const others = listAt({ conditions: conditions ?? [] }, "conditions");
  return { ...definition, conditions: withCondition(others, { ...exposure, type: APPLIES }) };
}

function withOrWithout(releases: readonly JsonObject[], update: JsonObject): readonly JsonObject[] {
  const isRecommended = at(conditionIn(update, RECOMMENDED), "status") === "True";
  return isRecommended ? withRelease(releases, releaseOf(update)) : withoutRelease(releases, releaseOf(update));
}

function isSameRelease(a: JsonObject, b: JsonObject): boolean {
  return at(releaseOf(a), "image") === at(releaseOf(b), "image") && versionOf(a) === versionOf(b);
}
