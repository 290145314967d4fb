import { capitalize, formatCount } from "../../model/text.ts";
import { type Cell, getCell, type TableRisk } from "../result/risk-table.ts";
import { escapeMarkup, formatText } from "../text/html-parts.ts";
import { findProblem, type FleetCluster } from "./cluster.ts";
import { CELLS, type Fleet, MARKED, formatVerdict } from "./fleet.ts";
import { describeWave, NO_GROUP } from "./fleet-overview.ts";
import { findWave, type Wave, WAVE_WORDS, WAVES } from "./waves.ts";

const TOOLBAR =
  '<form id="toolbar" class="toolbar" hidden><label>Filter the clusters <input id="filter" type="search" placeholder="name, group, risk"></label><p id="shown" class="soft" role="status"></p></form>';

const KEY =
  "The number in a tile is how many fixes are left: ✓ is clear now, ? can't be said, – runs the target already. Each leads to the cluster's row below.";

/** Every cluster in sight, by group: how far each is from being clear. */
export function formatClusterTiles({ columns, groups }: Fleet): readonly string[] {
  if (columns.length === 0) return [];
  const numbers = new Map(columns.map((cluster, i) => [cluster, i + 1]));
  const own = groups.length === 0 ? [{ clusters: columns }] : groups;
  return [
    TOOLBAR,
    `<section><h2>Clusters <span class="count">${columns.length}</span></h2><p class="soft key">${KEY}</p>`,
    ...own.map((group) => formatGroup(group, groups.length > 0, numbers)),
    "</section>",
  ];
}

type TileGroup = { readonly name?: string; readonly clusters: readonly FleetCluster[] };

function formatGroup(
  { name = NO_GROUP, clusters }: TileGroup,
  isNamed: boolean,
  numbers: ReadonlyMap<FleetCluster, number>,
): string {
  const waves = Map.groupBy(clusters, findWave);
  const counts = WAVES.flatMap((wave) => (waves.has(wave) ? `${waves.get(wave)?.length} ${WAVE_WORDS[wave]}` : []));
  const heading = `<h3>${escapeMarkup(name)} <span class="count">${clusters.length}</span> <span class="soft">${counts.join(", ")}</span></h3>`;
  const names = clusters.map((cluster) => cluster.name);
  const start = findCommonStart(names);
  const width = Math.min(Math.max(...names.map(({ length }) => length - start)), MAX_TILE_NAME);
  const tiles = WAVES.flatMap((wave) =>
    (waves.get(wave) ?? []).map((one) => formatTile(one, { wave, start, numbers })),
  );
  return `<div class="of">${isNamed ? heading : ""}<ul class="chips" style="--chars:${width}">${tiles.join("")}</ul></div>`;
}

/** Characters; a longer name is cut. */
const MAX_TILE_NAME = 24;

/** The length of what all names of a group begin with, up to a separator: it says nothing in a tile. */
function findCommonStart(names: readonly string[]): number {
  const [first = "", ...others] = names;
  const starts = [...first.matchAll(/[-._/]/g)].map(({ index }) => index + 1);
  const common = starts.findLast((start) => others.every((name) => name.startsWith(first.slice(0, start))));
  return others.length === 0 ? 0 : (common ?? 0);
}

type TilePlace = { readonly wave: Wave; readonly start: number; readonly numbers: ReadonlyMap<FleetCluster, number> };

function formatTile(cluster: FleetCluster, { wave, start, numbers }: TilePlace): string {
  const { name, outlook } = cluster;
  const sign =
    outlook.kind === "fixes" ? `${outlook.fixes.length || "✓"}` : { notSaid: "?", updated: "–" }[outlook.kind];
  const own = escapeMarkup(name.slice(start));
  // What is not seen of a name is read aloud.
  const whole = start === 0 ? own : `<i>${escapeMarkup(name.slice(0, start))}</i>${own}`;
  return `<li><a class="chip ${wave}" href="#cluster-${numbers.get(cluster)}" title="${escapeMarkup(name)}"><b aria-hidden="true">${sign}</b><span>${whole}</span><span class="hidden">(${WAVE_WORDS[wave]})</span></a></li>`;
}

/** In the type of a page, these are easier to see. */
const SYMBOLS: Readonly<Record<string, string>> = { ".": "·", "-": "–", " ": "" };

function formatMark(mark: string): string {
  return SYMBOLS[mark] ?? mark;
}

/** What fits the width of a page, so that nothing scrolls within it. */
const MAX_COLUMNS = 16;
/** Fewer clusters need no folding. */
const MAX_OPEN = 20;

/** Clusters by risks, those of a wave together. On a narrow screen, each cluster is a block that names its risks. */
export function formatWaves(fleet: Fleet, reports: ReadonlyMap<string, string>): readonly string[] {
  const { columns, risks } = fleet;
  if (columns.length === 0) return [];
  const legend = `${MARKED.map(({ mark, word }) => `<b>${formatMark(mark)}</b> ${word}`).join(", ")}.`;
  const rows = columns.map((cluster, i) => ({ cluster, number: i + 1, report: reports.get(cluster.name) }));
  const waves = Map.groupBy(rows, ({ cluster }) => findWave(cluster));
  return [
    "<section><h2>Clusters by risks</h2>",
    risks.length === 0 ? "" : `<p class="soft legend">${legend}</p>`,
    ...WAVES.flatMap((wave) => formatWave(wave, waves.get(wave) ?? [], fleet)),
    "</section>",
  ];
}

type Row = { readonly cluster: FleetCluster; readonly number: number; readonly report: string | undefined };

/** A wave's table has the risks that a cluster of it has. */
function formatWave(wave: Wave, rows: readonly Row[], fleet: Fleet): readonly string[] {
  if (rows.length === 0) return [];
  const names = new Set(rows.flatMap(({ cluster }) => cluster.risks.map(({ name }) => name)));
  const risks = fleet.risks.filter(({ name }) => names.has(name));
  const heading = capitalize(WAVE_WORDS[wave]);
  const what = describeWave(
    wave,
    rows.map(({ cluster }) => cluster),
  );
  const headings = risks.map(
    ({ name }) =>
      `<th scope="col" class="name"><a href="#${escapeMarkup(name)}"><span>${escapeMarkup(name)}</span></a></th>`,
  );
  return [
    `<div class="card wave ${wave}" id="wave-${wave}"><details class="fold"${fleet.columns.length > MAX_OPEN ? "" : " open"}><summary><h3>${heading}</h3><span class="badge">${formatCount(rows.length, "cluster")}</span><span class="soft">${escapeMarkup(what)}</span></summary>`,
    `<div class="wide matrix${risks.length > MAX_COLUMNS ? " many" : ""}" tabindex="0" role="region" aria-label="${heading}"><table>`,
    `<thead><tr><th scope="col">Cluster</th><th scope="col">Update</th><th scope="col">Result</th>${headings.join("")}</tr></thead><tbody>`,
    ...rows.map((row) => formatRow(row, risks)),
    "</tbody></table></div></details></div>",
  ];
}

function formatRow({ cluster, number, report }: Row, risks: readonly TableRisk[]): string {
  const cells = risks.map((risk) => getCell(cluster, risk).kind);
  const name = escapeMarkup(cluster.name);
  return [
    `<tr id="cluster-${number}"${cluster.group === undefined ? "" : ` data-group="${escapeMarkup(cluster.group)}"`}>`,
    `<th scope="row">${report === undefined ? name : `<a href="${escapeMarkup(report)}">${name}</a>`}</th>`,
    `<td class="update">${escapeMarkup(formatUpdate(cluster))}</td>`,
    `<td class="result ${cluster.verdict}">${formatResult(cluster)}</td>`,
    ...cells.map(formatCell),
    formatNames(cells, risks),
    "</tr>",
  ].join("");
}

function formatUpdate({ sourceVersion: source, targetVersion: target }: FleetCluster): string {
  if (source === undefined && target === undefined) return "–";
  return `${source ?? "unknown"} → ${target ?? "unknown"}`;
}

/** With the reason, if there is no whole result. */
function formatResult(cluster: FleetCluster): string {
  const problem = findProblem(cluster);
  const reason =
    problem === undefined ? "" : `<p><b>${escapeMarkup(problem.reason)}</b>: ${formatText(problem.message)}</p>`;
  return `<strong>${escapeMarkup(formatVerdict(cluster))}</strong>${reason}`;
}

function formatCell(cell: Cell["kind"]): string {
  const { mark, word } = CELLS[cell];
  return `<td class="mark ${cell}"><span aria-hidden="true">${formatMark(mark)}</span><span class="hidden">${word}</span></td>`;
}

/** What takes the place of the marks on a narrow screen. */
function formatNames(cells: readonly Cell["kind"][], risks: readonly TableRisk[]): string {
  const items = cells.flatMap((cell, i) => {
    if (cell !== "risk" && cell !== "unknown" && cell !== "accepted") return [];
    const name = escapeMarkup(risks[i]?.name ?? "");
    const note = cell === "risk" ? "" : ` <span class="soft">(${CELLS[cell].word})</span>`;
    return [`<li class="${cell}"><a href="#${name}">${name}</a>${note}</li>`];
  });
  return items.length === 0 ? "" : `<td class="names"><ul>${items.join("")}</ul></td>`;
}
