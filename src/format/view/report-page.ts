import { formatCount } from "../../model/count.ts";
import type { CheckReport, Report } from "../../model/report.ts";
import type { Block, Line, Page } from "../text/page.ts";
import { decide } from "./decision.ts";
import { formatClusterOrigin, formatHeadline } from "./headline.ts";
import { formatVerification } from "./image-verification.ts";
import { buildListSection, listLapsedAcceptances, listNotices } from "./lists.ts";
import { buildMeaning } from "./meaning.ts";
import { buildRiskSections } from "./risk-sections.ts";
import { buildUnknownSection, TERMINAL } from "./unknown-section.ts";
import { listUpdateNotes } from "./update-notes.ts";
import type { View } from "./view.ts";

/** The decision, the risks in the order of work, what could not be checked, what was accepted, notices, and the coverage. */
export function buildReportPage(view: View): Page {
  const { report } = view;
  return {
    headline: { text: formatHeadline(report, view) },
    decision: { ...decide(report, view), basis: "" },
    lines: [
      ...formatClusterOrigin(report, view).map((text) => ({ text })),
      ...buildImageLines(report).map((line) => ({ ...line, only: [...TERMINAL, "html"] as const })),
    ],
    blocks: [
      ...listUpdateNotes(report, view).map((text): Block => ({ kind: "text", text })),
      ...buildMeaning(report),
      ...buildRiskSections(report, view),
      ...buildUnknownSection(report, view),
      ...buildListSection("Acceptances that do not count", listLapsedAcceptances(view), ["markdown", "html"]),
      ...buildListSection("Notices", listNotices(report)),
      { kind: "text", only: TERMINAL, text: formatCoverage(report) },
    ],
  };
}

/** "Release image quay.io/...@sha256:...: verified by ..." */
export function buildImageLines({ image, imageVerification }: Report): readonly Line[] {
  if (image === undefined || imageVerification === undefined) return [];
  return [{ lead: "Release image", text: `${image}: ${formatVerification(imageVerification)}` }];
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
