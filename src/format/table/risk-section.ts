import { type Finding, sortFindings } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { joinNames } from "../../model/names.ts";
import type { Report, ReportRisk } from "../../model/report.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import { formatCount } from "../count.ts";
import { findingsOf } from "../outcome-contents.ts";
import { createPainter } from "./painter.ts";
import type { View } from "../view.ts";
import { wrapText } from "./wrapping.ts";

type Options = Pick<View, "accepted" | "colour" | "width">;

const MAX_OBJECTS = 5;
const MAX_PLACES = 3;

/** The risks that were found; those of incomplete checks have their own section. */
export function formatRiskSection(report: Report, options: Options): readonly string[] {
  const findings = Map.groupBy(
    report.checks.flatMap(({ outcome }) => findingsOf(outcome)),
    ({ risk }) => risk,
  );
  const limited = new Set(report.checks.filter(({ omittedFindings }) => omittedFindings).map(({ id }) => id));
  return report.risks
    .filter(({ unknown }) => !unknown)
    .toSorted((a, b) => compareText(a.name, b.name))
    .flatMap((risk, i) => [
      ...(i === 0 ? [] : [""]),
      ...formatRisk(risk, findings.get(risk.name) ?? [], limited.has(risk.check), options),
    ]);
}

function formatRisk(
  risk: ReportRisk,
  findings: readonly Finding[],
  isLimited: boolean,
  options: Options,
): readonly string[] {
  const { width } = options;
  return [
    `  ${formatRiskName(risk.name, options)}`,
    ...wrapText("    ", risk.title, width),
    ...formatObjects(findings, isLimited, width),
    ...wrapText("    Why    ", risk.description, width),
    ...wrapText("    Do     ", risk.remediation, width),
    ...wrapText("    See    ", risk.url, width),
    ...formatPublishedNames(risk, width),
  ];
}

/** Names the risk as the update service does, for people who know it from there. */
function formatPublishedNames({ published = [] }: ReportRisk, width: number): readonly string[] {
  return published.length === 0
    ? []
    : wrapText("    Also   ", `The update service calls it ${joinNames(published)}.`, width);
}

/** A risk's name, and whether it was accepted. */
export function formatRiskName(name: string, { accepted, colour }: Options): string {
  const { faint, red } = createPainter(colour);
  return accepted.has(name) ? `${faint(name)} (accepted)` : red(name);
}

const LEAD = "    Where  ";
const INDENT = " ".repeat(LEAD.length);

/** The objects that a risk affects, each with its paths: a few by name, then the number of the others. */
function formatObjects(findings: readonly Finding[], isLimited: boolean, width: number): readonly string[] {
  const objects = [...Map.groupBy(sortFindings(findings), ({ object }) => buildRefKey(object)).values()];
  const named = objects
    .slice(0, MAX_OBJECTS)
    .flatMap((places, i) => formatObject(i === 0 ? LEAD : INDENT, places, width));
  const more = objects.length - MAX_OBJECTS;
  if (more <= 0) return named;
  const others = formatCount(more, "more object");
  const text = isLimited ? `and at least ${others} (these with -o json)` : `and ${others} (all with -o json)`;
  return [...named, ...wrapText(INDENT, text, width)];
}

function formatObject(lead: string, findings: readonly Finding[], width: number): readonly string[] {
  const [first] = findings;
  if (!first) return [];
  const more = findings.length - MAX_PLACES;
  return [
    ...wrapText(lead, formatRef(first.object), width),
    ...findings.slice(0, MAX_PLACES).flatMap(({ path, message }) => {
      return wrapText(`${INDENT}  `, path === undefined ? message : `${path}: ${message}`, width);
    }),
    ...(more > 0
      ? wrapText(`${INDENT}  `, `and ${formatCount(more, "more place")} in it (all with -o json)`, width)
      : []),
  ];
}
