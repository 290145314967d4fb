import type { FleetCell, FleetCluster, FleetMatrix, FleetRisk } from "../../model/fleet.ts";
import { formatTime } from "../../model/time.ts";
import { formatText } from "../text/html/parts.ts";
import { formatDecisionPanel, formatPage } from "../text/html/shell.ts";
import { escapeMarkup } from "../text/markup.ts";
import type { Card, Item } from "../text/page.ts";
import { FLEET_SCRIPT, FLEET_SCRIPT_HASH, FLEET_STYLE } from "./fleet-html-assets.ts";
import { buildRiskCards, decideFleet } from "./fleet-page.ts";
import { formatFleetHeadline, formatFleetTitle, formatVerdict, groupProblems } from "./fleet-words.ts";
import { getCell } from "./matrix.ts";

/** The decision, the matrix with ways to the risks, why clusters have no result, and what each risk is and where. */
export function formatFleetHtml(matrix: FleetMatrix): string {
  const title = formatFleetTitle(matrix);
  return formatPage({
    title: `Preflight: ${title}`,
    style: FLEET_STYLE,
    script: FLEET_SCRIPT,
    scriptHash: FLEET_SCRIPT_HASH,
    header: [
      '<p class="soft">Preflight</p>',
      `<h1>${escapeMarkup(title)}</h1>`,
      `<p class="soft">Written at ${formatTime(matrix.observedAt)}</p>`,
    ],
    main: [
      formatDecisionPanel(decideFleet(matrix), formatFleetHeadline(matrix), []),
      ...formatMatrix(matrix),
      ...formatProblems(matrix),
      ...formatRisks(matrix),
    ],
  });
}

const FILTER =
  '<form id="toolbar" class="toolbar" hidden><label>Filter the clusters <input id="filter" type="search"></label><p id="shown" class="soft" role="status"></p></form>';

/** A mark, and the word that a screen reader says. */
const CELLS: Readonly<Record<FleetCell, readonly [mark: string, word: string]>> = {
  risk: ["!", "risk"],
  accepted: ["a", "accepted"],
  unknown: ["?", "could not be checked"],
  clear: ["·", "clear"],
  notApplicable: ["–", "does not apply"],
  notRun: ["", "no result"],
};

function formatMatrix(matrix: FleetMatrix): readonly string[] {
  const { clusters, risks } = matrix;
  if (clusters.length === 0) return [];
  const headings = risks.map(
    ({ name }, i) =>
      `<th scope="col"><a href="#risk-${i + 1}" title="${escapeMarkup(name)}"><span class="hidden">${escapeMarkup(name)}</span><span aria-hidden="true">${i + 1}</span></a></th>`,
  );
  const legend = Object.values(CELLS)
    .filter(([mark]) => mark !== "")
    .map(([mark, word]) => `<b>${mark}</b> ${word}`);
  return [
    FILTER,
    '<section><h2 id="matrix">Clusters by risks</h2>',
    `<p class="soft">The worst cluster comes first; each number is a risk below. ${legend.join(", ")}.</p>`,
    '<div class="wide" tabindex="0" role="region" aria-labelledby="matrix"><table>',
    `<thead><tr><th scope="col">Cluster</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Result</th>${headings.join("")}</tr></thead><tbody>`,
    ...clusters.map((cluster) => formatRow(cluster, risks)),
    "</tbody></table></div></section>",
  ];
}

function formatRow(cluster: FleetCluster, risks: readonly FleetRisk[]): string {
  const { name, verdict, source = "–", target = "–" } = cluster;
  const cells = risks.map((risk) => {
    const cell = getCell(cluster, risk);
    const [mark, word] = CELLS[cell];
    return `<td class="${cell}"><span aria-hidden="true">${mark}</span><span class="hidden">${word}</span></td>`;
  });
  const words = [source, target, formatVerdict(cluster)].map((text) => `<td>${escapeMarkup(text)}</td>`);
  return `<tr class="${verdict}"><th scope="row">${escapeMarkup(name)}</th>${words.join("")}${cells.join("")}</tr>`;
}

function formatProblems(matrix: FleetMatrix): readonly string[] {
  const notes = groupProblems(matrix).map(formatNote);
  if (notes.length === 0) return [];
  return ['<section><h2>Without a whole result</h2><ul class="lines">', ...notes, "</ul></section>"];
}

function formatRisks(matrix: FleetMatrix): readonly string[] {
  const cards = buildRiskCards(matrix).map((card, i) => formatRisk(card, i + 1, matrix.risks[i]?.url));
  return cards.length === 0 ? [] : ["<section><h2>Risks</h2>", ...cards, "</section>"];
}

function formatRisk({ title, tone, badge = "", mark = "", items }: Card, number: number, url = ""): string {
  const name = escapeMarkup(title);
  const link =
    url === ""
      ? ""
      : `<footer><a href="${escapeMarkup(url)}" rel="noreferrer">Documentation<span class="hidden"> of ${name}</span></a></footer>`;
  return [
    `<article class="card ${tone}" id="risk-${number}"><header><h3>${number}. ${name}</h3><span class="badge">${badge}</span><span class="badge plain">${mark}</span></header>`,
    `<details><summary>What it says on each</summary><ul class="lines">${items.map(formatNote).join("")}</ul></details>${link}</article>`,
  ].join("");
}

function formatNote({ lead = "", text }: Item): string {
  return `<li><strong>${escapeMarkup(lead)}</strong><br>${formatText(text)}</li>`;
}
