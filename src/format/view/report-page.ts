import type { ImageVerification } from "../../model/release.ts";
import { isNotApplicable, type Report } from "../../model/report.ts";
import { getUpdateKind } from "../../model/version.ts";
import { type Block, LINEAR, type Line, type Medium, type Page, TERMINAL } from "../text/page.ts";
import { buildConclusion, buildMeaning, buildReason, decide, formatBasis, VERDICTS } from "./decision.ts";
import { buildFirstScreen } from "./first-screen.ts";
import { formatClusterOrigin, formatHeadline } from "./headline.ts";
import { buildListSection, listBroughtChecks, listLapsedAcceptances, listNotices } from "./lists.ts";
import { buildRiskSections } from "./risk-sections.ts";
import { buildUnknownSection } from "./unknown-section.ts";
import { formatOffer } from "./offer.ts";
import type { View } from "./view.ts";
import { formatCount } from "../../model/count.ts";
import { formatTime } from "../../model/time.ts";
import { compareText } from "../../model/json.ts";

/** The media that show everything. */
const FULL: readonly Medium[] = ["wide", "markdown", "html"];

/** The decision, the risks in the order of work, what could not be checked, what was accepted, notices, and the coverage. */
export function buildReportPage(view: View): Page {
  const { report } = view;
  const risks = buildRiskSections(report, view);
  const open = risks.filter(({ tone }) => tone !== "accepted");
  const accepted = risks.filter(({ tone }) => tone === "accepted");
  const unknown = buildUnknownSection(report, view);
  const decision = decide(report, view);
  const notices = listNotices(report);
  const areCounted = decision.kind === "risk";
  // A release may bring many checks that are about other updates.
  const applicable = report.checks.filter((check) => !isNotApplicable(check));
  return {
    title: [report.source.text, report.crdFolder ?? report.target.text],
    ...(getUpdateKind(report.source, report.target) === "rollback" ? { context: "rolling back" } : {}),
    headline: { only: LINEAR, lead: VERDICTS[decision.kind], text: formatHeadline(report, view) },
    decision: { ...decision, basis: formatBasis(view) },
    lines: [
      ...buildReason(report, view),
      ...formatClusterOrigin(report, view).map((text) => ({ text })),
      ...buildImageLines(report).map((line) => ({ ...line, only: ["wide"] as const })),
    ],
    observedAt: formatTime(report.observedAt),
    blocks: [
      ...listUpdateNotes(report, view).map((text): Block => ({ kind: "text", text })),
      ...buildMeaning(report),
      ...buildImageFacts(report),
      ...buildFirstScreen(report, risks),
      ...open.map((section): Block => ({ ...section, only: FULL })),
      ...accepted.map((section): Block => ({ ...section, only: ["wide", "markdown"] })),
      ...unknown,
      ...accepted.map((section): Block => ({ ...section, only: ["html"] })),
      ...buildListSection("Acceptances that do not count", listLapsedAcceptances(view), ["markdown", "html"]),
      ...buildListSection("Notices", notices, areCounted ? FULL : undefined),
      ...buildListSection("Checks of others", listBroughtChecks(report.checks), FULL),
      ...buildListSection("Checks of others", listBroughtChecks(applicable), ["terminal"]),
      ...buildEnd(report, view, areCounted ? notices.length : 0),
      buildCoverage(view, risks.length + unknown.length === 0),
    ],
  };
}

/** What the verdict rests on, and the verdict again, where a reader's eyes are when the output ends. */
function buildEnd(report: Report, view: View, noticeCount: number): readonly Block[] {
  const coverage = formatCoverage(report);
  const counted = noticeCount === 0 ? coverage : `${formatCount(noticeCount, "notice")} (-o wide). ${coverage}`;
  const blocks: readonly Block[] = [
    ...buildImageLines(report).map((line): Block => ({ kind: "line", ...line, only: ["terminal"] })),
    { kind: "text", only: ["terminal"], text: counted },
    { kind: "text", only: ["wide"], text: coverage },
  ];
  return [{ kind: "panel", only: TERMINAL, blocks }, ...buildConclusion(report, view)];
}

/** "Release image quay.io/...@sha256:...: verified by ..." */
export function buildImageLines({ image, imageVerification }: Report): readonly Line[] {
  if (image === undefined || imageVerification === undefined) return [];
  return [{ lead: "Release image", text: `${image}: ${formatVerification(imageVerification)}` }];
}

/** What is known of an image's signature, in the words beside the image. Why it isn't trusted stands with the check that says so. */
export function formatVerification({ status, message }: ImageVerification): string {
  switch (status) {
    case "Verified":
      return message;
    case "Untrusted":
      return "not signed by a key that this cluster trusts";
    case "Unknown":
      return "could not be verified";
  }
}

/** The same below the decision, since what it comes to is read first. */
export function buildImageFacts({ image, imageVerification }: Report): readonly Block[] {
  if (image === undefined || imageVerification === undefined) return [];
  const rows = [["Release image", image] as const, ["Signature", formatVerification(imageVerification)] as const];
  return [{ kind: "facts", only: ["html"], labelWidth: 0, rows }];
}

/** What is said of the update as a whole, each in one or more sentences: how it is offered. */
export function listUpdateNotes(report: Report, { offer }: Pick<View, "offer">): readonly string[] {
  return offer === undefined ? [] : [formatOffer(offer, report)];
}

/** What was read, and the checks that found nothing or don't apply. Without any risk, that is what there is to read. */
function buildCoverage({ report: { checks, coverage }, document }: View, isOpen: boolean): Block {
  const sorted = checks.toSorted((a, b) => compareText(a.id, b.id));
  const clear = sorted.filter(({ outcome }) => outcome.kind === "clear").map(({ id, title }) => [id, title] as const);
  const idle = sorted.flatMap(({ id, outcome }) =>
    outcome.kind === "notApplicable" ? [[id, outcome.reason] as const] : [],
  );
  const runner = document.runner?.version === undefined ? "" : ` by preflight ${document.runner.version}`;
  const read = `${formatCount(coverage.kinds, "kind")} and ${formatCount(coverage.objects, "object")} were read${runner}.`;
  return {
    kind: "section",
    only: ["html"],
    heading: "Coverage",
    blocks: [
      { kind: "text", text: read },
      buildChecks(`${formatCount(clear.length, "check")} found nothing`, clear, isOpen),
      buildChecks(`${formatCount(idle.length, "check does", "checks do")} not apply to this update`, idle, false),
    ],
  };
}

function buildChecks(summary: string, rows: readonly (readonly [id: string, text: string])[], isOpen: boolean): Block {
  return { kind: "details", summary, isOpen, blocks: [{ kind: "facts", labelWidth: 0, rows }] };
}

/** The same in one sentence. */
function formatCoverage({ checks, coverage: { kinds, objects } }: Report): string {
  const notApplicableCount = checks.filter(isNotApplicable).length;
  const ranCount = checks.filter((check) => check.leftOut === undefined && !isNotApplicable(check)).length;
  const summary = `Read ${formatCount(kinds, "kind")}, ${formatCount(objects, "object")} for ${formatCount(ranCount, "check")}`;
  if (notApplicableCount === 0) return `${summary}.`;
  return `${summary}; ${notApplicableCount} ${notApplicableCount === 1 ? "does" : "do"} not apply (preflight list).`;
}
