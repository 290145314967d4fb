import type { Unknown } from "../../model/check.ts";
import type { CheckReport, Report, ReportRisk } from "../../model/report.ts";
import { formatCount } from "../count.ts";
import { formatUnknown, sortUnknowns } from "../document-checks.ts";
import { createPainter } from "./painter.ts";
import type { View } from "../view.ts";
import { wrapText } from "./wrapping.ts";

type Options = Pick<View, "accepted" | "colour" | "width">;

const MAX_PLACES = 5;

/** The checks that could not be completed: on which objects, why, and what to do. */
export function formatUnknownSection({ checks, risks }: Report, options: Options): readonly string[] {
  const unknowns = checks.flatMap((check) =>
    check.outcome.kind === "unknown" ? [formatCheck(check, check.outcome.unknowns, risks, options)] : [],
  );
  return unknowns.flatMap((lines, i) => [...(i === 0 ? [] : [""]), ...lines]);
}

function formatCheck(
  { id, title }: CheckReport,
  unknowns: readonly Unknown[],
  risks: readonly ReportRisk[],
  options: Options,
): readonly string[] {
  const { colour, width } = options;
  const risk = risks.find((one) => one.unknown && one.check === id);
  return [
    `  ${createPainter(colour).yellow(id)}${risk ? formatAcceptance(risk.name, options) : ""}`,
    ...wrapText("    ", title, width),
    ...formatPlaces(unknowns, width),
    ...(risk ? [...wrapText("    Do     ", risk.remediation, width), ...wrapText("    See    ", risk.url, width)] : []),
  ];
}

function formatAcceptance(name: string, { accepted }: Options): string {
  return ` (${name}${accepted.has(name) ? ", accepted" : ""})`;
}

const LEAD = "    Where  ";
const INDENT = " ".repeat(LEAD.length);

function formatPlaces(unknowns: readonly Unknown[], width: number): readonly string[] {
  const lines = sortUnknowns(unknowns)
    .slice(0, MAX_PLACES)
    .flatMap((one, i) => wrapText(i === 0 ? LEAD : INDENT, `${formatUnknown(one)}${formatReason(one)}`, width));
  const more = unknowns.length - MAX_PLACES;
  return more > 0
    ? [...lines, ...wrapText(INDENT, `and ${formatCount(more, "more")} (all with -o json)`, width)]
    : lines;
}

/** The reason, as a word to search for; a line without a message has it already. */
function formatReason({ reason, message }: Unknown): string {
  return message === "" ? "" : ` (${reason})`;
}
