import type { Finding } from "../../model/check.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import { formatCount } from "../../model/count.ts";
import { decide } from "../view/decision.ts";
import { collectUnknownCauses } from "../view/unknown-causes.ts";
import { findMissingRights, GRANT_INTRODUCTION } from "../view/missing-rights.ts";
import type { Report } from "../../model/report.ts";
import { formatClusterOrigin, formatHeadline } from "../view/headline.ts";
import { escapeMarkdown, formatCode } from "../text/markdown-text.ts";
import { formatCommands } from "../playbook/blocks.ts";
import { formatMeaning } from "../table/clear-section.ts";
import { listUpdateNotes } from "../view/update-notes.ts";
import type { Format } from "../view/view.ts";
import { formatAcceptance, formatLeadTime, groupRisks, type RiskEntry, type RiskGroup } from "../view/work-order.ts";
import { listLapsedAcceptances, listNotices, listUnseen } from "../view/lists.ts";

/** GitHub-flavoured markdown, for comments, job summaries and tickets. */
export const formatMarkdown: Format = (view) => {
  const blocks = [
    `# ${escapeMarkdown(formatHeadline(view.report, view))}`,
    `**${decide(view.report, view).words}.**`,
    ...formatClusterOrigin(view.report, view).map(escapeMarkdown),
    ...listUpdateNotes(view.report, view).map(escapeMarkdown),
    ...(view.report.risks.some(({ unknown }) => !unknown) ? [] : [escapeMarkdown(formatMeaning(view.report))]),
    ...groupRisks(view.report, view).flatMap(formatGroup),
    ...formatList("Could not be checked", listUnseen(view.report)),
    ...formatGrants(view.report),
    ...formatList("Acceptances that do not count", listLapsedAcceptances(view)),
    ...formatList("Notices", listNotices(view.report)),
  ];
  return `${blocks.join("\n\n")}\n`;
};

function formatGroup({ heading, entries }: RiskGroup): readonly string[] {
  return [`## ${heading}`, ...entries.flatMap(formatRisk)];
}

const MAX_OBJECTS = 20;
const MAX_PLACES = 10;

function formatRisk({ risk, findings, acceptances }: RiskEntry): readonly string[] {
  const { name, description, remediation, url } = risk;
  const leadTime = formatLeadTime(risk);
  const objects = [...Map.groupBy(findings, ({ object }) => buildRefKey(object)).values()];
  const more = objects.length - MAX_OBJECTS;
  return [
    `### ${name}${leadTime === undefined ? "" : ` (${leadTime})`}`,
    ...acceptances.map((one) => `> ${escapeMarkdown(formatAcceptance(one))}`),
    escapeMarkdown(description),
    objects.slice(0, MAX_OBJECTS).map(formatObject).join("\n").trimEnd(),
    ...(more > 0 ? [`and ${formatCount(more, "more object")} (all with \`-o json\`)`] : []),
    `${escapeMarkdown(remediation)} [More](${url})`,
  ].filter((block) => block !== "");
}

/** An object with its faults, and its commands once. */
function formatObject(findings: readonly Finding[]): string {
  const [first] = findings;
  if (first === undefined) return "";
  const commands = new Set(findings.flatMap(({ see = [], fix = [] }) => [...see, ...fix]));
  const more = findings.length - MAX_PLACES;
  return [
    `- **${escapeMarkdown(formatRef(first.object))}**`,
    ...findings.slice(0, MAX_PLACES).map(formatPlace),
    ...(more > 0 ? [`  - and ${formatCount(more, "more place")}`] : []),
    ...(commands.size === 0 ? [] : ["", formatCommands([...commands], "  "), ""]),
  ].join("\n");
}

function formatPlace({ path, message }: Finding): string {
  return `  - ${path === undefined ? "" : `${formatCode(path)}: `}${escapeMarkdown(message)}`;
}

/** What grants the rights that are missing, once for all checks. */
function formatGrants(report: Report): readonly string[] {
  const { users } = findMissingRights(collectUnknownCauses(report), report.target);
  return users.map(({ command }) => `${GRANT_INTRODUCTION}\n\n${formatCommands([command])}`);
}

function formatList(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${heading}`, lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n")];
}
