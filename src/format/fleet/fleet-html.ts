import type { FleetCell, FleetCluster, FleetMatrix, FleetRisk } from "../../model/fleet.ts";
import { formatTime } from "../../model/time.ts";
import { formatCount } from "../../model/count.ts";
import { formatDecisionPanel, formatPage } from "../text/html/shell.ts";
import { escapeMarkup } from "../text/markup.ts";
import { EFFECT_HEADINGS } from "../view/work-order.ts";
import { FLEET_SCRIPT, FLEET_SCRIPT_HASH, FLEET_STYLE } from "./fleet-html-assets.ts";
import { formatFleetHeadline, formatVerdict } from "./fleet-words.ts";
import { getCell } from "./matrix.ts";

/** The decision, the matrix, what each risk is and where, and why clusters have no result. */
export function formatFleetHtml(matrix: FleetMatrix): string {
  const title = `Fleet${matrix.target === undefined ? "" : ` to ${matrix.target}`}`;
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
    main: [formatDecision(matrix), ...formatMatrix(matrix), ...formatProblems(matrix), ...formatRisks(matrix)],
  });
}

function formatDecision(matrix: FleetMatrix): string {
  return formatDecisionPanel(decideFleet(matrix), formatFleetHeadline(matrix), []);
}

function decideFleet({ counts, clusters }: FleetMatrix): Parameters<typeof formatDecisionPanel>[0] {
  if (counts.risk > 0) return { kind: "risk", words: "Not every cluster can be updated yet" };
  if (clusters.length === 0) return { kind: "nothing", words: "No cluster was checked" };
  if (counts.clear + counts.updated < clusters.length)
    return { kind: "incomplete", words: "Not decided: some clusters have no whole result" };
  if (counts.clear === 0) return { kind: "nothing", words: "Every cluster runs the target already" };
  const which = counts.updated > 0 ? " that does not run the target yet" : "";
  return { kind: "clear", words: `No unaccepted risk was found on any cluster${which}` };
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
  const kind = unknown ? "unknown" : effect;
  const badge = unknown ? "Could not be checked" : EFFECT_HEADINGS[effect];
  const link =
    url === ""
      ? ""
      : `<footer><a href="${escapeMarkup(url)}" rel="noreferrer">Documentation<span class="hidden"> of ${escapeMarkup(name)}</span></a></footer>`;
  return [
    `<article class="card ${kind}" id="risk-${number}"><header><h3>${number}. ${escapeMarkup(name)}</h3><span class="badge">${badge}</span><span class="badge plain">${formatCount(count, "cluster")}</span></header>`,
    `<details><summary>What it says on each</summary><ul class="lines">${formatMessages(name, clusters)}</ul></details>${link}</article>`,
  ].join("");
}

/** Clusters of which the same is said are one entry. */
function formatMessages(name: string, clusters: readonly FleetCluster[]): string {
  const own = clusters.flatMap((cluster) => {
    const risk = cluster.risks.find((one) => one.name === name);
    return risk === undefined ? [] : [{ cluster: `${cluster.name}${risk.isAccepted ? " (accepted)" : ""}`, ...risk }];
  });
  const groups = [...Map.groupBy(own, ({ message }) => message)].map(([message, group]) => {
    const names = group.map(({ cluster }) => cluster).join(", ");
    return `<li><strong>${escapeMarkup(names)}</strong><br>${escapeMarkup(message)}</li>`;
  });
  return groups.join("");
}
