import { findMinorsBetween } from "../../model/minors-between.ts";
import { joinNames } from "../../model/names.ts";
import type { Report } from "../../model/report.ts";
import { formatOffer } from "../offer.ts";
import type { View } from "../view.ts";
import { wrapText } from "./wrapping.ts";

/** What is said of the update as a whole: how it is offered, and which minors it passes. */
export function formatUpdateSection(
  report: Report,
  { offer, width }: Pick<View, "offer" | "width">,
): readonly string[] {
  const target = report.target.text;
  return [
    ...(offer === undefined ? [] : wrapText("", formatOffer(offer, target), width)),
    ...formatMinorsBetween(report, width),
  ];
}

function formatMinorsBetween({ source, target }: Report, width: number): readonly string[] {
  const names = findMinorsBetween(source, target).map(({ text }) => text);
  if (names.length === 0) return [];
  const verb = names.length === 1 ? "lies" : "lie";
  const text =
    `${joinNames(names)} ${verb} between ${source.text} and ${target.text}: this is several updates, and only the last release was checked. ` +
    `"preflight plan --to ${target.text}" checks each of them.`;
  return wrapText("", text, width);
}
