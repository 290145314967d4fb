import { FLEET_VERDICTS, type FleetMatrix } from "../../model/fleet.ts";
import { formatTime } from "../../model/time.ts";
import { formatMoment, formatName, formatText } from "../text/html/parts.ts";
import { formatDecisionPanel, formatPage } from "../text/html/shell.ts";
import { escapeMarkup } from "../text/markup.ts";
import type { Card, Item } from "../text/page.ts";
import { FLEET_SCRIPT, FLEET_SCRIPT_HASH, FLEET_STYLE } from "./fleet-html-assets.ts";
import { formatMatrix, getAnchor } from "./fleet-html-matrix.ts";
import { buildRiskCards, decideFleet } from "./fleet-page.ts";
import { COUNT_WORDS, formatFleetTitle } from "./fleet-words.ts";
import { formatCount } from "../../model/count.ts";

export type FleetPageOptions = {
  /** Relative addresses of the clusters' own pages, by the names of the clusters. */
  readonly reports?: ReadonlyMap<string, string>;
};

/** The decision, a tile for each kind of result, the matrix with ways to the risks, and what each risk is and where. */
export function formatFleetHtml(matrix: FleetMatrix, { reports = new Map() }: FleetPageOptions = {}): string {
  const title = formatFleetTitle(matrix);
  return formatPage({
    title: `Preflight: ${title}`,
    style: FLEET_STYLE,
    script: FLEET_SCRIPT,
    scriptHash: FLEET_SCRIPT_HASH,
    header: [
      '<p class="soft">Preflight</p>',
      `<h1>${escapeMarkup(title)}</h1>`,
      formatMoment("Written", formatTime(matrix.observedAt)),
    ],
    main: [
      formatDecisionPanel(decideFleet(matrix), formatBasis(matrix), formatTiles(matrix)),
      ...formatMatrix(matrix, reports),
      ...formatRisks(matrix),
    ],
  });
}

function formatBasis({ clusters, risks }: FleetMatrix): string {
  return `${formatCount(clusters.length, "cluster")}, ${formatCount(risks.filter(({ unknown }) => !unknown).length, "risk")}.`;
}

/** The way to the first cluster of each kind, since those of a kind are together. */
function formatTiles({ counts }: FleetMatrix): readonly string[] {
  return FLEET_VERDICTS.flatMap((verdict) =>
    counts[verdict] === 0
      ? []
      : `<li><a class="tile ${verdict}" href="#${getAnchor(verdict)}"><b>${counts[verdict]}</b> ${COUNT_WORDS[verdict]}</a></li>`,
  );
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
    `<article class="card ${tone}" id="risk-${number}"><header><h3>${formatName(title)}</h3><span class="badge">${badge}</span><span class="badge plain">${mark}</span></header>`,
    `<details><summary>What it says on each cluster</summary><ul class="lines">${items.map(formatNote).join("")}</ul></details>${link}</article>`,
  ].join("");
}

function formatNote({ lead = "", text }: Item): string {
  return `<li><strong>${escapeMarkup(lead)}</strong><br>${formatText(text)}</li>`;
}
