import { type CheckReport, isNotApplicable, type Report } from "../../model/report.ts";
import { getUpdateKind } from "../../model/version.ts";
import { UNSEEN_RISKS } from "../../model/unseen.ts";
import { formatCount } from "../../model/count.ts";
import type { View } from "./view.ts";
import type { Accepted } from "./work-order.ts";

/** "4.18.8 -> 4.20.3: 2 risks, 1 of them accepted, 1 check could not be completed" */
export function formatHeadline(
  { source, target, crdFolder, risks, checks, unseen }: Report,
  { accepted }: Accepted,
): string {
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
  const note = crdFolder === undefined && source.text === target.text ? " (the cluster runs it already)" : "";
  const back = getUpdateKind(source, target) === "rollback" ? " (rolling back)" : note;
  return `${source.text} -> ${crdFolder ?? target.text}${back}: ${parts.join(", ")}`;
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

/** Which cluster it is: the id alone does not tell a person, and names of contexts can mislead. */
export function formatClusterOrigin(
  { clusterId }: Pick<Report, "clusterId">,
  { cluster }: Pick<View, "cluster">,
): readonly string[] {
  const id = clusterId === undefined ? "" : ` ${clusterId}`;
  if (cluster === undefined) return id === "" ? [] : [`Cluster${id}`];
  if (cluster.kind === "recorded") return [`Recorded cluster${id} in ${cluster.folder}`];
  if (cluster.kind === "must-gather") {
    const when = cluster.takenAt === undefined ? "which does not say when it was taken" : `taken ${cluster.takenAt}`;
    return [`Must-gather of ${id === "" ? "a cluster" : `cluster${id}`}: ${cluster.path}, ${when}`];
  }
  const lead = id === "" ? "Context" : `Cluster${id}, context`;
  return [`${lead} ${cluster.context}, ${cluster.server}`];
}
