import type { FleetCell, FleetCluster, FleetMatrix, FleetRisk, FleetVerdict } from "../../model/fleet.ts";
import { formatText } from "../text/html/parts.ts";
import { escapeMarkup } from "../text/markup.ts";
import { formatVerdict } from "./fleet-words.ts";
import { getCell } from "./matrix.ts";

type Reports = ReadonlyMap<string, string>;

/** Of the first row with such a result. */
export function getAnchor(verdict: FleetVerdict): string {
  return `clusters-${verdict}`;
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

/** What fits the width of a page, so that nothing scrolls within it. */
const MAX_COLUMNS = 16;

/** Clusters by risks. On a narrow screen, each cluster is a block that names its risks. */
export function formatMatrix({ clusters, risks }: FleetMatrix, reports: Reports): readonly string[] {
  if (clusters.length === 0) return [];
  const headings = risks.map(
    ({ name }, i) =>
      `<th scope="col" class="name"><a href="#risk-${i + 1}"><span>${escapeMarkup(name)}</span></a></th>`,
  );
  const isFirst = (i: number): boolean => clusters[i]?.verdict !== clusters[i - 1]?.verdict;
  return [
    FILTER,
    '<section><h2 id="matrix">Clusters by risks</h2>',
    `<p class="soft">The worst cluster comes first.${risks.length === 0 ? "" : `<span class="legend"> ${formatLegend()}</span>`}</p>`,
    `<div class="wide matrix${risks.length > MAX_COLUMNS ? " many" : ""}" tabindex="0" role="region" aria-labelledby="matrix"><table>`,
    `<thead><tr><th scope="col">Cluster</th><th scope="col">Update</th><th scope="col">Result</th>${headings.join("")}</tr></thead><tbody>`,
    ...clusters.map((cluster, i) =>
      formatRow(cluster, risks, { report: reports.get(cluster.name), isFirst: isFirst(i) }),
    ),
    "</tbody></table></div></section>",
  ];
}

function formatLegend(): string {
  const marks = Object.values(CELLS).filter(([mark]) => mark !== "");
  return `${marks.map(([mark, word]) => `<b>${mark}</b> ${word}`).join(", ")}.`;
}

type RowPlace = { readonly report: string | undefined; readonly isFirst: boolean };

function formatRow(cluster: FleetCluster, risks: readonly FleetRisk[], { report, isFirst }: RowPlace): string {
  const { verdict, source, target } = cluster;
  const cells = risks.map((risk) => getCell(cluster, risk));
  const name = escapeMarkup(cluster.name);
  return [
    `<tr class="${verdict}"${isFirst ? ` id="${getAnchor(verdict)}"` : ""}>`,
    `<th scope="row">${report === undefined ? name : `<a href="${escapeMarkup(report)}">${name}</a>`}</th>`,
    `<td class="update">${escapeMarkup(formatUpdate(source, target))}</td>`,
    `<td class="result">${formatResult(cluster)}</td>`,
    ...cells.map(formatCell),
    formatNames(risks, cells),
    "</tr>",
  ].join("");
}

function formatUpdate(source: string | undefined, target: string | undefined): string {
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

function formatCell(cell: FleetCell): string {
  const [mark, word] = CELLS[cell];
  return `<td class="mark ${cell}"><span aria-hidden="true">${mark}</span><span class="hidden">${word}</span></td>`;
}

/** What takes the place of the marks on a narrow screen. */
function formatNames(risks: readonly FleetRisk[], cells: readonly FleetCell[]): string {
  const items = risks.flatMap(({ name }, i) => {
    const cell = cells[i] ?? "notRun";
    if (cell !== "risk" && cell !== "unknown" && cell !== "accepted") return [];
    const note = cell === "risk" ? "" : ` <span class="soft">(${CELLS[cell][1]})</span>`;
    return [`<li class="${cell}"><a href="#risk-${i + 1}">${escapeMarkup(name)}</a>${note}</li>`];
  });
  return items.length === 0 ? "" : `<td class="names"><ul>${items.join("")}</ul></td>`;
}
