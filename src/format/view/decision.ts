import { EFFECTS } from "../../model/check.ts";
import { formatCount } from "../../model/count.ts";
import { joinNames, MAX_NAMED } from "../../model/names.ts";
import type { CheckReport, OutcomeKind, Report } from "../../model/report.ts";
import { getPlatform, type Platform } from "../../model/target-version.ts";
import { isComplete, selectOpenUnseen, UNSEEN_RISKS, type Unseen } from "../../model/unseen.ts";
import { type Block, type Line, TERMINAL } from "../text/page.ts";
import { countUnseenChecks } from "./headline.ts";
import type { View } from "./view.ts";
import { type Accepted, compareRisks, EFFECT_VERBS, formatLeadTime, getEffect } from "./work-order.ts";

/** What a report means for the update. The exit code of `check` says the same: 3, 4 and 0. `next`: what would decide it. */
export type Decision = {
  readonly kind: "risk" | "incomplete" | "clear";
  readonly words: string;
  readonly next?: string;
};

export function decide(report: Report, { accepted }: Accepted): Decision {
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

/** Stands before the headline, which says it of itself where nothing is open. */
export const VERDICTS: Readonly<Record<Decision["kind"], string | undefined>> = {
  risk: "Don't update yet.",
  incomplete: "Not decided.",
  clear: undefined,
};

/** "Why: 1 refuses the update and 2 break something." */
export function buildReason(report: Report, view: Accepted): readonly Line[] {
  const open = listOpenRisks(report, view);
  if (open.length === 0) return [];
  const counts = EFFECTS.map((effect) => [effect, open.filter((risk) => getEffect(risk) === effect).length] as const);
  const parts = counts.flatMap(([effect, count]) =>
    count === 0 ? [] : [`${count} ${EFFECT_VERBS[effect][count === 1 ? 0 : 1]}`],
  );
  return [{ only: TERMINAL, text: `Why: ${joinNames(parts)}.` }];
}

/** The decision again, and where to begin. */
export function buildConclusion(report: Report, view: Accepted): readonly Block[] {
  const { kind, words, next } = decide(report, view);
  const text = [`${words}.`, ...formatNext(next, report, view)].join(" ");
  return [
    { kind: "text", only: ["terminal"], text: kind === "risk" ? `${text} All details: -o wide.` : text, verdict: kind },
    { kind: "text", only: ["wide"], text, verdict: kind },
  ];
}

function formatNext(next: string | undefined, report: Report, view: Accepted): readonly string[] {
  const [first] = listOpenRisks(report, view);
  if (first === undefined) return next === undefined ? [] : [next];
  const takes = formatLeadTime(first);
  return [`Next: ${first.name}${takes === undefined ? "" : ` (${takes})`}.`];
}

/** In the order of work. */
function listOpenRisks({ risks }: Report, { accepted }: Accepted): Report["risks"] {
  return risks.filter(({ unknown, name }) => !unknown && !accepted.has(name)).toSorted(compareRisks);
}

/** What it means that no risk was found, and by which checks; empty if there are risks. */
export function buildMeaning(report: Report): readonly Block[] {
  if (report.risks.some(({ unknown }) => !unknown)) return [];
  const clear = selectChecks(report, "clear").map(({ id }) => id);
  const idle = selectChecks(report, "notApplicable");
  const rows = [...(clear.length === 0 ? [] : [["Clear", clear.join(", ")] as const]), ...listIdle(idle)];
  return [
    { kind: "text", only: [...TERMINAL, "markdown"], text: formatMeaning(report) },
    ...(rows.length === 0 ? [] : [{ kind: "facts", only: TERMINAL, labelWidth: 15, rows } as const]),
  ];
}

/** What it means that no risk was found. */
function formatMeaning(report: Report): string {
  const clear = selectChecks(report, "clear").length;
  if (!isComplete(report)) return `This is not an all-clear: ${explainUnseen(report)}`;
  return (
    `${formatCount(clear, "check")} found nothing on this cluster that ${report.crdFolder ?? report.target.text} would reject or break. ` +
    `Other risks are possible: ${FURTHER_READING[getPlatform(report.source)]}`
  );
}

function explainUnseen({ unseen }: Pick<Report, "unseen">): string {
  const names = new Set(unseen.map(({ risk }) => risk));
  if (names.has(UNSEEN_RISKS.nothingChecked))
    return "none of the checks applies to this update, so nothing was checked. The update may have risks that no check covers.";
  if (names.size === 1 && names.has(UNSEEN_RISKS.minorsBetween))
    return "the updates to the minors between may have risks.";
  const [leftOutCount, incompleteCount] = countUnseenChecks({ unseen });
  if (incompleteCount > 0) return "the checks that could not be completed may have found risks.";
  return leftOutCount > 0 ? "the checks that were left out may have found risks." : "";
}

const FURTHER_READING: Readonly<Record<Platform, string>> = {
  openshift:
    'read the release notes too, and run "oc adm upgrade recommend" (oc 4.20 or later) to check the cluster\'s health.',
  kubernetes: "read the release notes (https://kubernetes.io/releases/notes/) too, and those of your distribution.",
};

/** One row for each reason. On Kubernetes without OpenShift, most checks share one. */
function listIdle(checks: readonly CheckReport[]): readonly (readonly [string, string])[] {
  const reasons = Map.groupBy(checks, ({ outcome }) => (outcome.kind === "notApplicable" ? outcome.reason : ""));
  return [...reasons].map(([reason, group], i) => {
    const names = group.length > MAX_NAMED ? formatCount(group.length, "check") : joinNames(group.map(({ id }) => id));
    return [i === 0 ? "Not applicable" : "", `${names}: ${reason}`];
  });
}

function selectChecks({ checks }: Report, kind: OutcomeKind): readonly CheckReport[] {
  return checks.filter(({ outcome }) => outcome.kind === kind);
}
