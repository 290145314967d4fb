import type { Report } from "../../model/report.ts";
import { getUpdateKind } from "../../model/version.ts";
import { type Block, type Line, type Page, SCREEN, TERMINAL } from "../text/page.ts";
import { buildCoverage, formatCoverage } from "./coverage.ts";
import { decide, formatBasis } from "./decision.ts";
import { formatClusterOrigin, formatHeadline } from "./headline.ts";
import { formatVerification } from "./image-verification.ts";
import { buildListSection, listLapsedAcceptances, listNotices } from "./lists.ts";
import { buildMeaning } from "./meaning.ts";
import { buildRiskSections } from "./risk-sections.ts";
import { buildUnknownSection } from "./unknown-section.ts";
import { formatOffer } from "./offer.ts";
import type { View } from "./view.ts";

/** The decision, the risks in the order of work, what could not be checked, what was accepted, notices, and the coverage. */
export function buildReportPage(view: View): Page {
  const { report } = view;
  const risks = buildRiskSections(report, view);
  const [open, accepted] = [
    risks.filter(({ tone }) => tone !== "accepted"),
    risks.filter(({ tone }) => tone === "accepted"),
  ];
  const unknown = buildUnknownSection(report, view);
  return {
    title: [report.source.text, report.crdFolder ?? report.target.text],
    ...(getUpdateKind(report.source, report.target) === "rollback" ? { context: "rolling back" } : {}),
    headline: { only: [...TERMINAL, "markdown"], text: formatHeadline(report, view) },
    decision: { ...decide(report, view), basis: formatBasis(view) },
    lines: [
      ...formatClusterOrigin(report, view).map((text) => ({ text })),
      ...buildImageLines(report).map((line) => ({ ...line, only: SCREEN })),
    ],
    blocks: [
      ...listUpdateNotes(report, view).map((text): Block => ({ kind: "text", text })),
      ...buildMeaning(report),
      ...open,
      ...accepted.map((section): Block => ({ ...section, only: [...TERMINAL, "markdown"] })),
      ...unknown,
      ...accepted.map((section): Block => ({ ...section, only: ["html"] })),
      ...buildListSection("Acceptances that do not count", listLapsedAcceptances(view), ["markdown", "html"]),
      ...buildListSection("Notices", listNotices(report)),
      { kind: "text", only: TERMINAL, text: formatCoverage(report) },
      buildCoverage(view, risks.length + unknown.length === 0),
    ],
  };
}

/** "Release image quay.io/...@sha256:...: verified by ..." */
export function buildImageLines({ image, imageVerification }: Report): readonly Line[] {
  if (image === undefined || imageVerification === undefined) return [];
  return [{ lead: "Release image", text: `${image}: ${formatVerification(imageVerification)}` }];
}

/** What is said of the update as a whole, each in one or more sentences: how it is offered. */
export function listUpdateNotes(report: Report, { offer }: Pick<View, "offer">): readonly string[] {
  return offer === undefined ? [] : [formatOffer(offer, report)];
}
