import { formatCount } from "../../model/count.ts";
import { toLine } from "../../model/visible-text.ts";
import { type Cell, getCell } from "../result/risk-table.ts";
import { createPainter, type Painter } from "../text/painter.ts";
import { wrapText } from "../text/wrapping.ts";
import type { FleetVerdict } from "./cluster.ts";
import type { Fleet } from "./fleet.ts";
import { CELLS, formatCluster, formatFleetHeadline, groupProblems, LEGEND } from "./fleet-page.ts";

export type FleetTableOptions = { readonly colour: boolean; readonly width: number };

/** For people: the clusters by risks, the names of the risks, and the clusters without a current result with the reason of each. */
export function formatFleetTable(fleet: Fleet, { colour, width }: FleetTableOptions): string {
  const paint = createPainter(colour);
  const sections = [
    wrapText("", formatFleetHeadline(fleet), width).map((line) => paint("bold", line)),
    formatClusters(fleet, width, paint),
    formatRisks(fleet, paint),
    formatProblems(fleet, width, paint),
    formatNames("Clear", "clear", fleet, width, paint),
    formatNames("Run the target already", "updated", fleet, width, paint),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

/** A whole result without anything to do: these clusters are named, and have no row in the table. */
const DONE: readonly FleetVerdict[] = ["clear", "updated"];
const HEADINGS = ["CLUSTER", "FROM", "TO", "RESULT"] as const;
const MAX_NAME = 40;

/** Risks are numbered, since their names are too long for columns. Those that do not fit the width are counted. */
function formatClusters({ columns, risks }: Fleet, width: number, paint: Painter): readonly string[] {
  const clusters = columns.filter(({ verdict }) => !DONE.includes(verdict));
  if (clusters.length === 0) return [];
  const rows = clusters.map((cluster) => formatCluster({ ...cluster, name: shorten(cluster.name) }).map(toLine));
  const widths = HEADINGS.map((heading, i) => Math.max(heading.length, ...rows.map((row) => (row[i] ?? "").length)));
  const join = (cells: readonly string[]): string => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ");
  const cellWidth = String(risks.length).length + 1;
  const room = Math.floor((width - join(HEADINGS).length - 2) / cellWidth);
  const shown = risks.slice(0, Math.max(room, 1));
  const heading = shown.map((_, i) => String(i + 1).padStart(cellWidth)).join("");
  const mark = ({ kind }: Cell): string => {
    const text = CELLS[kind].mark.padStart(cellWidth);
    if (kind === "risk") return paint("red", text);
    return kind === "unknown" ? paint("yellow", text) : text;
  };
  const more = risks.length - shown.length;
  return [
    paint("bold", `${join(HEADINGS)} ${heading}`.trimEnd()),
    ...clusters.map((cluster, i) =>
      `${join(rows[i] ?? [])} ${shown.map((risk) => mark(getCell(cluster, risk))).join("")}`.trimEnd(),
    ),
    ...(risks.length > 0 ? ["", LEGEND] : []),
    ...(more > 0 ? [`${formatCount(more, "more risk")} did not fit the width: see -o html, csv or json`] : []),
  ];
}

function shorten(name: string): string {
  const line = toLine(name);
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1)}…` : line;
}

function formatRisks({ risks }: Fleet, paint: Painter): readonly string[] {
  if (risks.length === 0) return [];
  const digits = String(risks.length).length;
  const width = Math.max(...risks.map(({ name }) => name.length));
  const lines = risks.map(
    ({ name, count }, i) =>
      `  ${String(i + 1).padStart(digits)}  ${toLine(name).padEnd(width)}  ${formatCount(count, "cluster")}`,
  );
  return [paint("bold", "Risks (see preflight explain RISK)"), ...lines];
}

function formatProblems(fleet: Fleet, width: number, paint: Painter): readonly string[] {
  const lines = groupProblems(fleet).flatMap(({ lead, text }) => [
    ...wrapText("  ", lead, width),
    ...wrapText("    ", text, width),
  ]);
  return lines.length === 0 ? [] : [paint("bold", "Without a whole result"), ...lines];
}

function formatNames(
  heading: string,
  verdict: FleetVerdict,
  { columns }: Fleet,
  width: number,
  paint: Painter,
): readonly string[] {
  const names = columns.filter((cluster) => cluster.verdict === verdict).map(({ name }) => name);
  if (names.length === 0) return [];
  return [paint("bold", `${heading} (${names.length})`), ...wrapText("  ", toLine(names.join(", ")), width)];
}
