import { joinNames, sortNames } from "../../model/names.ts";
import type { Report, ReportRisk } from "../../model/report.ts";
import { formatAffectedObjects } from "./affected-objects.ts";
import { formatHyperlink } from "../text/hyperlink.ts";
import { createPainter } from "../text/painter.ts";
import type { RiskBackground, View } from "../view/view.ts";
import { formatAcceptance, formatLeadTime, groupRisks, type RiskEntry } from "../view/work-order.ts";
import { formatSection } from "./section.ts";
import { wrapText } from "../text/wrapping.ts";

export type RiskOptions = Pick<View, "accepted" | "acceptances" | "backgrounds" | "colour" | "links" | "width"> & {
  /** Every object, and what is known besides: `-o wide`. */
  readonly isWide?: boolean;
};

/** The risks that were found, in the order of work; accepted ones come last. Those of incomplete checks have their own section. */
export function formatRiskSections(report: Report, options: RiskOptions): readonly (readonly string[])[] {
  const limited = new Set(report.checks.filter(({ omittedFindings }) => omittedFindings).map(({ id }) => id));
  return groupRisks(report, options).map(({ heading, entries }) =>
    formatSection(
      heading,
      entries.map((entry) => formatRisk(entry, limited.has(entry.risk.check ?? ""), options)),
      options,
    ),
  );
}

function formatRisk(
  { risk, findings, isAccepted, acceptances }: RiskEntry,
  isLimited: boolean,
  options: RiskOptions,
): readonly string[] {
  const { width, isWide = false } = options;
  const affected = { stated: risk.description, isLimited, isWide, width };
  return [
    formatName(risk, isAccepted, options),
    ...acceptances.flatMap((acceptance) => wrapText("    ", formatAcceptance(acceptance), width)),
    ...wrapText("    ", risk.description, width),
    ...formatAffectedObjects(findings, affected),
    ...wrapText("    Do   ", risk.remediation, width),
    ...formatLink(risk, options),
    ...formatPublishedNames(risk, width),
    ...(isWide ? formatBackground({ risk, findings }, options.backgrounds?.get(risk.name), width) : []),
  ];
}

function formatName(risk: ReportRisk, isAccepted: boolean, { colour, links = false }: RiskOptions): string {
  const { faint, red } = createPainter(colour);
  const name = formatHyperlink(risk.name, risk.url, links);
  const leadTime = formatLeadTime(risk);
  return `  ${isAccepted ? faint(name) : red(name)}${leadTime === undefined ? "" : ` (${leadTime})`}`;
}

/** The address itself is the link, so that it opens even where the terminal's window breaks it. */
function formatLink({ url }: ReportRisk, { links = false, width }: RiskOptions): readonly string[] {
  const link = formatHyperlink(url, url, links);
  return link === url ? wrapText("    Link ", url, width) : [`    Link ${link}`];
}

/** Names the risk as the update service does, for people who know it from there. */
function formatPublishedNames({ published = [] }: ReportRisk, width: number): readonly string[] {
  return published.length === 0
    ? []
    : wrapText("    Also ", `The update service calls it ${joinNames(published)}.`, width);
}

/** Who owns the objects, since the work is theirs; which updates and releases it is about; how sure it is; how long it takes. */
function formatBackground(
  { risk, findings }: Pick<RiskEntry, "risk" | "findings">,
  background: RiskBackground | undefined,
  width: number,
): readonly string[] {
  const rows: readonly (readonly [string, string])[] = [
    ["Check", risk.check ?? ""],
    ["Owners", formatOwners(findings)],
    ["Takes", risk.leadTime ?? ""],
    ["Concerns", background?.concerns ?? ""],
    ["Releases", background?.releases.join("; ") ?? ""],
    ["How sure", background?.certainty ?? ""],
  ];
  return rows.flatMap(([label, text]) => (text === "" ? [] : wrapText(`    ${label.padEnd(8)} `, text, width)));
}

function formatOwners(findings: RiskEntry["findings"]): string {
  const namespaces = sortNames(findings.flatMap(({ object }) => object.namespace ?? []));
  const isClusterScoped = findings.some(({ object }) => object.namespace === undefined);
  return [
    ...(namespaces.length === 0
      ? []
      : [`${namespaces.length === 1 ? "namespace" : "namespaces"} ${namespaces.join(", ")}`]),
    ...(isClusterScoped ? ["administrators of the cluster"] : []),
  ].join("; ");
}
