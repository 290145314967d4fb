import { formatCount } from "../../model/text.ts";
import { formatTime } from "../../model/time.ts";
import { type Cell, getCell } from "../result/risk-table.ts";
import { formatMoment, formatName, formatText, escapeMarkup } from "../text/html-parts.ts";
import { formatDecisionPanel, formatPage, COMMON_SCRIPT } from "../text/html-shell.ts";
import type { Card } from "../text/page.ts";
import { FLEET_VERDICTS, type FleetCluster, type FleetVerdict } from "./cluster.ts";
import type { Fleet } from "./fleet.ts";
import {
  buildRiskCards,
  CELLS,
  COUNT_WORDS,
  decideFleet,
  formatFleetTitle,
  formatVerdict,
  MARKED,
} from "./fleet-page.ts";

export type FleetPageOptions = {
  /** Relative addresses of the clusters' own pages, by the names of the clusters. */
  readonly reports?: ReadonlyMap<string, string>;
};

/** The decision, a tile for each kind of result, the matrix with ways to the risks, and what each risk is and where. */
export function formatFleetHtml(fleet: Fleet, { reports = new Map() }: FleetPageOptions = {}): string {
  const title = formatFleetTitle(fleet);
  const { columns, risks } = fleet;
  const basis = `${formatCount(columns.length, "cluster")}, ${formatCount(risks.filter(({ unknown }) => !unknown).length, "risk")}.`;
  return formatPage({
    title: `Preflight: ${title}`,
    style: FLEET_STYLE,
    script: FLEET_SCRIPT,
    scriptHash: FLEET_SCRIPT_HASH,
    header: [
      '<p class="soft">Preflight</p>',
      `<h1>${escapeMarkup(title)}</h1>`,
      formatMoment("Written", formatTime(fleet.observedAt)),
    ],
    main: [
      formatDecisionPanel(decideFleet(fleet), basis, formatTiles(fleet)),
      ...formatMatrix(fleet, reports),
      ...formatRisks(fleet),
    ],
  });
}

/** Of the first row with such a result. */
function getAnchor(verdict: FleetVerdict): string {
  return `clusters-${verdict}`;
}

/** The way to the first cluster of each kind, since those of a kind are together. */
function formatTiles({ counts }: Fleet): readonly string[] {
  return FLEET_VERDICTS.flatMap((verdict) =>
    counts[verdict] === 0
      ? []
      : `<li><a class="tile ${verdict}" href="#${getAnchor(verdict)}"><b>${counts[verdict]}</b> ${COUNT_WORDS[verdict]}</a></li>`,
  );
}

const FILTER =
  '<form id="toolbar" class="toolbar" hidden><label>Filter the clusters <input id="filter" type="search"></label><p id="shown" class="soft" role="status"></p></form>';

/** In the type of a page, these are easier to see. */
const SYMBOLS: Readonly<Record<string, string>> = { ".": "·", "-": "–", " ": "" };

function formatMark(mark: string): string {
  return SYMBOLS[mark] ?? mark;
}

/** What fits the width of a page, so that nothing scrolls within it. */
const MAX_COLUMNS = 16;

/** Clusters by risks. On a narrow screen, each cluster is a block that names its risks. */
function formatMatrix(fleet: Fleet, reports: ReadonlyMap<string, string>): readonly string[] {
  const { columns, risks } = fleet;
  if (columns.length === 0) return [];
  const legend = `${MARKED.map(({ mark, word }) => `<b>${formatMark(mark)}</b> ${word}`).join(", ")}.`;
  const headings = risks.map(
    ({ name }, i) =>
      `<th scope="col" class="name"><a href="#risk-${i + 1}"><span>${escapeMarkup(name)}</span></a></th>`,
  );
  return [
    FILTER,
    '<section><h2 id="matrix">Clusters by risks</h2>',
    `<p class="soft">The worst cluster comes first.${risks.length === 0 ? "" : `<span class="legend"> ${legend}</span>`}</p>`,
    `<div class="wide matrix${risks.length > MAX_COLUMNS ? " many" : ""}" tabindex="0" role="region" aria-labelledby="matrix"><table>`,
    `<thead><tr><th scope="col">Cluster</th><th scope="col">Update</th><th scope="col">Result</th>${headings.join("")}</tr></thead><tbody>`,
    ...columns.map((cluster, i) => {
      const isFirst = cluster.verdict !== columns[i - 1]?.verdict;
      return formatRow(cluster, fleet, isFirst, reports.get(cluster.name));
    }),
    "</tbody></table></div></section>",
  ];
}

function formatRow(cluster: FleetCluster, { risks }: Fleet, isFirst: boolean, report: string | undefined): string {
  const { verdict } = cluster;
  const cells = risks.map((risk) => getCell(cluster, risk).kind);
  const name = escapeMarkup(cluster.name);
  return [
    `<tr class="${verdict}"${isFirst ? ` id="${getAnchor(verdict)}"` : ""}>`,
    `<th scope="row">${report === undefined ? name : `<a href="${escapeMarkup(report)}">${name}</a>`}</th>`,
    `<td class="update">${escapeMarkup(formatUpdate(cluster))}</td>`,
    `<td class="result">${formatResult(cluster)}</td>`,
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
  const { problem } = cluster;
  const reason =
    problem === undefined ? "" : `<p><b>${escapeMarkup(problem.reason)}</b>: ${formatText(problem.message)}</p>`;
  return `<strong>${escapeMarkup(formatVerdict(cluster))}</strong>${reason}`;
}

function formatCell(cell: Cell["kind"]): string {
  const { mark, word } = CELLS[cell];
  return `<td class="mark ${cell}"><span aria-hidden="true">${formatMark(mark)}</span><span class="hidden">${word}</span></td>`;
}

/** What takes the place of the marks on a narrow screen. */
function formatNames(cells: readonly Cell["kind"][], risks: Fleet["risks"]): string {
  const items = cells.flatMap((cell, i) => {
    if (cell !== "risk" && cell !== "unknown" && cell !== "accepted") return [];
    const note = cell === "risk" ? "" : ` <span class="soft">(${CELLS[cell].word})</span>`;
    return [`<li class="${cell}"><a href="#risk-${i + 1}">${escapeMarkup(risks[i]?.name ?? "")}</a>${note}</li>`];
  });
  return items.length === 0 ? "" : `<td class="names"><ul>${items.join("")}</ul></td>`;
}

function formatRisks(fleet: Fleet): readonly string[] {
  const cards = buildRiskCards(fleet).map((card, i) => formatRisk(card, i + 1, fleet.risks[i]?.url));
  return cards.length === 0 ? [] : ["<section><h2>Risks</h2>", ...cards, "</section>"];
}

function formatRisk({ title, tone, badge = "", mark = "", items = [] }: Card, number: number, url = ""): string {
  const name = escapeMarkup(title);
  const notes = items.map(({ lead = "", text }) => {
    return `<li><strong>${escapeMarkup(lead)}</strong><br>${formatText(text)}</li>`;
  });
  const link =
    url === ""
      ? ""
      : `<footer><a href="${escapeMarkup(url)}" rel="noreferrer">Documentation<span class="hidden"> of ${name}</span></a></footer>`;
  return [
    `<article class="card ${tone}" id="risk-${number}"><header><h3>${formatName(title)}</h3><span class="badge">${badge}</span><span class="badge plain">${mark}</span></header>`,
    `<details><summary>What it says on each cluster</summary><ul class="lines">${notes.join("")}</ul></details>${link}</article>`,
  ].join("");
}

/** Added to the style of every page: names of clusters and of risks stay in sight. */
const FLEET_STYLE = `
body{max-width:72rem}.matrix{overflow:visible}.many.matrix{max-height:90vh;overflow:auto;position:relative}.matrix td{vertical-align:middle}
.matrix thead th{background:var(--card);position:sticky;top:0;vertical-align:bottom;z-index:2}.matrix thead th:first-child{left:0;z-index:3}
.matrix tbody th{background:var(--card);left:0;max-width:40vw;min-width:11rem;position:sticky;vertical-align:middle;z-index:1}
.matrix th:first-child{border-radius:.8rem 0 0}.matrix thead th:last-child{border-radius:0 .8rem 0 0}.matrix tbody th:first-child{border-radius:0}.matrix tbody tr:last-child th{border-radius:0 0 0 .8rem}
.matrix .name{font-weight:400;padding:.6rem .3rem;text-align:center}.name span{display:inline-block;line-height:1.3;transform:rotate(180deg);white-space:nowrap;writing-mode:vertical-rl}
.update{white-space:nowrap}.result p{color:var(--soft);font-size:.85rem;margin:.15rem 0 0;min-width:16rem}.result b{font-weight:600}
.mark{text-align:center}.mark.risk{color:var(--refused);font-weight:700}.mark.unknown{color:var(--unknown);font-weight:700}.mark.clear,.mark.notApplicable{color:var(--soft)}
tr.risk .result strong{color:var(--refused)}tr.clear .result strong,tr.updated .result strong{color:var(--good)}.matrix td.names{display:none}article details{margin-top:.4rem}tbody tr:hover>*{background:var(--inset)}
.tile{--tone:var(--unknown)}.tile.risk{--tone:var(--refused)}.tile.clear,.tile.updated{--tone:var(--good)}tr[id]{scroll-margin-top:20rem}
@media(max-width:75rem){.matrix{overflow-x:auto}}
@media(max-width:40rem){.matrix,.many.matrix{background:none;border:0;border-radius:0;margin:0;max-height:none;overflow:visible}.matrix tbody tr{background:var(--card);border:1px solid var(--line);border-radius:.8rem;margin:0 0 .75rem;padding:.8rem .9rem;scroll-margin-top:1rem}.matrix tbody th{font-size:1rem;max-width:none;min-width:0;position:static}.matrix .mark,.legend{display:none}.matrix td.names{display:block}.names ul{list-style:none;margin:.4rem 0 0;padding:0}.names li{border-top:1px solid var(--line);padding:.4rem 0}.result p{min-width:0}tbody tr:hover>*{background:none}}
@media print{.matrix,.many.matrix{max-height:none;overflow:visible}.matrix thead th,.matrix tbody th{position:static}}
`.trim();

/** The page reads the same without it: it adds a filter of the clusters, and what every page has. */
export const FLEET_SCRIPT = `
const toolbar=document.getElementById("toolbar"),filter=document.getElementById("filter"),shown=document.getElementById("shown"),rows=[...document.querySelectorAll("tbody tr")];
if(toolbar&&rows.length>1){toolbar.hidden=false;toolbar.addEventListener("submit",event=>event.preventDefault());
filter.addEventListener("input",()=>{const word=filter.value.toLowerCase();for(const row of rows)row.hidden=!row.textContent.toLowerCase().includes(word);shown.textContent=word?rows.filter(row=>!row.hidden).length+" of "+rows.length+" clusters shown":""})}
${COMMON_SCRIPT}
`.trim();

/** Of the script, for the page's own policy: a test compares the two. */
export const FLEET_SCRIPT_HASH = "sha256-O42rlzQGTxkgz3yE6teNJFPtuedOdRa3pkhGzVa7vug=";
