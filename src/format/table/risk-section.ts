import type { Finding } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
import type { Report, ReportRisk } from "../../model/report.ts";
import { findingsOf } from "../outcome-contents.ts";
import { formatAffectedObjects } from "./affected-objects.ts";
import { createPainter } from "./painter.ts";
import type { View } from "../view.ts";
import { compareRisks, EFFECT_HEADINGS, EFFECTS, formatAcceptance, getEffect } from "../work-order.ts";
import { formatSection } from "./section.ts";
import { wrapText } from "./wrapping.ts";

type Options = Pick<View, "accepted" | "acceptances" | "colour" | "width">;

/** The risks that were found, in the order of work; accepted ones come last. Those of incomplete checks have their own section. */
export function formatRiskSections(report: Report, options: Options): readonly (readonly string[])[] {
  const risks = report.risks.filter(({ unknown }) => !unknown).toSorted(compareRisks);
  const [open, accepted] = [risks.filter(isOpen), risks.filter((risk) => !isOpen(risk))];
  const toLines = createRiskFormat(report, options);
  const sections = EFFECTS.map((effect) =>
    formatSection(EFFECT_HEADINGS[effect], open.filter((risk) => getEffect(risk) === effect).map(toLines), options),
  );
  return [...sections, formatSection("Accepted", accepted.map(toLines), options)];

  function isOpen({ name }: ReportRisk): boolean {
    return !options.accepted.has(name);
  }
}

function createRiskFormat(report: Report, options: Options): (risk: ReportRisk) => readonly string[] {
  const findings = Map.groupBy(
    report.checks.flatMap(({ outcome }) => findingsOf(outcome)),
    ({ risk }) => risk,
  );
  const limited = new Set(report.checks.filter(({ omittedFindings }) => omittedFindings).map(({ id }) => id));
  return (risk) => formatRisk(risk, findings.get(risk.name) ?? [], limited.has(risk.check), options);
}

function formatRisk(
  risk: ReportRisk,
  findings: readonly Finding[],
  isLimited: boolean,
  { colour, accepted, acceptances, width }: Options,
): readonly string[] {
  const { faint, red } = createPainter(colour);
  return [
    `  ${accepted.has(risk.name) ? faint(risk.name) : red(risk.name)}${formatLeadTime(risk)}`,
    ...formatAcceptances(risk, acceptances, width),
    ...wrapText("    ", risk.description, width),
    ...formatAffectedObjects(findings, { stated: risk.description, isLimited, width }),
    ...wrapText("    Do   ", risk.remediation, width),
    ...wrapText("    Link ", risk.url, width),
    ...formatPublishedNames(risk, width),
  ];
}

/** Why it is accepted, and until when. */
function formatAcceptances(
  { name }: ReportRisk,
  acceptances: View["acceptances"] = [],
  width: number,
): readonly string[] {
  return acceptances.flatMap(({ acceptance, state }) => {
    if (acceptance.risk !== name || state.kind !== "accepted" || acceptance.reason === undefined) return [];
    return wrapText("    ", formatAcceptance(acceptance), width);
  });
}

function formatLeadTime({ leadTime }: ReportRisk): string {
  return leadTime === "days" || leadTime === "hours" ? ` (takes ${leadTime})` : "";
}

/** Names the risk as the update service does, for people who know it from there. */
function formatPublishedNames({ published = [] }: ReportRisk, width: number): readonly string[] {
  return published.length === 0
    ? []
    : wrapText("    Also ", `The update service calls it ${joinNames(published)}.`, width);
}
