import type { JsonObject } from "../model/json.ts";
import { type Offers, releaseOf, risksOf, versionOf, withRelease } from "./offers.ts";

export type Withdrawn = {
  readonly offers: Offers;
  /** The versions whose risks are fewer now. */
  readonly touched: ReadonlySet<string>;
};

/** Takes risks back. A release that has no other stands among the available ones again, where it was before. */
export function withdraw(offers: Offers, isLeaving: (risk: JsonObject) => boolean): Withdrawn {
  const touched = offers.conditional.filter((update) => risksOf(update).some(isLeaving));
  const emptied = touched.filter((update) => risksOf(update).every(isLeaving));
  const conditional = offers.conditional
    .filter((update) => !emptied.includes(update))
    .map((update) => (touched.includes(update) ? without(update, isLeaving) : update));
  const available = emptied.map(releaseOf).reduce(withRelease, offers.available);
  return { offers: { available, conditional }, touched: new Set(touched.map(versionOf)) };
}

function without(update: JsonObject, isLeaving: (risk: JsonObject) => boolean): JsonObject {
  return { ...update, risks: risksOf(update).filter((risk) => !isLeaving(risk)) };
}
