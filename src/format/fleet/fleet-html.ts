import type { FleetCell, FleetCluster, FleetMatrix, FleetRisk } from "../../model/fleet.ts";
import { formatTime } from "../../model/time.ts";
import { formatCount } from "../count.ts";
import { STYLE } from "../reports/html/style.ts";
import { escapeMarkup } from "../reports/xml.ts";
import { EFFECT_HEADINGS } from "../work-order.ts";
import { FLEET_SCRIPT, FLEET_SCRIPT_HASH, FLEET_STYLE } from "./fleet-html-assets.ts";
import { formatFleetHeadline, formatVerdict } from "./fleet-words.ts";
import { getCell } from "./matrix.ts";

/** Nothing is loaded, and no script runs but the page's own. */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src '${FLEET_SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`;

/** One page without any other file: the decision, the matrix, why clusters have no result, and what each risk is and where. */
export function formatFleetHtml(matrix: FleetMatrix): string {
  const target = matrix.target === undefined ? "" : ` to ${escapeMarkup(matrix.target)}`;
  const title = `${formatCount(matrix.clusters.length, "cluster")}${target}`;
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="color-scheme" content="light dark">`,
    `<title>Preflight: ${title}</title><style>${STYLE}${FLEET_STYLE}</style></head><body>`,
    `<header class="top"><p class="soft">Preflight, ${formatTime(matrix.observedAt)}</p><h1>${title}</h1></header><main>`,
    formatDecision(matrix),
    ...formatMatrix(matrix),
    ...formatProblems(matrix),
    ...formatRisks(matrix),
    `</main><script>${FLEET_SCRIPT}</script></body></html>`,
    "",
  ].join("\n");
}

const SYMBOLS = { risk: "!", incomplete: "?", clear: "✓" } as const;
const WORDS = {
  risk: "Not every cluster can be updated yet",
  incomplete: "Not decided: some clusters have no whole result",
  clear: "No unaccepted risk was found on any cluster",
} as const;

function formatDecision(matrix: FleetMatrix): string {
  const { counts, clusters } = matrix;
  const kind = counts.risk > 0 ? "risk" : counts.clear < clusters.length ? "incomplete" : "clear";
  return [
    `<section class="decision ${kind}"><p class="words"><span class="symbol" aria-hidden="true">${SYMBOLS[kind]}</span><strong>${WORDS[kind]}.</strong></p>`,
    `<p>${escapeMarkup(formatFleetHeadline(matrix))}</p></section>`,
  ].join("");
}

/** Only a script can use it, and shows it. */
const TOOLBAR =
  '<form id="toolbar" class="toolbar" hidden><label>Filter <input id="filter" type="search" placeholder="cluster, version, result"></label><p id="shown" class="soft" role="status"></p></form>';

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
      `<th scope="col" class="cell"><a href="#risk-${i + 1}" title="${escapeMarkup(name)}"><span class="hidden">${escapeMarkup(name)}</span><span aria-hidden="true">${i + 1}</span></a></th>`,
  );
  const legend = Object.values(CELLS)
    .filter(([mark]) => mark !== "")
    .map(([mark, word]) => `<b>${mark}</b> ${word}`);
  return [
    '<section><h2 id="matrix">Clusters by risks</h2>',
    TOOLBAR,
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
    return `<td class="cell ${cell}"><span aria-hidden="true">${mark}</span><span class="hidden">${word}</span></td>`;
  });
  const words = [source, target].map((text) => `<td>${escapeMarkup(text)}</td>`);
  words.push(`<td class="verdict">${escapeMarkup(formatVerdict(cluster))}</td>`);
  return `<tr class="${verdict}"><th scope="row">${escapeMarkup(name)}</th>${words.join("")}${cells.join("")}</tr>`;
}

/** Clusters with the same reason and message are one entry. */
function formatProblems({ clusters }: FleetMatrix): readonly string[] {
  const groups = Map.groupBy(
    clusters.filter(({ problem }) => problem !== undefined),
    ({ problem }) => `${problem?.reason}: ${problem?.message}`,
  );
  if (groups.size === 0) return [];
  return [
    '<section><h2>Without a whole result</h2><ul class="lines">',
    ...[...groups].map(
      ([text, own]) =>
        `<li><strong>${escapeMarkup(own.map(({ name }) => name).join(", "))}</strong><br>${escapeMarkup(text)}</li>`,
    ),
    "</ul></section>",
  ];
}

function formatRisks({ clusters, risks }: FleetMatrix): readonly string[] {
  if (risks.length === 0) return [];
  return ["<section><h2>Risks</h2>", ...risks.map((risk, i) => formatRisk(risk, i + 1, clusters)), "</section>"];
}

function formatRisk(
  { name, url, unknown, effect = "broken", clusters: count }: FleetRisk,
  number: number,
  clusters: readonly FleetCluster[],
): string {
  const own = clusters.flatMap((cluster) => {
    const risk = cluster.risks.find((one) => one.name === name);
    return risk === undefined ? [] : [{ cluster: `${cluster.name}${risk.isAccepted ? " (accepted)" : ""}`, ...risk }];
  });
  const rows = [...Map.groupBy(own, ({ message }) => message)].map(([message, group]) => {
    const names = group.map(({ cluster }) => cluster).join(", ");
    return `<li><strong>${escapeMarkup(names)}</strong><br>${escapeMarkup(message)}</li>`;
  });
  const kind = unknown ? "unknown" : effect;
  const badge = unknown ? "Could not be checked" : EFFECT_HEADINGS[effect];
  const link =
    url === "" ? "" : `<footer><a href="${escapeMarkup(url)}">Documentation of ${escapeMarkup(name)}</a></footer>`;
  return [
    `<article id="risk-${number}" class="card ${kind}"><header><h3>${number}. ${escapeMarkup(name)}</h3><span class="badge">${badge}</span> <span class="badge plain">${formatCount(count, "cluster")}</span></header>`,
    `<details><summary>What it says on each</summary><ul class="lines">${rows.join("")}</ul></details>${link}</article>`,
  ].join("");
}
