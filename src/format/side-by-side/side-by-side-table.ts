import { defined } from "../../model/optional.ts";
import { joinNames, summarizeNames } from "../../model/names.ts";
import type { Report } from "../../model/report.ts";
import { toLine } from "../../model/visible-text.ts";
import { countCharacters } from "../../model/characters.ts";
import { formatClusterOrigin, formatHeadline } from "../view/headline.ts";
import { getNotices } from "../view/outcome-contents.ts";
import { createPainter } from "../text/painter.ts";
import { formatPieces } from "../text/terminal.ts";
import { buildImageLines } from "../view/report-page.ts";
import { buildRiskSections } from "../view/risk-sections.ts";
import { buildUnknownSection } from "../view/unknown-section.ts";
import { formatSection } from "../text/section.ts";
import { wrapText } from "../text/wrapping.ts";
import { listUpdateNotes } from "../view/update-notes.ts";
import { formatCell } from "./cells.ts";
import {
  buildRiskRows,
  groupByTargets,
  isChecked,
  listObjectDifferences,
  type SideBySideView,
  type TargetGroup,
  type TargetResult,
} from "./side-by-side.ts";

type Options = Pick<SideBySideView, "cluster" | "colour" | "width">;

/** Several targets for people: how each is offered, a matrix of risks by targets, then common results, then differences. */
export function formatSideBySideTable({ targets, ...options }: SideBySideView): string {
  const [first] = targets.filter(isChecked);
  const blocks = [
    formatClusterOrigin(first?.report ?? {}, options).flatMap((line) => wrapText("", line, options.width)),
    ...targets.map((target) => formatTarget(target, options)),
    formatMatrix(targets, options),
    ...groupByTargets(targets).flatMap((group) => formatGroup(group, options)),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function formatTarget(target: TargetResult, options: Options): readonly string[] {
  const { bold } = createPainter(options.colour);
  if (target.kind === "notChecked")
    return [bold(toLine(`${target.label}: not checked`)), ...wrapText("", target.message, options.width)];
  const { report, accepted, offer } = target;
  return [
    bold(toLine(formatHeadline(report, { accepted }))),
    ...buildImageLines(report).flatMap(({ lead, text }) => wrapText(`${lead} `, text, options.width)),
    ...listUpdateNotes(report, defined({ offer })).flatMap((note) => wrapText("", note, options.width)),
  ];
}

function formatMatrix(targets: readonly TargetResult[], { colour }: Options): readonly string[] {
  const rows = buildRiskRows(targets);
  if (rows.length === 0) return [];
  const texts = [
    ["Risk", ...targets.map(({ label }) => toLine(label))],
    ...rows.map(({ risk, cells }) => [risk.name, ...cells.map(formatCell)]),
  ];
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((row) => countCharacters(row[i] ?? ""))));
  const [heading = "", ...lines] = texts.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join("   ")
      .trimEnd(),
  );
  return [createPainter(colour).bold(heading), ...lines];
}

function formatGroup(group: TargetGroup, options: Options): readonly (readonly string[])[] {
  const { report, accepted } = group;
  const blocks = [
    ...formatPieces(buildRiskSections(report, { accepted }), options),
    formatDifferences(group, options),
    ...formatPieces(buildUnknownSection(report, { accepted }), options),
    formatNotices(report, options),
  ].filter((lines) => lines.length > 0);
  const { bold } = createPainter(options.colour);
  return blocks.length === 0 ? [] : [wrapText("", formatGroupHeading(group), options.width).map(bold), ...blocks];
}

/** Texts name one target: the first of the group. */
export function formatGroupHeading({ targets, isEvery }: TargetGroup): string {
  const names = joinNames(targets.map(({ label }) => label));
  const [first] = targets;
  if (targets.length === 1) return isEvery ? `== ${names}` : `== Only ${names}`;
  return `== ${isEvery ? "All checked targets" : `Only ${names}`} (in the words for ${first?.label ?? ""})`;
}

function formatDifferences(group: TargetGroup, options: Options): readonly string[] {
  const lines = group.report.risks.flatMap(({ name }) =>
    listObjectDifferences(group, name).flatMap(({ label, added, removed }) => {
      const parts = [
        ...(added.length === 0 ? [] : [`also ${summarizeNames(added)}`]),
        ...(removed.length === 0 ? [] : [`not ${summarizeNames(removed)}`]),
      ];
      return wrapText(`  ${name}, for ${label}: `, parts.join("; "), options.width);
    }),
  );
  return formatSection("Objects that differ", lines.length === 0 ? [] : [lines], options);
}

function formatNotices({ checks }: Report, options: Options): readonly string[] {
  const lines = checks.flatMap(({ id, outcome }) =>
    getNotices(outcome).flatMap((notice) => wrapText(`  ${id}: `, notice, options.width)),
  );
  return formatSection("Notices", lines.length === 0 ? [] : [lines], options);
}
