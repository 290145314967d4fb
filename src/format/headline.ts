import type { CheckReport, Report } from "../model/report.ts";
import { getUpdateKind } from "../model/version.ts";
import { formatCount } from "./count.ts";
import type { View } from "./view.ts";

/** "4.18.8 -> 4.20.3: 2 risks, 1 of them accepted, 1 check could not be completed" */
export function formatHeadline(
  { source, target, crdFolder, risks, checks }: Report,
  { accepted }: Pick<View, "accepted">,
): string {
  const real = risks.filter(({ unknown }) => !unknown);
  const acceptedCount = real.filter(({ name }) => accepted.has(name)).length;
  const unknownCount = checks.filter(({ outcome }) => outcome.kind === "unknown").length;
  const parts = [
    formatRiskCount(real.length, checks),
    ...(acceptedCount > 0 ? [`${acceptedCount} of them accepted`] : []),
    ...(unknownCount > 0 ? [`${formatCount(unknownCount, "check")} could not be completed`] : []),
  ];
  const note = crdFolder === undefined && source.text === target.text ? " (the cluster runs it already)" : "";
  const back = getUpdateKind(source, target) === "rollback" ? " (rolling back)" : note;
  return `${source.text} -> ${crdFolder ?? target.text}${back}: ${parts.join(", ")}`;
}

function formatRiskCount(real: number, checks: readonly CheckReport[]): string {
  if (real > 0) return formatCount(real, "risk");
  return checks.every(isNotApplicable) ? "nothing was checked" : "no risk found";
}

function isNotApplicable({ outcome }: CheckReport): boolean {
  return outcome.kind === "notApplicable";
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
