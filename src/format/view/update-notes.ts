import type { Report } from "../../model/report.ts";
import { formatOffer } from "./offer.ts";
import type { View } from "./view.ts";

/** What is said of the update as a whole, each in one or more sentences: how it is offered. */
export function listUpdateNotes(report: Report, { offer }: Pick<View, "offer">): readonly string[] {
  return offer === undefined ? [] : [formatOffer(offer, report)];
}
