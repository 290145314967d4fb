import { formatCount } from "../../model/count.ts";
import type { Report } from "../../model/report.ts";
import { selectOpenUnseen, UNSEEN_RISKS, type Unseen } from "../../model/unseen.ts";
import { countUnseenChecks } from "./headline.ts";
import { formatMeaning } from "./meaning.ts";
import type { View } from "./view.ts";

/** What a report means for the update. The exit code of `check` says the same: 3, 4 and 0. `next`: what would decide it. */
export type Decision = {
  readonly kind: "risk" | "incomplete" | "clear";
  readonly words: string;
  readonly next?: string;
};

export function decide(report: Report, { accepted }: Pick<View, "accepted">): Decision {
  const found = report.risks.filter(({ unknown }) => !unknown);
  if (found.some(({ name }) => !accepted.has(name))) return { kind: "risk", words: "Don't update yet" };
  const open = selectOpenUnseen(report, accepted);
  if (open.length > 0) return { kind: "incomplete", ...describeUnseen(open) };
  if (found.length > 0) return { kind: "clear", words: "Only accepted risks were found" };
  const isAllSeen = report.unseen.length === 0;
  return {
    kind: "clear",
    words: isAllSeen ? "No risk was found" : "No risk was found, and what was not seen is accepted",
  };
}

/** In the order in which the first that applies is told. */
const CAUSES: readonly (readonly [risk: string, words: string, next: string])[] = [
  [UNSEEN_RISKS.leftOut, "some checks were left out", "Run them too."],
  [UNSEEN_RISKS.minorsBetween, "only the last release was checked", 'Check each update with "preflight plan".'],
  [UNSEEN_RISKS.nothingChecked, "nothing was checked", "Read the release notes."],
];

function describeUnseen(open: readonly Unseen[]): Pick<Decision, "words" | "next"> {
  const names = new Set(CAUSES.map(([name]) => name));
  const isIncomplete = open.some(({ risk }) => !names.has(risk));
  const cause = isIncomplete ? undefined : CAUSES.find(([name]) => open.some(({ risk }) => risk === name));
  const [, words, next] = cause ?? ["", "some checks could not be completed", "Complete them, and check again."];
  return { words: `Not decided: ${words}`, next };
}

/** "5 risks, 1 of them accepted. 27 of 38 checks apply to this update; 1 could not be completed." */
export function formatBasis({ report, accepted }: View): string {
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
