import { type JsonObject, isObject, listAt, objectAt } from "../../../src/model/json.ts";
import { shrink } from "../schema/differential/shrink.ts";
import type { Comparison, Difference } from "./comparison.ts";
import { PARTNERS } from "./prediction.ts";
import { type Round, regroup } from "./round.ts";

/** So many smaller rounds are asked at once. */
const BATCH = 60;

/** Plays rounds and compares the answers. */
export type Compare = (rounds: readonly Round[]) => Promise<Comparison>;

/** The smallest round that was found until `mayGoOn` says no, and in which the same way of writing still differs. */
export async function minimise(
  { round, sample, way, kind }: Difference,
  compare: Compare,
  mayGoOn: () => boolean,
): Promise<Round> {
  const place = round.objects.indexOf(sample.object);
  const isSame = (one: Difference): boolean => one.way === way && one.kind === kind;
  const first = { ...round, objects: round.objects.slice(place, place + 1 + PARTNERS) };
  const smallest = await shrink(toDocument(first), async (smaller) => {
    for (let i = 0; i < smaller.length && mayGoOn(); i += BATCH) {
      const batch = smaller.slice(i, i + BATCH);
      const rounds = batch.map((document, k) => regroup(fromDocument(first, document), `r${k}.example.com`));
      const { differences } = await compare(rounds);
      const found = rounds.findIndex((one) => differences.some((other) => other.round === one && isSame(other)));
      if (found >= 0) return batch[found];
    }
    return undefined;
  });
  return regroup(fromDocument(first, smallest), round.group);
}

function toDocument({ before, after, objects }: Round): JsonObject {
  return { before: objectAt(before, "spec"), after: objectAt(after, "spec"), objects };
}

function fromDocument(round: Round, document: JsonObject): Round {
  return {
    ...round,
    before: { ...round.before, spec: objectAt(document, "before") },
    after: { ...round.after, spec: objectAt(document, "after") },
    objects: listAt(document, "objects").filter(isObject),
  };
}
