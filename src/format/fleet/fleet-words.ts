import {
  FLEET_VERDICTS,
  type FleetCell,
  type FleetCluster,
  type FleetMatrix,
  type FleetVerdict,
} from "../../model/fleet.ts";
import { formatCount } from "../../model/count.ts";
import { isOpen } from "./matrix.ts";

export const COUNT_WORDS: Readonly<Record<FleetVerdict, string>> = {
  risk: "with risks",
  failed: "could not be checked",
  invalid: "with an invalid result",
  stale: "with a stale result",
  running: "without a result yet",
  incomplete: "incomplete",
  clear: "clear",
  updated: "already updated",
};

/** A whole result without anything to do: these clusters are named, and have no row in the table. */
export const DONE: readonly FleetVerdict[] = ["clear", "updated"];

/** A mark for each cell of the clusters by risks. */
export const MARKS: Readonly<Record<FleetCell, string>> = {
  risk: "!",
  accepted: "a",
  unknown: "?",
  clear: ".",
  notApplicable: "-",
  notRun: " ",
};
export const LEGEND = "! risk   a accepted   ? could not be checked   . clear   - does not apply";

export function formatFleetTitle({ target }: FleetMatrix): string {
  return `Fleet${target === undefined ? "" : ` to ${target}`}`;
}

/** "12 clusters to 4.20: 3 with risks, 1 could not be checked, 8 clear" */
export function formatFleetHeadline({ clusters, counts, target }: FleetMatrix): string {
  const to = target === undefined ? "" : ` to ${target}`;
  const parts = FLEET_VERDICTS.flatMap((verdict) =>
    counts[verdict] > 0 ? `${counts[verdict]} ${COUNT_WORDS[verdict]}` : [],
  );
  if (clusters.length === 0)
    return `No cluster was checked${to === "" ? "" : ` for the update${to}`}: none is selected`;
  return `${formatCount(clusters.length, "cluster")}${to}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
}

/** A cluster's result in a word or two: "2 risks", "failed", "clear". */
export function formatVerdict({ verdict, risks }: FleetCluster): string {
  if (verdict === "risk") return formatCount(risks.filter(isOpen).length, "risk");
  return verdict;
}

/** What is said of clusters; `lead`: their names. */
type ClusterNote = { readonly lead: string; readonly text: string };

/** Why clusters have no whole result. A wrong network or a wrong release fails many of them. */
export function groupProblems({ clusters }: FleetMatrix): readonly ClusterNote[] {
  return groupByText(
    clusters.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [{ lead: name, text: `${problem.reason}: ${problem.message}` }],
    ),
  );
}

/** What a risk's message is on each cluster that has it. */
export function groupMessages(risk: string, { clusters }: FleetMatrix): readonly ClusterNote[] {
  return groupByText(
    clusters.flatMap(({ name, risks }) => {
      const own = risks.find((one) => one.name === risk);
      return own === undefined ? [] : [{ lead: `${name}${own.isAccepted ? " (accepted)" : ""}`, text: own.message }];
    }),
  );
}

/** Clusters of which the same is said are one entry. */
function groupByText(notes: readonly ClusterNote[]): readonly ClusterNote[] {
  const groups = Map.groupBy(notes, ({ text }) => text);
  return [...groups].map(([text, own]) => ({ lead: own.map(({ lead }) => lead).join(", "), text }));
}
