import { formatVerification } from "../../view/image-verification.ts";
import { compareText } from "../../../model/json.ts";
import type { Report } from "../../../model/report.ts";
import { getUpdateKind } from "../../../model/version.ts";
import { formatCount } from "../../../model/count.ts";
import { formatClusterOrigin } from "../../view/headline.ts";
import { formatPage } from "../../text/html/shell.ts";
import { listUpdateNotes } from "../../view/update-notes.ts";
import type { Format, View } from "../../view/view.ts";
import { groupRisks, type RiskGroup } from "../../view/work-order.ts";
import { listLapsedAcceptances, listNotices } from "../../view/lists.ts";
import { toPlainItem } from "../../text/page.ts";
import { escapeMarkup } from "../../text/markup.ts";
import { formatDecision, type Section } from "./decision-panel.ts";
import { formatRiskCard } from "./risk-card.ts";
import { formatRightsPanels } from "./rights-panel.ts";
import { SCRIPT, SCRIPT_HASH } from "../../text/html/script.ts";
import { formatUnknownCards } from "./unknown-cards.ts";

/** The decision, the risks in the order of work, what could not be checked, what was accepted, and the coverage. */
export const formatHtml: Format = (view) => {
  const { report } = view;
  const [source, target] = [report.source.text, report.crdFolder ?? report.target.text];
  const sections = buildSections(view);
  return formatPage({
    title: `Preflight: ${source} to ${target}`,
    script: SCRIPT,
    scriptHash: SCRIPT_HASH,
    header: [
      `<p class="soft">Preflight${isRollback(report) ? ", rolling back" : ""}</p>`,
      `<h1>${escapeMarkup(source)} <span class="arrow" aria-hidden="true">→</span><span class="hidden"> to </span> ${escapeMarkup(target)}</h1>`,
      ...formatClusterOrigin(report, view).map((line) => `<p class="soft">${escapeMarkup(line)}</p>`),
      ...formatImage(report),
    ],
    main: [
      formatDecision(view, sections),
      ...listUpdateNotes(report, view).map((note) => `<p class="note">${escapeMarkup(note)}</p>`),
      sections.length > 0 ? TOOLBAR : "",
      ...sections.map(formatSection),
      ...formatList("Acceptances that do not count", listLapsedAcceptances(view).map(toPlainItem)),
      ...formatList("Notices", listNotices(report).map(toPlainItem)),
      formatCoverage(view, sections.length === 0),
    ],
  });
};

function isRollback({ source, target }: Report): boolean {
  return getUpdateKind(source, target) === "rollback";
}

function formatImage({ image, imageVerification }: Report): readonly string[] {
  if (image === undefined || imageVerification === undefined) return [];
  return [`<p class="soft">${escapeMarkup(`Release image ${image}: ${formatVerification(imageVerification)}`)}</p>`];
}

function buildSections(view: View): readonly Section[] {
  const groups = groupRisks(view.report, view);
  const lead = formatRightsPanels(view.report);
  const unknown = formatUnknownCards(view.report, view, lead.length > 0);
  return [
    ...groups.filter(({ kind }) => kind !== "accepted").map((group) => buildRiskSection(group, view)),
    ...(unknown.length === 0
      ? []
      : [{ kind: "unknown", heading: "Could not be checked", lead, cards: unknown } as const]),
    ...groups.filter(({ kind }) => kind === "accepted").map((group) => buildRiskSection(group, view)),
  ];
}

function buildRiskSection({ kind, heading, entries }: RiskGroup, view: View): Section {
  return { kind, heading, cards: entries.map((entry) => formatRiskCard(entry, kind, view)) };
}

function formatSection({ kind, heading, lead = [], cards }: Section): string {
  return [
    `<section id="${kind}" class="group ${kind}"><h2><span class="dot" aria-hidden="true"></span>${heading} <span class="count">${cards.length}</span></h2>`,
    ...lead,
    ...cards,
    "</section>",
  ].join("\n");
}

/** Only a script can use it, and shows it. */
const TOOLBAR = [
  '<form id="toolbar" class="toolbar" hidden><label>Filter <input id="filter" type="search" placeholder="name, object, text"></label>',
  '<label>Sort <select id="sort"><option value="work">in the order of work</option><option value="objects">by number of objects</option><option value="name">by name</option></select></label>',
  '<p id="shown" class="soft" role="status"></p></form>',
].join("");

function formatList(heading: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const items = lines.map((line) => {
    const [, check = "", text = line] = /^([a-z][a-z0-9-]*): (.*)$/s.exec(line) ?? [];
    return `<li>${check === "" ? "" : `<span class="tag">${escapeMarkup(check)}</span> `}${escapeMarkup(text)}</li>`;
  });
  return [
    `<section><h2>${heading} <span class="count">${lines.length}</span></h2><ul class="lines">`,
    ...items,
    "</ul></section>",
  ];
}

/** Without any risk, what was checked is what there is to read. */
function formatCoverage({ report: { checks, coverage }, document }: View, isOpen: boolean): string {
  const sorted = checks.toSorted((a, b) => compareText(a.id, b.id));
  const clear = sorted.filter(({ outcome }) => outcome.kind === "clear").map(({ id, title }) => [id, title] as const);
  const idle = sorted.flatMap(({ id, outcome }) =>
    outcome.kind === "notApplicable" ? [[id, outcome.reason] as const] : [],
  );
  const runner = document.runner?.version === undefined ? "" : ` by preflight ${document.runner.version}`;
  const read = `${formatCount(coverage.kinds, "kind")} and ${formatCount(coverage.objects, "object")} were read${runner}, at ${document.observedAt ?? ""}.`;
  return [
    `<section class="coverage"><h2>Coverage</h2><p>${escapeMarkup(read)}</p>`,
    formatChecks(`${formatCount(clear.length, "check")} found nothing`, clear, isOpen),
    formatChecks(`${formatCount(idle.length, "check does", "checks do")} not apply to this update`, idle, false),
    "</section>",
  ].join("\n");
}

function formatChecks(
  summary: string,
  rows: readonly (readonly [id: string, text: string])[],
  isOpen: boolean,
): string {
  if (rows.length === 0) return "";
  const items = rows.map(([id, text]) => `<dt>${escapeMarkup(id)}</dt><dd>${escapeMarkup(text)}</dd>`);
  return `<details${isOpen ? " open" : ""}><summary>${summary}</summary><dl>${items.join("")}</dl></details>`;
}
