import { formatCount } from "../../model/text.ts";
import { toLine } from "../../model/visible-text.ts";
import { type Cell, getCell, type TableRisk } from "../result/risk-table.ts";
import { type Block, toPlainText } from "../text/page.ts";
import { formatTable } from "../text/terminal.ts";
import { createPainter, type Painter, wrapText } from "../text/terminal-text.ts";
import type { FleetVerdict } from "./cluster.ts";
import { CELLS, type Fleet, LEGEND, formatCluster, formatFleetHeadline } from "./fleet.ts";
import { buildOverview } from "./fleet-overview.ts";
import { groupProblems, UNSAID_HEADING } from "./fleet-page.ts";

export type FleetTableOptions = { readonly colour: boolean; readonly width: number };

/** What leads to more clear clusters; the other risks are named above their columns. */
const MAX_FIXES = 8;

/** For people: what to mend, the clusters by risks, and the clusters without a current result with the reason of each. */
export function formatFleetTable(fleet: Fleet, { colour, width }: FleetTableOptions): string {
  const paint = createPainter(colour);
  const frame: Frame = { paint, options: { width } };
  const sections = [
    wrapText("", formatFleetHeadline(fleet), width).map((line) => paint("bold", line)),
    ...buildOverview(fleet, MAX_FIXES).map((block) => formatBlock(block, frame)),
    formatClusters(fleet, width, paint),
    formatProblems(fleet, width, paint),
    formatNames("Clear", "clear", fleet, frame),
    formatNames("Run the target already", "updated", fleet, frame),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

type Frame = { readonly paint: Painter; readonly options: { readonly width: number } };

/** Of an overview, which has texts and tables. */
function formatBlock(block: Block, frame: Frame): readonly string[] {
  if (block.kind === "table") return formatTable(block, frame).flat();
  return block.kind === "text" ? wrapText("", toPlainText(block.text), frame.options.width) : [];
}

/** A whole result without anything to do: these clusters are named, and have no row in the table. */
const DONE: readonly FleetVerdict[] = ["clear", "updated"];
const HEADINGS = ["CLUSTER", "FROM", "TO", "RESULT"] as const;
const MAX_NAME = 40;
/** Between two columns of marks. */
const STEP = 2;

/** Each risk is named above its column, with a line that leads there. Those that do not fit the width are counted. */
function formatClusters({ columns, risks }: Fleet, width: number, paint: Painter): readonly string[] {
  const clusters = columns.filter(({ verdict }) => !DONE.includes(verdict));
  if (clusters.length === 0) return [];
  const rows = clusters.map((cluster) => formatCluster({ ...cluster, name: shorten(cluster.name) }).map(toLine));
  const widths = HEADINGS.map((heading, i) => Math.max(heading.length, ...rows.map((row) => (row[i] ?? "").length)));
  const join = (cells: readonly string[]): string => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ");
  const names = risks.map(nameRisk);
  const start = Math.max(join(HEADINGS).length, ...names.map((name) => name.length)) + STEP;
  const shown = risks.slice(0, Math.max(Math.floor((width - start + 1) / STEP), 1));
  const lead = (text: string): string => text.padEnd(start);
  const mark = ({ kind }: Cell): string => {
    const text = CELLS[kind].mark;
    if (kind === "risk") return paint("red", text);
    return kind === "unknown" ? paint("yellow", text) : text;
  };
  const more = risks.length - shown.length;
  return [
    ...(risks.length > 0 ? [paint("bold", "Risks (see preflight explain RISK), each above its column")] : []),
    ...names.slice(0, shown.length).map((name, i) => formatStair(name, start, i)),
    paint("bold", `${lead(join(HEADINGS))}${shown.map(() => "|").join(" ")}`.trimEnd()),
    ...clusters.map((cluster, i) =>
      `${lead(join(rows[i] ?? []))}${shown.map((risk) => mark(getCell(cluster, risk))).join(" ")}`.trimEnd(),
    ),
    ...(risks.length > 0 ? ["", LEGEND] : []),
    ...(more > 0 ? [`${formatCount(more, "more risk")} did not fit the width: see -o html, csv or json`] : []),
  ];
}

function nameRisk({ name, count }: TableRisk): string {
  return `${toLine(name)}, ${formatCount(count, "cluster")}`;
}

/** "BrokenRisk, 2 clusters ------|-+", above the columns of the risks before it and of its own. */
function formatStair(name: string, start: number, column: number): string {
  return `${`${name} `.padEnd(start, "-")}${"|-".repeat(column)}+`;
}

function shorten(name: string): string {
  const line = toLine(name);
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1)}…` : line;
}

function formatProblems(fleet: Fleet, width: number, paint: Painter): readonly string[] {
  const lines = groupProblems(fleet).flatMap(({ lead, text }) => [
    ...wrapText("  ", lead, width),
    ...wrapText("    ", text, width),
  ]);
  return lines.length === 0 ? [] : [paint("bold", UNSAID_HEADING), ...lines];
}

function formatNames(
  heading: string,
  verdict: FleetVerdict,
  { columns }: Fleet,
  { paint, options }: Frame,
): readonly string[] {
  const names = columns.filter((cluster) => cluster.verdict === verdict).map(({ name }) => name);
  if (names.length === 0) return [];
  return [paint("bold", `${heading} (${names.length})`), ...wrapText("  ", toLine(names.join(", ")), options.width)];
}
