import type { Platform } from "../../model/check.ts";
import { formatCount } from "../../model/count.ts";
import { joinNames, MAX_NAMED } from "../../model/names.ts";
import type { CheckReport, OutcomeKind, Report } from "../../model/report.ts";
import { getPlatform } from "../../model/target-version.ts";
import { isComplete, UNSEEN_RISKS } from "../../model/unseen.ts";
import { type Block, TERMINAL } from "../text/page.ts";
import { countUnseenChecks } from "./headline.ts";

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
export function formatMeaning(report: Report): string {
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
