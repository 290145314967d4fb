import type { FleetCell, FleetCluster, FleetMatrix, FleetVerdict } from "../../model/fleet.ts";
import { formatCount } from "../../model/count.ts";
import { toLine } from "../../model/visible-text.ts";
import { createPainter, type Painter } from "../text/painter.ts";
import { wrapText } from "../text/wrapping.ts";
import { DONE, formatFleetHeadline, formatVerdict, groupProblems, LEGEND, MARKS } from "./fleet-words.ts";
import { getCell } from "./matrix.ts";

export type FleetTableOptions = { readonly colour: boolean; readonly width: number };

/** For people: the clusters by risks, the names of the risks, and the clusters without a current result with the reason of each. */
export function formatFleetTable(matrix: FleetMatrix, options: FleetTableOptions): string {
  const painter = createPainter(options.colour);
  const sections = [
    wrapText("", formatFleetHeadline(matrix), options.width).map(painter.bold),
    formatClusters(matrix, options, painter),
    formatRisks(matrix, painter),
    formatProblems(matrix, options, painter),
    formatNames("Clear", "clear", matrix, options, painter),
    formatNames("Run the target already", "updated", matrix, options, painter),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

const HEADINGS = ["CLUSTER", "FROM", "TO", "RESULT"] as const;
const MAX_NAME = 40;

/** Risks are numbered, since their names are too long for columns. Those that do not fit the width are counted. */
function formatClusters(
  { clusters, risks }: FleetMatrix,
  { width }: FleetTableOptions,
  { bold, red, yellow }: Painter,
): readonly string[] {
  const shown = clusters.filter(({ verdict }) => !DONE.includes(verdict));
  if (shown.length === 0) return [];
  const rows = shown.map(buildRow);
  const widths = HEADINGS.map((heading, i) => Math.max(heading.length, ...rows.map((row) => (row[i] ?? "").length)));
  const join = (cells: readonly string[]): string => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ");
  const cellWidth = String(risks.length).length + 1;
  const room = Math.floor((width - join(HEADINGS).length - 2) / cellWidth);
  const columns = risks.slice(0, Math.max(room, 1));
  const heading = columns.map((_, i) => String(i + 1).padStart(cellWidth)).join("");
  const mark = (cell: FleetCell): string => {
    const text = MARKS[cell].padStart(cellWidth);
    if (cell === "risk") return red(text);
    return cell === "unknown" ? yellow(text) : text;
  };
  const more = risks.length - columns.length;
  return [
    bold(`${join(HEADINGS)} ${heading}`.trimEnd()),
    ...shown.map((cluster, i) =>
      `${join(rows[i] ?? [])} ${columns.map((risk) => mark(getCell(cluster, risk))).join("")}`.trimEnd(),
    ),
    ...(risks.length > 0 ? ["", LEGEND] : []),
    ...(more > 0 ? [`${formatCount(more, "more risk")} did not fit the width: see -o html, csv or json`] : []),
  ];
}

function buildRow(cluster: FleetCluster): readonly string[] {
  const name = toLine(cluster.name);
  const short = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
  return [short, cluster.source ?? "-", cluster.target ?? "-", formatVerdict(cluster)].map(toLine);
}

function formatRisks({ risks }: FleetMatrix, { bold }: Painter): readonly string[] {
  if (risks.length === 0) return [];
  const digits = String(risks.length).length;
  const width = Math.max(...risks.map(({ name }) => name.length));
  const lines = risks.map(
    ({ name, clusters }, i) =>
      `  ${String(i + 1).padStart(digits)}  ${toLine(name).padEnd(width)}  ${formatCount(clusters, "cluster")}`,
  );
  return [bold("Risks (see preflight explain RISK)"), ...lines];
}

function formatProblems(matrix: FleetMatrix, { width }: FleetTableOptions, { bold }: Painter): readonly string[] {
  const lines = groupProblems(matrix).flatMap(({ lead, text }) => [
    ...wrapText("  ", lead, width),
    ...wrapText("    ", text, width),
  ]);
  return lines.length === 0 ? [] : [bold("Without a whole result"), ...lines];
}

function formatNames(
  heading: string,
  verdict: FleetVerdict,
  { clusters }: FleetMatrix,
  { width }: FleetTableOptions,
  { bold }: Painter,
): readonly string[] {
  const names = clusters.filter((cluster) => cluster.verdict === verdict).map(({ name }) => name);
  if (names.length === 0) return [];
  return [bold(`${heading} (${names.length})`), ...wrapText("  ", toLine(names.join(", ")), width)];
}
