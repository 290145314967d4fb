import { findMinorsBetween } from "../model/minors-between.ts";
import { joinNames } from "../model/names.ts";
import type { Report } from "../model/report.ts";
import { formatOffer } from "./offer.ts";
import type { View } from "./view.ts";

/** What is said of the update as a whole, each in one or more sentences: how it is offered, and which minors it passes. */
export function listUpdateNotes(report: Report, { offer }: Pick<View, "offer">): readonly string[] {
  return [...(offer === undefined ? [] : [formatOffer(offer, report)]), ...listMinorsBetween(report)];
}

function listMinorsBetween({ source, target }: Report): readonly string[] {
  const names = findMinorsBetween(source, target).map(({ text }) => text);
  if (names.length === 0) return [];
  const verb = names.length === 1 ? "lies" : "lie";
  return [
    `${joinNames(names)} ${verb} between ${source.text} and ${target.text}: this is several updates, and only the last release was checked. ` +
      `"preflight plan --to ${target.text}" checks each of them.`,
  ];
}
