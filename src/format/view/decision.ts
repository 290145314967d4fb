import { EFFECTS } from "../../model/check.ts";
import { capitalize, formatCount, joinNames, MAX_NAMED } from "../../model/text.ts";
import { type CheckReport, type OutcomeKind, type Report, isNotApplicable } from "../../model/report.ts";
import { type Platform, getPlatform, getUpdateKind } from "../../model/version.ts";
import { type Unseen, isComplete, selectOpenUnseen, UNSEEN_RISKS } from "../../model/unseen.ts";
import { type Block, type Line, TERMINAL } from "../text/page.ts";
import { type View, type Accepted, compareRisks, formatLeadTime, getEffect, getEffectVerbs } from "./view.ts";

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
  if (cause?.[0] === UNSEEN_RISKS.leftOut && open.every(({ unknown }) => unknown.where === "--recheck"))
    return {
      words: "Not decided: not every check was run again",
      next: 'Run all of them: add "--all", or leave "--recheck" out.',
    };
  return { words: `Not decided: ${words}`, next };
}

/** "5 risks, 1 of them accepted. 27 of 38 checks apply to this update; 1 could not be completed." */
export function formatBasis({ report, accepted, cluster }: View): string {
  const found = report.risks.filter(({ unknown }) => !unknown);
  if (found.length === 0) return formatMeaning(report, cluster);
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
  const verbs = getEffectVerbs(report);
  const parts = counts.flatMap(([effect, count]) =>
    count === 0 ? [] : [`${count} ${verbs[effect][count === 1 ? 0 : 1]}`],
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
export function buildMeaning(report: Report, { cluster }: Pick<View, "cluster">): readonly Block[] {
  if (report.risks.some(({ unknown }) => !unknown)) return [];
  const clear = selectChecks(report, "clear").map(({ id }) => id);
  const idle = selectChecks(report, "notApplicable");
  const rows = [...(clear.length === 0 ? [] : [["Clear", clear.join(", ")] as const]), ...listIdle(idle)];
  return [
    { kind: "text", only: [...TERMINAL, "markdown"], text: formatMeaning(report, cluster) },
    ...(rows.length === 0 ? [] : [{ kind: "facts", only: TERMINAL, labelWidth: 15, rows } as const]),
  ];
}

/** What it means that no risk was found. */
function formatMeaning(report: Report, cluster: View["cluster"]): string {
  const clear = selectChecks(report, "clear").length;
  if (!isComplete(report)) return `This is not an all-clear: ${explainUnseen(report)}`;
  return (
    `${formatCount(clear, "check")} found nothing on this cluster that ${report.crdFolder ?? report.target.text} would reject or break. ` +
    `Other risks are possible: ${FURTHER_READING[findPart(report, cluster)]}`
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

type CheckedPart = Platform | "guest" | "hostedCluster" | "bothHalves";

/** Of a cluster with a hosted control plane, either half is checked, or both. */
function findPart({ isHosted, source }: Report, cluster: View["cluster"]): CheckedPart {
  if (cluster?.hostedCluster !== undefined) return cluster.guest === undefined ? "hostedCluster" : "bothHalves";
  return isHosted === true ? "guest" : getPlatform(source);
}

const FURTHER_READING: Readonly<Record<CheckedPart, string>> = {
  guest:
    "read the release notes too, and have the HostedCluster and its NodePools looked at, on the management cluster: this checks the guest alone.",
  openshift:
    'read the release notes too, and run "oc adm upgrade recommend" (oc 4.20 or later) to check the cluster\'s health.',
  hostedCluster: "read the release notes too, and check the hosted cluster itself with its own kubeconfig.",
  bothHalves: "read the release notes too, and have the management cluster itself checked for its own updates.",
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

/** "4.18.8 -> 4.20.3", with what is unusual about it. */
export function formatUpdate({ source, target, crdFolder }: Pick<Report, "source" | "target" | "crdFolder">): string {
  const note = crdFolder === undefined && source.text === target.text ? " (the cluster runs it already)" : "";
  const back = getUpdateKind(source, target) === "rollback" ? " (rolling back)" : note;
  return `${source.text} -> ${crdFolder ?? target.text}${back}`;
}

/** "4.18.8 -> 4.20.3: 2 risks, 1 of them accepted, 1 check could not be completed" */
export function formatHeadline(report: Report, { accepted }: Accepted): string {
  const { risks, checks, unseen } = report;
  const real = risks.filter(({ unknown }) => !unknown);
  const acceptedCount = real.filter(({ name }) => accepted.has(name)).length;
  const [leftOutCount, unknownCount] = countUnseenChecks({ unseen });
  const parts = [
    formatRiskCount(real.length, checks),
    ...(acceptedCount > 0 ? [`${acceptedCount} of them accepted`] : []),
    ...(unknownCount > 0 ? [`${formatCount(unknownCount, "check")} could not be completed`] : []),
    ...(leftOutCount > 0 ? [`${formatCount(leftOutCount, "check")} left out`] : []),
    ...(unseen.some(({ risk }) => risk === UNSEEN_RISKS.minorsBetween) ? ["only the last release checked"] : []),
  ];
  return `${formatUpdate(report)}: ${parts.join(", ")}`;
}

/** How many checks were left out, and how many of the others could not be completed. */
export function countUnseenChecks({ unseen }: Pick<Report, "unseen">): readonly [leftOut: number, incomplete: number] {
  const count = (isLeftOut: boolean): number =>
    new Set(
      unseen.filter(({ risk }) => (risk === UNSEEN_RISKS.leftOut) === isLeftOut).flatMap(({ check }) => check ?? []),
    ).size;
  return [count(true), count(false)];
}

function formatRiskCount(real: number, checks: readonly CheckReport[]): string {
  if (real > 0) return formatCount(real, "risk");
  return checks.every(isNotApplicable) ? "nothing was checked" : "no risk found";
}

function formatPlace(lead: string, cluster: NonNullable<View["cluster"]>): readonly string[] {
  return formatClusterOrigin({}, { cluster }).map((line) => `${lead}: ${line}`);
}

/** Which cluster it is: the id alone does not tell a person, and names of contexts can mislead. */
export function formatClusterOrigin(
  { clusterId, isHosted }: Pick<Report, "clusterId" | "isHosted">,
  { cluster }: Pick<View, "cluster">,
): readonly string[] {
  const id = clusterId === undefined ? "" : ` ${clusterId}`;
  if (cluster?.hostedCluster !== undefined) {
    const { hostedCluster, guest, ...management } = cluster;
    return [
      `HostedCluster ${hostedCluster}${id === "" ? "" : `, cluster${id}`}`,
      ...formatPlace("Management cluster", management),
      ...(guest === undefined ? [] : formatPlace("Guest", guest)),
    ];
  }
  const noun = isHosted === true ? "hosted cluster" : "cluster";
  if (cluster === undefined) return id === "" && isHosted !== true ? [] : [`${capitalize(noun)}${id}`];
  if (cluster.kind === "recorded") return [`Recorded ${noun}${id} in ${cluster.folder}`];
  if (cluster.kind === "must-gather") {
    const when = cluster.takenAt === undefined ? "which does not say when it was taken" : `taken ${cluster.takenAt}`;
    return [`Must-gather of ${id === "" ? `a ${noun}` : `${noun}${id}`}: ${cluster.path}, ${when}`];
  }
  const lead = id === "" && isHosted !== true ? "Context" : `${capitalize(noun)}${id}, context`;
  return [`${lead} ${cluster.context}, ${cluster.server}`];
}
