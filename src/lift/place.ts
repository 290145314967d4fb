import type { JsonObject } from "../model/json.ts";
import type { Held } from "./held.ts";
import { type MergeProblem, isSameDefinition, mergeRisks } from "./merge.ts";
import { type Offers, nameOf, releaseOf, risksOf, versionOf, withoutRelease } from "./offers.ts";
import type { TextForm } from "./origin.ts";
import { fitRisks, roomFor } from "./room.ts";

export type Placed = {
  readonly offers: Offers;
  /** Have risks been given to the target's update? */
  readonly isMerged: boolean;
  readonly problems: readonly MergeProblem[];
  /** The names of risks for which there was no room. */
  readonly left: readonly string[];
};

/** Merges a result's risks into the update that they are about. `taken`: other risks that conditionalUpdateRisks holds. */
export function placeRisks(offers: Offers, held: Held, taken: readonly JsonObject[], form: TextForm): Placed {
  if (held.risks.length === 0) return { offers, isMerged: false, problems: [], left: [] };
  const from = asOffered(offers, held.target);
  const { kept, left } = fitRisks(held.risks, roomFor(held.target, from, taken), held, form);
  if (kept.length === 0) return { offers, isMerged: false, problems: [], left };
  const versions = new Map(kept.map((risk) => [nameOf(risk), [held.target]]));
  const merged = mergeRisks(from, kept, versions);
  const problems = [...merged.problems, ...collisions(from, held.target, kept)];
  return { offers: merged.offers, isMerged: true, problems, left };
}

/** A conditional update that is recommended stands in both lists; the update service offers it in one. */
function asOffered(offers: Offers, version: string): Offers {
  const both = offers.conditional.filter((update) => versionOf(update) === version).map(releaseOf);
  return { ...offers, available: both.reduce(withoutRelease, offers.available) };
}

/** The same name with another text at another version: only one of the two can stand in conditionalUpdateRisks. */
function collisions(offers: Offers, version: string, risks: readonly JsonObject[]): readonly MergeProblem[] {
  const others = offers.conditional.filter((update) => versionOf(update) !== version);
  return risks.flatMap((risk) => {
    const update = others.find((one) =>
      risksOf(one).some((other) => nameOf(other) === nameOf(risk) && !isSameDefinition(other, risk)),
    );
    return update ? [{ kind: "divergent", risk: nameOf(risk), version: versionOf(update) } as const] : [];
  });
}
