import { sortNames } from "../../model/text.ts";
import type { FleetCluster } from "./cluster.ts";
import { countWaves, findWave, type WaveCounts } from "./waves.ts";

/** What clusters are grouped by: a label that a hub has of each, a part of their names from 1, or a list of a person's own. */
export type GroupRule =
  | { readonly kind: "label"; readonly key: string }
  | { readonly kind: "part"; readonly number: number }
  | { readonly kind: "list"; readonly groups: readonly ListedGroup[] };

/** Patterns of names, in which * stands for any text. */
export type ListedGroup = { readonly name: string; readonly patterns: readonly string[] };

export type FleetGroup = {
  /** Absent of those that are in none. */
  readonly name?: string;
  readonly clusters: readonly FleetCluster[];
  readonly waves: WaveCounts;
};

/** What is between the parts of a name: "prod-eu.1" has three. */
const SEPARATORS = /[-._/:@ ]+/;

/** The cluster's group; undefined if it is in none. */
export function findGroup({ name, managed }: FleetCluster, rule: GroupRule): string | undefined {
  switch (rule.kind) {
    case "label":
      return managed?.labels.get(rule.key);
    case "part":
      return name.split(SEPARATORS).filter(Boolean)[rule.number - 1];
    case "list":
      return rule.groups.find(({ patterns }) => patterns.some((pattern) => matchesPattern(pattern, name)))?.name;
  }
}

/** The clusters by their groups: in the order of the person's list, else of their names. Those without one come last. */
export function groupClusters(clusters: readonly FleetCluster[], rule: GroupRule | undefined): readonly FleetGroup[] {
  if (rule === undefined) return [];
  const groups = Map.groupBy(clusters, ({ group }) => group);
  const names = [...groups.keys()].filter((name) => name !== undefined);
  const ordered = rule.kind === "list" ? rule.groups.map(({ name }) => name) : sortNames(names);
  return [...ordered, undefined].flatMap((name) => {
    const own = groups.get(name);
    return own === undefined ? [] : [{ name, clusters: own, waves: countWaves(own.map(findWave)) }];
  });
}

/** Whether a name is as a pattern says, in which * stands for any text. */
export function matchesPattern(pattern: string, name: string): boolean {
  return new RegExp(`^${pattern.replace(SPECIAL, "\\$&").replaceAll("*", ".*")}$`, "s").test(name);
}

const SPECIAL = /[\\^$.+?()[\]{}|]/g;
