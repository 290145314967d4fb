import { decide } from "../../view/decision.ts";
import { formatCount } from "../../../model/count.ts";
import { countUnseenChecks } from "../../view/headline.ts";
import { formatMeaning } from "../../view/meaning.ts";
import type { View } from "../../view/view.ts";
import type { RiskGroup } from "../../view/work-order.ts";
import { formatDecisionPanel } from "../../text/html/shell.ts";

/** A part of the page with cards under one heading. */
export type Section = {
  readonly kind: RiskGroup["kind"] | "unknown";
  readonly heading: string;
  /** Before the cards: what concerns all of them. */
  readonly lead?: readonly string[];
  readonly cards: readonly string[];
};

/** The decision on top, what it rests on, and the way to each part. */
export function formatDecision(view: View, sections: readonly Section[]): string {
  const tiles = sections.map(
    ({ kind, heading, cards }) =>
      `<li><a class="tile ${kind}" href="#${kind}"><b>${cards.length}</b> ${heading}</a></li>`,
  );
  return formatDecisionPanel(decide(view.report, view), formatBasis(view), tiles);
}

/** "5 risks, 1 of them accepted. 27 of 38 checks apply to this update; 1 could not be completed." */
function formatBasis({ report, accepted }: View): string {
  const found = report.risks.filter(({ unknown }) => !unknown);
  if (found.length === 0) return formatMeaning(report);
  const acceptedCount = found.filter(({ name }) => accepted.has(name)).length;
  const applied = report.checks.filter(({ outcome }) => outcome.kind !== "notApplicable").length;
  const [leftOut, incomplete] = countUnseenChecks(report);
  const risks = `${formatCount(found.length, "risk")}${acceptedCount > 0 ? `, ${acceptedCount} of them accepted` : ""}`;
  const notes = [
    `${applied} of ${formatCount(report.checks.length, "check")} apply to this update`,
    ...(incomplete > 0 ? [`${incomplete} could not be completed`] : []),
    ...(leftOut > 0 ? [`${leftOut} ${leftOut === 1 ? "was" : "were"} left out`] : []),
  ];
  return `${risks}. ${notes.join("; ")}.`;
}
