import type { ImageVerification } from "../../model/release.ts";
import { type Report, isNotApplicable } from "../../model/report.ts";
import { getUpdateKind } from "../../model/version.ts";
import { type Block, FULL, LINEAR, type Line, type Page, TERMINAL } from "../text/page.ts";
import {
  buildConclusion,
  buildMeaning,
  buildReason,
  decide,
  formatBasis,
  VERDICTS,
  formatClusterOrigin,
} from "./decision.ts";
import { buildHeadline, buildLeftOut, buildPart, isPartial } from "./partial-result.ts";
import { buildFirstScreen, buildNewBriefs, buildRiskSections } from "./risk-sections.ts";
import { buildFilesSection } from "./finding-files.ts";
import { buildListAge, buildListSection, listBroughtChecks, listLapsedAcceptances, listNotices } from "./lists.ts";
import { buildUnknownSection } from "./unknown-section.ts";
import type { View } from "./view.ts";
import { formatCount, joinNames } from "../../model/text.ts";
import { removeListAge } from "../../model/list-age.ts";
import { formatTime } from "../../model/time.ts";
import type { Exposure, Recommendation, TargetOffer } from "../../model/route.ts";

/** The decision, the risks in the order of work, what could not be checked, what was accepted, notices, and the coverage. */
export function buildReportPage(view: View): Page {
  const { report } = view;
  const risks = buildRiskSections(report, view);
  const open = risks.filter(({ tone }) => tone !== "accepted");
  const accepted = risks.filter(({ tone }) => tone === "accepted");
  const unknown = buildUnknownSection(report, view);
  const decision = decide(report, view);
  const notices = listNotices(report);
  const isPart = isPartial(view);
  const areCounted = decision.kind === "risk" || view.recheck !== undefined;
  // A release may bring many checks that are about other updates.
  const applicable = report.checks.filter((check) => !isNotApplicable(check));
  return {
    title: [report.source.text, report.crdFolder ?? report.target.text],
    context: getUpdateKind(report.source, report.target) === "rollback" ? "rolling back" : undefined,
    headline: { only: LINEAR, ...buildHeadline(report, view, VERDICTS[decision.kind]) },
    decision: { ...decision, basis: formatBasis(view) },
    lines: [
      ...(isPart ? [] : buildReason(report, view)),
      ...formatClusterOrigin(report, view).map((text) => ({ text })),
      ...buildImageLines(report).map((line) => ({ ...line, only: ["wide"] as const })),
    ],
    observedAt: formatTime(report.observedAt),
    blocks: [
      ...buildPart(report, view),
      ...listUpdateNotes(report, view).map((text): Block => ({
        kind: "text",
        only: view.recheck === undefined ? undefined : FULL,
        text,
      })),
      ...(isPart ? [] : buildMeaning(report, view)),
      ...buildImageFacts(report),
      ...(view.recheck === undefined ? buildFirstScreen(report, risks) : buildNewBriefs(risks, view.recheck)),
      ...buildLeftOut(report),
      ...open.map((section): Block => ({ ...section, only: FULL })),
      ...accepted.map((section): Block => ({ ...section, only: ["wide", "markdown"] })),
      ...unknown.map((section): Block => ({ ...section, only: view.recheck === undefined ? undefined : FULL })),
      ...accepted.map((section): Block => ({ ...section, only: ["html"] })),
      ...buildListSection("Acceptances that do not count", listLapsedAcceptances(view), ["markdown", "html"]),
      ...buildListSection("Notices", notices, areCounted ? FULL : undefined),
      ...buildListSection("Checks of others", listBroughtChecks(report.checks), FULL),
      ...(isPart ? [] : buildListSection("Checks of others", listBroughtChecks(applicable), ["terminal"])),
      ...buildFilesSection(view.files),
      ...buildListAge([report]),
      ...buildEnd(report, view, areCounted ? notices.length : 0),
      buildCoverage(view, risks.length + unknown.length === 0),
    ],
  };
}

/** What the verdict rests on, and the verdict again, where a reader's eyes are when the output ends. */
function buildEnd(report: Report, view: View, noticeCount: number): readonly Block[] {
  const coverage = formatCoverage(report, isPartial(view));
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
  const clear = checks.filter(({ outcome }) => outcome.kind === "clear").map(({ id, title }) => [id, title] as const);
  const idle = checks.flatMap(({ id, outcome }) =>
    outcome.kind === "notApplicable" ? [[id, removeListAge(outcome.reason)] as const] : [],
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
function formatCoverage({ checks, coverage: { kinds, objects } }: Report, isPart: boolean): string {
  const notApplicableCount = checks.filter(isNotApplicable).length;
  const ranCount = checks.filter((check) => check.leftOut === undefined && !isNotApplicable(check)).length;
  const summary = `Read ${formatCount(kinds, "kind")}, ${formatCount(objects, "object")} for ${formatCount(ranCount, "check")}`;
  if (notApplicableCount === 0 || isPart) return `${summary}.`;
  return `${summary}; ${notApplicableCount} ${notApplicableCount === 1 ? "does" : "do"} not apply (preflight list).`;
}

/** The check that judges the conditions of the update. */
const CHECK = "conditional-updates";

/** What the update service says of the target: one or more sentences. */
function formatOffer({ recommendation, updates = 0, channel }: TargetOffer, report: Report): string {
  const target = report.target.text;
  const selecting =
    report.isHosted === true
      ? "the HostedCluster's spec.channel selects the channel, on the management cluster"
      : `"oc adm upgrade channel ${channel}" selects the channel`;
  const needed = channel === undefined ? "" : ` The channel ${channel} has it (${selecting}).`;
  if (recommendation.kind === "notOffered" && updates > 1)
    return `The update service does not offer ${target} directly; it is ${updates} updates away ("preflight plan --to ${target}" lists them).${needed}`;
  return `${formatRecommendation(recommendation, report)}${needed}`;
}

function formatRecommendation(recommendation: Recommendation, report: Report): string {
  const target = report.target.text;
  switch (recommendation.kind) {
    case "recommended":
      return `The update service recommends ${target}.`;
    case "conditional":
      return `The update service offers ${target} with conditions: ${joinNames(recommendation.risks.map(({ name }) => name))}. ${formatExposure(recommendation.exposure, report)}`;
    case "notOffered":
      return `The update service does not offer ${target} to this cluster.`;
    case "unknown":
      return `What the update service says of ${target} was not read.`;
  }
}

/** Whether the conditions concern the cluster: what the operator found, and else what the check says, which knows more than the operator. */
function formatExposure(exposure: Exposure, { checks }: Report): string {
  if (exposure === "exposed") return "The cluster-version operator found that they concern this cluster.";
  if (exposure === "notExposed") return "The cluster-version operator found that they don't concern this cluster.";
  const kind = checks.find(({ id }) => id === CHECK)?.outcome.kind;
  if (kind === "clear" || kind === "risk") return `The check ${CHECK} says which of them concern this cluster.`;
  return "Whether all of them concern this cluster is not known: not all of them have been evaluated.";
}

/** The fields of an offer in JSON. */
export function buildOfferJson({ recommendation, updates, channel }: TargetOffer): object {
  return { ...buildRecommendationJson(recommendation), updates, channel };
}

export function buildRecommendationJson(recommendation: Recommendation): object {
  if (recommendation.kind !== "conditional") return { recommendation: recommendation.kind };
  const { risks, exposure } = recommendation;
  const publishedRisks = risks.map(({ name, message, url }) => ({ name, message, url }));
  return { recommendation: "conditional", exposure, publishedRisks };
}
