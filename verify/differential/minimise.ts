import { type JsonObject, isObject, listAt, objectAt } from "../../src/model/json.ts";
import { shrink } from "../schema/random/shrink.ts";
import type { Comparison, Difference } from "./comparison.ts";
import { type Round, regroup } from "./round.ts";
import { PARTNERS } from "./sample.ts";

/** So many smaller rounds are asked at once. */
const BATCH = 60;

/** Plays rounds and compares the answers. */
export type Compare = (rounds: readonly Round[]) => Promise<Comparison>;

/** The smallest round that was found until `mayGoOn` says no, and in which the same faults are still told by one side alone. */
export async function minimise(difference: Difference, compare: Compare, mayGoOn: () => boolean): Promise<Round> {
  const { round, sample } = difference;
  const place = round.objects.indexOf(sample.object);
  const shown = describe(difference);
  const isSame = (one: Difference): boolean => describe(one) === shown;
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

/** The way, and the types of the faults that only one side tells. */
function describe({ way, kind, ours, theirs }: Difference): string {
  const [own, other] = [ours, theirs].map(({ details = [] }) => (way === "read" ? [] : details));
  const onlyIn = (some: readonly string[] = [], rest: readonly string[] = []): readonly string[] =>
    some.filter((fault) => !rest.includes(fault)).map((fault) => fault.replace(/ .*/s, ""));
  const types = [onlyIn(own, other), onlyIn(other, own)].map((some) => [...new Set(some)].join());
  return [way, kind, ...types].join(" ");
}

function toDocument({ older, before, after, objects }: Round): JsonObject {
  const bodies = objects.map(({ kind: _kind, ...body }) => body);
  const specs = { before: objectAt(before, "spec"), after: objectAt(after, "spec") };
  return { ...specs, ...(older ? { older: objectAt(older, "spec") } : {}), objects: bodies };
}

function fromDocument(round: Round, document: JsonObject): Round {
  const { apiVersion = "", kind = "" } = round.objects[0] ?? {};
  const { older, ...rest } = round;
  return {
    ...rest,
    ...(older && document["older"] ? { older: { ...older, spec: objectAt(document, "older") } } : {}),
    before: { ...round.before, spec: objectAt(document, "before") },
    after: { ...round.after, spec: objectAt(document, "after") },
    objects: listAt(document, "objects")
      .filter(isObject)
      .map((body) => ({ apiVersion, kind, ...body })),
  };
}
