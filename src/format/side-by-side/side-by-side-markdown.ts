import { type Finding, sortFindings } from "../../model/check.ts";
import type { ReportRisk } from "../../model/report.ts";
import { formatCount } from "../../model/count.ts";
import { formatClusterOrigin, formatHeadline } from "../view/headline.ts";
import { escapeMarkdown } from "../text/markdown-text.ts";
import { toPlainItem } from "../text/page.ts";
import { listNotices, listUnseen } from "../view/lists.ts";
import { compareRisks } from "../view/work-order.ts";
import { formatCell } from "./cells.ts";
import {
  buildRiskRows,
  formatPlace,
  groupByTargets,
  isChecked,
  listObjectDifferences,
  selectFindings,
  type SideBySideView,
  type TargetGroup,
  type TargetResult,
} from "./side-by-side.ts";

/** GitHub-flavoured markdown, for comments and tickets: the matrix, then what all targets say and what only some say. */
export function formatSideBySideMarkdown({ targets, cluster }: SideBySideView): string {
  const [first] = targets.filter(isChecked);
  const blocks = [
    `# ${targets.map(({ label }) => escapeMarkdown(label)).join(", ")}`,
    ...formatClusterOrigin(first?.report ?? {}, cluster === undefined ? {} : { cluster }).map(escapeMarkdown),
    targets.map((target) => `- ${escapeMarkdown(formatTarget(target))}`).join("\n"),
    ...formatMatrix(targets),
    ...groupByTargets(targets).flatMap(formatGroup),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function formatTarget(target: TargetResult): string {
  return target.kind === "checked"
    ? formatHeadline(target.report, target)
    : `${target.label}: not checked: ${target.message}`;
}

function formatMatrix(targets: readonly TargetResult[]): readonly string[] {
  const rows = buildRiskRows(targets);
  if (rows.length === 0) return [];
  const lines = [
    ["Risk", ...targets.map(({ label }) => escapeMarkdown(label))],
    ["---", ...targets.map(() => "---")],
    ...rows.map(({ risk, cells }) => [risk.name, ...cells.map(formatCell)]),
  ];
  return [lines.map((row) => `| ${row.join(" | ")} |`).join("\n")];
}

function formatGroup(group: TargetGroup): readonly string[] {
  const { report, targets, isEvery } = group;
  const risks = report.risks.filter(({ unknown }) => !unknown).toSorted(compareRisks);
  const blocks = [
    ...risks.flatMap((risk) => formatRisk(risk, group)),
    ...formatList("Could not be checked", listUnseen(report).map(toPlainItem)),
    ...formatList("Notices", listNotices(report).map(toPlainItem)),
  ];
  const names = targets.map(({ label }) => escapeMarkdown(label)).join(", ");
  return blocks.length === 0 ? [] : [`## ${isEvery ? "All checked targets" : `Only ${names}`}`, ...blocks];
}

const MAX_PLACES = 10;

function formatRisk(risk: ReportRisk, group: TargetGroup): readonly string[] {
  const findings = sortFindings(selectFindings(group.report, risk.name));
  const more = findings.length - MAX_PLACES;
  const points = [
    ...findings.slice(0, MAX_PLACES).map(formatFinding),
    ...(more > 0 ? [`and ${formatCount(more, "more place")} (all with \`-o json\`)`] : []),
    ...listObjectDifferences(group, risk.name).map(({ label, added, removed }) => {
      const parts = [...added.map((one) => `also ${one}`), ...removed.map((one) => `not ${one}`)];
      return escapeMarkdown(`for ${label}: ${parts.join(", ")}`);
    }),
  ];
  return [
    `### ${risk.name}${group.accepted.has(risk.name) ? " (accepted)" : ""}`,
    escapeMarkdown(risk.description),
    ...(points.length === 0 ? [] : [points.map((point) => `- ${point}`).join("\n")]),
    `${escapeMarkdown(risk.remediation)} [More](${risk.url})`,
  ];
}

function formatFinding(finding: Finding): string {
  return escapeMarkdown(`${formatPlace(finding)}: ${finding.message}`);
}

function formatList(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`### ${heading}`, lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n")];
}
