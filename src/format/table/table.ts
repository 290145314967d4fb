import { formatVerification } from "../view/image-verification.ts";
import type { CheckReport, Report } from "../../model/report.ts";
import { defined } from "../../model/optional.ts";
import { formatCount } from "../../model/count.ts";
import { formatClusterOrigin, formatHeadline } from "../view/headline.ts";
import { getNotices } from "../view/outcome-contents.ts";
import { listUpdateNotes } from "../view/update-notes.ts";
import { toLine } from "../../model/visible-text.ts";
import { createPainter } from "../text/painter.ts";
import { formatUnknownSection } from "./unknown-section.ts";
import { formatClearSection } from "./clear-section.ts";
import { formatRiskSections, type RiskOptions } from "./risk-section.ts";
import { formatSection } from "./section.ts";
import type { View } from "../view/view.ts";
import { wrapText } from "../text/wrapping.ts";

export type TableOptions = RiskOptions & Pick<View, "cluster" | "offer">;

/**
 * The output of `preflight check` for people: a headline, risks, checks that could not be completed, notices and coverage.
 * Empty sections are left out.
 */
export function formatTable(report: Report, options: TableOptions): string {
  const { bold } = createPainter(options.colour);
  const sections = [
    [bold(toLine(formatHeadline(report, options))), ...formatCluster(report, options), ...formatImage(report, options)],
    listUpdateNotes(report, options).flatMap((note) => wrapText("", note, options.width)),
    formatClearSection(report, options),
    ...formatRiskSections(report, options),
    formatUnknownSection(report, options),
    formatSection("Notices", formatNotices(report, options), options),
    wrapText("", formatCoverage(report), options.width),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

export function formatCluster(
  { clusterId }: Pick<Report, "clusterId">,
  { cluster, width }: Pick<TableOptions, "cluster" | "width">,
): readonly string[] {
  return formatClusterOrigin({ ...defined({ clusterId }) }, { ...defined({ cluster }) }).flatMap((line) =>
    wrapText("", line, width),
  );
}

/** "Release image quay.io/...@sha256:...: verified by ..." */
export function formatImage(
  { image, imageVerification }: Pick<Report, "image" | "imageVerification">,
  { width }: Pick<TableOptions, "width">,
): readonly string[] {
  if (image === undefined || imageVerification === undefined) return [];
  return wrapText("Release image ", `${image}: ${formatVerification(imageVerification)}`, width);
}

/** One block, without blank lines between the notices. */
function formatNotices({ checks }: Report, { width }: TableOptions): readonly (readonly string[])[] {
  const lines = checks.flatMap((check) =>
    getNotices(check.outcome).flatMap((notice) => wrapText(`  ${check.id}: `, notice, width)),
  );
  return lines.length === 0 ? [] : [lines];
}

function formatCoverage({ checks, coverage: { kinds, objects } }: Report): string {
  const notApplicableCount = checks.filter(isNotApplicable).length;
  const ranCount = checks.filter((check) => check.leftOut === undefined && !isNotApplicable(check)).length;
  const summary = `Read ${formatCount(kinds, "kind")} and ${formatCount(objects, "object")} for ${formatCount(ranCount, "check")}`;
  if (notApplicableCount === 0) return `${summary}.`;
  return `${summary}; ${formatCount(notApplicableCount, "check does", "checks do")} not apply to this update (see preflight list).`;
}

function isNotApplicable({ outcome }: CheckReport): boolean {
  return outcome.kind === "notApplicable";
}
