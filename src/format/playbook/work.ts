import type { Report } from "../../model/report.ts";
import { formatCount } from "../../model/count.ts";
import { escapeMarkdown, formatCode } from "../text/markdown-text.ts";
import { formatAcceptance, formatLeadTime, type RiskEntry } from "../view/work-order.ts";
import { listCommandLines } from "../text/command-labels.ts";
import { formatCommands } from "../text/markdown.ts";
import type { ObjectEntry } from "../text/page.ts";
import { buildObjects } from "../view/risk-sections.ts";
import { formatTask } from "./update-commands.ts";

const MAX_OBJECTS = 50;
const MAX_PLACES = 10;

/** A risk as work: what is wrong, with which objects, the commands, and how to see that it is done. */
export function formatWork({ risk, findings }: RiskEntry, report: Report, recheck: string): string {
  const leadTime = formatLeadTime(risk);
  const objects = buildObjects(findings);
  const more = objects.length - MAX_OBJECTS;
  const isLimited = report.checks.some(({ id, omittedFindings }) => id === risk.check && omittedFindings !== undefined);
  const count = isLimited ? `at least ${formatCount(more, "more object")}` : formatCount(more, "more object");
  return [
    formatTask(
      `**${risk.name}**${leadTime === undefined ? "" : ` (${leadTime})`}: ${escapeMarkdown(risk.description)}`,
    ),
    `  Do: ${escapeMarkdown(risk.remediation)} [More](${risk.url})`,
    ...objects.slice(0, MAX_OBJECTS).map(formatObject),
    ...(more > 0
      ? [`  - and ${count}: ${formatCode(`${recheck} --only ${risk.check ?? ""} --fail-on risk -o json`)} lists them`]
      : []),
    `  Done when this no longer reports it: ${formatCode(`${recheck} --only ${risk.check ?? ""} --fail-on risk`)}`,
  ].join("\n\n");
}

function formatObject({ ref, places, commands }: ObjectEntry): string {
  const more = places.length - MAX_PLACES;
  const lines = listCommandLines(commands);
  return [
    `  - ${escapeMarkdown(ref)}`,
    ...places.slice(0, MAX_PLACES).map(({ path, message }) => {
      return `    - ${path === undefined ? "" : `${formatCode(path)}: `}${escapeMarkdown(message)}`;
    }),
    ...(more > 0 ? [`    - and ${formatCount(more, "more place")}`] : []),
    ...(lines.length === 0 ? [] : ["", formatCommands(lines, "    ")]),
  ].join("\n");
}

/** An accepted risk: why, and until when. */
export function formatAccepted({ risk, acceptances }: RiskEntry): string {
  const reasons = acceptances.length === 0 ? ["Accepted by a flag"] : acceptances.map(formatAcceptance);
  return `- ${risk.name}: ${escapeMarkdown(risk.description)} ${reasons.map(escapeMarkdown).join("; ")}`;
}
