import type { Finding } from "../model/check.ts";
import { byText } from "../model/json.ts";
import { joinNames } from "../model/names.ts";
import type { Report, ReportRisk } from "../model/report.ts";
import { refKey, refText } from "../model/resource.ts";
import { count } from "./count.ts";
import { findingsOf } from "./findings.ts";
import { sortFindings } from "../model/findings.ts";
import { painter } from "./paint.ts";
import type { View } from "./view.ts";
import { wrap } from "./wrap.ts";

type Options = Pick<View, "accepted" | "colour" | "width">;

const MAX_OBJECTS = 5;
const MAX_PLACES = 3;

/** The risks that are real; those of blind spots have a section of their own. */
export function riskSection(report: Report, options: Options): readonly string[] {
  const findings = Map.groupBy(
    report.checks.flatMap(({ outcome }) => findingsOf(outcome)),
    ({ risk }) => risk,
  );
  return report.risks
    .filter(({ unknown }) => !unknown)
    .toSorted((a, b) => byText(a.name, b.name))
    .flatMap((risk, i) => [...(i === 0 ? [] : [""]), ...riskLines(risk, findings.get(risk.name) ?? [], options)]);
}

function riskLines(risk: ReportRisk, findings: readonly Finding[], options: Options): readonly string[] {
  const { width } = options;
  return [
    `  ${riskName(risk.name, options)}`,
    ...wrap("    ", risk.title, width),
    ...hits(findings, width),
    ...wrap("    Why    ", risk.description, width),
    ...wrap("    Do     ", risk.remediation, width),
    ...wrap("    See    ", risk.url, width),
    ...alsoLines(risk, width),
  ];
}

/** Who has seen the update service's risks knows it by another name. */
function alsoLines({ published = [] }: ReportRisk, width: number): readonly string[] {
  return published.length === 0
    ? []
    : wrap("    Also   ", `The update service calls it ${joinNames(published)}.`, width);
}

/** A risk's name, and whether it was accepted. */
export function riskName(name: string, { accepted, colour }: Options): string {
  const { faint, red } = painter(colour);
  return accepted.has(name) ? `${faint(name)} (accepted)` : red(name);
}

const LEAD = "    Where  ";
const INDENT = " ".repeat(LEAD.length);

/** The objects that a risk hits, each with its places: a few by name, then how many more. */
function hits(findings: readonly Finding[], width: number): readonly string[] {
  const objects = [...Map.groupBy(sortFindings(findings), ({ object }) => refKey(object)).values()];
  const named = objects
    .slice(0, MAX_OBJECTS)
    .flatMap((places, i) => objectLines(i === 0 ? LEAD : INDENT, places, width));
  const more = objects.length - MAX_OBJECTS;
  if (more <= 0) return named;
  return [...named, ...wrap(INDENT, `and ${count(more, "more object")} (all with -o json)`, width)];
}

function objectLines(lead: string, findings: readonly Finding[], width: number): readonly string[] {
  const [first] = findings;
  if (!first) return [];
  const more = findings.length - MAX_PLACES;
  return [
    ...wrap(lead, refText(first.object), width),
    ...findings.slice(0, MAX_PLACES).flatMap(({ path, message }) => {
      return wrap(`${INDENT}  `, path === undefined ? message : `${path}: ${message}`, width);
    }),
    ...(more > 0 ? wrap(`${INDENT}  `, `and ${count(more, "more place")} in it (all with -o json)`, width) : []),
  ];
}
