import type { Finding } from "../../model/check.ts";
import type { Report } from "../../model/report.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import { formatCount } from "../../model/count.ts";
import { escapeMarkdown, formatCode } from "../text/markdown-text.ts";
import { formatAcceptance, formatLeadTime, type RiskEntry } from "../view/work-order.ts";
import { formatCommands } from "../text/markdown.ts";
import { formatTask } from "./update-commands.ts";

const MAX_OBJECTS = 50;
const MAX_PLACES = 10;

/** A risk as work: what is wrong, with which objects, the commands, and how to see that it is done. */
export function formatWork({ risk, findings }: RiskEntry, report: Report, recheck: string): string {
  const leadTime = formatLeadTime(risk);
  const objects = [...Map.groupBy(findings, ({ object }) => buildRefKey(object)).values()];
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

function formatObject(findings: readonly Finding[]): string {
  const [first] = findings;
  if (first === undefined) return "";
  const more = findings.length - MAX_PLACES;
  const commands = formatObjectCommands(findings);
  return [
    `  - ${escapeMarkdown(formatRef(first.object))}`,
    ...findings.slice(0, MAX_PLACES).map(formatPlace),
    ...(more > 0 ? [`    - and ${formatCount(more, "more place")}`] : []),
    ...(commands.length === 0 ? [] : ["", formatCommands(commands, "    ")]),
  ].join("\n");
}

function formatObjectCommands(findings: readonly Finding[]): readonly string[] {
  const select = (name: "see" | "fix") => [...new Set(findings.flatMap((finding) => finding[name] ?? []))];
  const [see, fix] = [select("see"), select("fix")];
  return [...(see.length === 0 ? [] : ["# see it", ...see]), ...(fix.length === 0 ? [] : ["# fix it", ...fix])];
}

function formatPlace({ path, message }: Finding): string {
  const place = path === undefined ? "" : `${formatCode(path)}: `;
  return `    - ${place}${escapeMarkdown(message)}`;
}

/** An accepted risk: why, and until when. */
export function formatAccepted({ risk, acceptances }: RiskEntry): string {
  const reasons = acceptances.length === 0 ? ["Accepted by a flag"] : acceptances.map(formatAcceptance);
  return `- ${risk.name}: ${escapeMarkdown(risk.description)} ${reasons.map(escapeMarkdown).join("; ")}`;
}
