import type { Finding } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import type { Report } from "../../model/report.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import { formatTime } from "../../model/time.ts";
import { formatCount } from "../count.ts";
import { formatClusterOrigin, formatHeadline } from "../headline.ts";
import type { Format, View } from "../view.ts";
import { formatAcceptance, formatLeadTime, groupRisks, type RiskEntry } from "../work-order.ts";
import { SCRIPT, STYLE } from "./html-assets.ts";
import { listNotices, listUnknowns } from "./lists.ts";
import { escapeMarkup } from "./xml.ts";

/** One page without any other file: the decision, the risks in the order of work, what could not be checked, and the coverage. */
export const formatHtml: Format = (view) => {
  const { report } = view;
  const title = escapeMarkup(`${report.source.text} to ${report.crdFolder ?? report.target.text}`);
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>Preflight: ${title}</title><style>${STYLE}</style></head><body><main>`,
    `<h1>Preflight: ${title}</h1>`,
    ...formatClusterOrigin(report, view).map((line) => `<p class="meta">${escapeMarkup(line)}</p>`),
    formatDecision(view),
    '<label hidden>Filter the risks <input id="filter" type="search"></label><p id="shown" class="meta" role="status"></p>',
    ...formatRisks(view),
    ...formatList("Could not be checked", listUnknowns(report)),
    ...formatList("Notices", listNotices(report)),
    formatCoverage(report),
    `</main><script>${SCRIPT}</script></body></html>`,
    "",
  ].join("\n");
};

function formatDecision(view: View): string {
  const { report, accepted } = view;
  const open = report.risks.filter(({ name }) => !accepted.has(name));
  const kind = open.some(({ unknown }) => !unknown) ? "risk" : open.length > 0 ? "incomplete" : "clear";
  const words = {
    risk: "Don't update yet",
    incomplete: "Not decided: some checks could not be completed",
    clear: "No unaccepted risk was found",
  };
  return `<p class="decision ${kind}"><strong>${words[kind]}.</strong> ${escapeMarkup(formatHeadline(report, view))}</p>`;
}

function formatRisks(view: View): readonly string[] {
  return groupRisks(view.report, view).flatMap(({ heading, entries }) => [
    `<section><h2>${heading}</h2>`,
    ...entries.map(formatRisk),
    "</section>",
  ]);
}

const MAX_OBJECTS = 50;

function formatRisk({ risk, findings, acceptances }: RiskEntry): string {
  const objects = [...Map.groupBy(findings, ({ object }) => buildRefKey(object)).values()];
  const more = objects.length - MAX_OBJECTS;
  const leadTime = formatLeadTime(risk);
  const lead = leadTime === undefined ? "" : ` <span class="meta">${leadTime}</span>`;
  return [
    `<article id="${escapeMarkup(risk.name)}"><h3>${escapeMarkup(risk.name)}${lead}</h3>`,
    ...acceptances.map((one) => `<p><strong>${escapeMarkup(formatAcceptance(one))}</strong></p>`),
    `<p>${escapeMarkup(risk.description)}</p>`,
    `<ul>${objects.slice(0, MAX_OBJECTS).map(formatObject).join("")}</ul>`,
    more > 0 ? `<p>and ${formatCount(more, "more object")} (all with -o json)</p>` : "",
    `<p>${escapeMarkup(risk.remediation)} <a href="${escapeMarkup(risk.url)}">About ${escapeMarkup(risk.name)}</a></p></article>`,
  ].join("");
}

function formatObject(findings: readonly Finding[]): string {
  const [first] = findings;
  if (first === undefined) return "";
  const places = findings.map(({ path, message }) => {
    const where = path === undefined ? "" : `<span class="path">${escapeMarkup(path)}:</span> `;
    return `<br>${where}${escapeMarkup(message)}`;
  });
  const commands = [...new Set(findings.flatMap(({ see = [], fix = [] }) => [...see, ...fix]))];
  const blocks = commands.map((command) => `<pre tabindex="0"><code>${escapeMarkup(command)}</code></pre>`);
  return `<li><strong>${escapeMarkup(formatRef(first.object))}</strong>${places.join("")}${blocks.join("")}</li>`;
}

function formatList(heading: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  return [
    `<section><h2>${heading}</h2><ul>`,
    ...lines.map((line) => `<li>${escapeMarkup(line)}</li>`),
    "</ul></section>",
  ];
}

function formatCoverage({ checks, coverage, observedAt }: Report): string {
  const clear = checks.filter(({ outcome }) => outcome.kind === "clear").map(({ id }) => id);
  const idle = checks.filter(({ outcome }) => outcome.kind === "notApplicable").map(({ id }) => id);
  const read = `Read ${formatCount(coverage.kinds, "kind")} and ${formatCount(coverage.objects, "object")} at ${formatTime(observedAt)}.`;
  return [
    "<section><h2>Coverage</h2>",
    `<p>${escapeMarkup(read)}</p>`,
    `<p>Clear: ${escapeMarkup(clear.toSorted(compareText).join(", ") || "none")}.</p>`,
    `<p>Not applicable: ${escapeMarkup(idle.toSorted(compareText).join(", ") || "none")}.</p></section>`,
  ].join("");
}
