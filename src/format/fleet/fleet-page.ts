import { formatCount } from "../../model/text.ts";
import { formatTime } from "../../model/time.ts";
import { type Cell, getCell } from "../result/risk-table.ts";
import type { Block, Card, Item, Page, PageDecision } from "../text/page.ts";
import { buildListSection } from "../view/lists.ts";
import { EFFECT_HEADINGS, getEffect } from "../view/view.ts";
import { type FleetCluster, type FleetVerdict, FLEET_VERDICTS } from "./cluster.ts";
import { type Fleet, isOpen } from "./fleet.ts";
import { toLine } from "../../model/visible-text.ts";
import { type Painter, createPainter, wrapText } from "../text/terminal-text.ts";

export const COUNT_WORDS: Readonly<Record<FleetVerdict, string>> = {
  risk: "with risks",
  failed: "could not be checked",
  invalid: "with an invalid result",
  stale: "with a stale result",
  running: "without a result yet",
  incomplete: "incomplete",
  clear: "clear",
  updated: "already updated",
};

type CellWords = { readonly mark: string; readonly word: string };

/** A mark for each cell of the clusters by risks, and what it means. */
export const CELLS: Readonly<Record<Cell["kind"], CellWords>> = {
  risk: { mark: "!", word: "risk" },
  accepted: { mark: "a", word: "accepted" },
  unknown: { mark: "?", word: "could not be checked" },
  clear: { mark: ".", word: "clear" },
  notApplicable: { mark: "-", word: "does not apply" },
  notRun: { mark: " ", word: "no result" },
};

/** What has no mark needs no word. */
export const MARKED = Object.values(CELLS).filter(({ mark }) => mark !== " ");
const LEGEND = MARKED.map(({ mark, word }) => `${mark} ${word}`).join("   ");

/** The clusters by risks, why some have no whole result, and what each risk is and where. */
export function buildFleetPage(fleet: Fleet): Page {
  const headline = formatFleetHeadline(fleet);
  const cards = buildRiskCards(fleet).map((card, i) => ({ ...card, title: `Risk ${i + 1}: ${card.title}` }));
  return {
    title: formatFleetTitle(fleet),
    headline: { text: headline },
    lines: [{ text: `Written at ${formatTime(fleet.observedAt)}` }],
    decision: { ...decideFleet(fleet), basis: headline },
    blocks: [
      ...buildTable(fleet),
      ...buildListSection("Without a whole result", groupProblems(fleet)),
      { kind: "section", heading: "Risks (see preflight explain RISK)", blocks: cards },
    ],
  };
}

export function formatFleetTitle({ target }: Fleet): string {
  return `Fleet${target === undefined ? "" : ` to ${target}`}`;
}

/** "12 clusters to 4.20: 3 with risks, 1 could not be checked, 8 clear" */
function formatFleetHeadline({ columns, counts, target }: Fleet): string {
  const to = target === undefined ? "" : ` to ${target}`;
  const parts = FLEET_VERDICTS.flatMap((verdict) =>
    counts[verdict] > 0 ? `${counts[verdict]} ${COUNT_WORDS[verdict]}` : [],
  );
  if (columns.length === 0) return `No cluster was checked${to === "" ? "" : ` for the update${to}`}: none is selected`;
  return `${formatCount(columns.length, "cluster")}${to}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
}

export function decideFleet({ counts, columns }: Fleet): Pick<PageDecision, "kind" | "words"> {
  if (counts.risk > 0) return { kind: "risk", words: "Not every cluster can be updated yet" };
  if (columns.length === 0) return { kind: "nothing", words: "No cluster was checked" };
  if (counts.clear + counts.updated < columns.length)
    return { kind: "incomplete", words: "Not decided: some clusters have no whole result" };
  if (counts.clear === 0) return { kind: "nothing", words: "Every cluster runs the target already" };
  const which = counts.updated > 0 ? " that does not run the target yet" : "";
  return { kind: "clear", words: `No unaccepted risk was found on any cluster${which}` };
}

/** A cluster's result in a word or two: "2 risks", "failed", "clear". */
export function formatVerdict({ verdict, risks }: FleetCluster): string {
  return verdict === "risk" ? formatCount(risks.filter(isOpen).length, "risk") : verdict;
}

/** The first texts of a cluster's row. */
function formatCluster(cluster: FleetCluster): readonly string[] {
  return [cluster.name, cluster.sourceVersion ?? "-", cluster.targetVersion ?? "-", formatVerdict(cluster)];
}

function buildTable({ columns, risks }: Fleet): readonly Block[] {
  if (columns.length === 0) return [];
  const rows = columns.map((cluster) => [
    ...formatCluster(cluster),
    ...risks.map((risk) => CELLS[getCell(cluster, risk).kind].mark),
  ]);
  return [
    { kind: "text", text: `The worst cluster comes first; each number is a risk below: ${LEGEND}` },
    { kind: "table", head: ["Cluster", "From", "To", "Result", ...risks.map((_, i) => `${i + 1}`)], rows },
  ];
}

/** Without the address of a risk, which is a text of whoever wrote the result. */
export function buildRiskCards(fleet: Fleet): readonly Card[] {
  return fleet.risks.map((risk) => ({
    kind: "card",
    title: risk.name,
    tone: risk.unknown ? "unknown" : getEffect(risk),
    badge: risk.unknown ? "Could not be checked" : EFFECT_HEADINGS[getEffect(risk)],
    mark: formatCount(risk.count, "cluster"),
    items: groupMessages(risk.name, fleet),
  }));
}

/** What is said of clusters; `lead`: their names. */
type ClusterNote = Item & { readonly lead: string; readonly text: string };

/** Why clusters have no whole result. A wrong network or a wrong release fails many of them. */
function groupProblems({ columns }: Fleet): readonly ClusterNote[] {
  return groupByText(
    columns.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [{ lead: name, text: `${problem.reason}: ${problem.message}` }],
    ),
  );
}

/** What a risk's message is on each cluster that has it. */
function groupMessages(risk: string, { columns }: Fleet): readonly ClusterNote[] {
  return groupByText(
    columns.flatMap(({ name, risks }) => {
      const own = risks.find((one) => one.name === risk);
      return own === undefined ? [] : [{ lead: `${name}${own.isAccepted ? " (accepted)" : ""}`, text: own.message }];
    }),
  );
}

/** Clusters of which the same is said are one entry. */
function groupByText(notes: readonly ClusterNote[]): readonly ClusterNote[] {
  const groups = Map.groupBy(notes, ({ text }) => text);
  return [...groups].map(([text, own]) => ({ lead: own.map(({ lead }) => lead).join(", "), text }));
}

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
