import { compareText, type JsonObject } from "../model/json.ts";
import { findAlertTarget } from "./objects/alert-risk.ts";
import { compareReleaseVersions, getClusterUpdates, nameOf, risksOf, versionOf } from "./objects/cluster-updates.ts";

/** A risk that the operator made of an alert on a preflight's risk. */
export type AlertRisk = {
  readonly name: string;
  /** The preflight's target. */
  readonly target: string;
  /** The other offered updates that have this risk too, in the order of their versions. */
  readonly otherUpdates: readonly string[];
};

/** The alerts' risks in ClusterVersion, by name and target. An alert has no target of its own, so the operator shows it on every update. */
export function findAlertRisks(clusterVersion: JsonObject): readonly AlertRisk[] {
  const found = getClusterUpdates(clusterVersion).conditional.flatMap((update) =>
    risksOf(update).flatMap((risk) => {
      const target = findAlertTarget(risk);
      return target === undefined ? [] : [{ name: nameOf(risk), target, version: versionOf(update) }];
    }),
  );
  const groups = Map.groupBy(found, ({ name, target }) => `${name} ${target}`);
  return [...groups.values()].flatMap(summarizeGroup).toSorted((a, b) => compareText(a.name, b.name));
}

function summarizeGroup(
  group: readonly { readonly name: string; readonly target: string; readonly version: string }[],
): readonly AlertRisk[] {
  const [first] = group;
  if (first === undefined) return [];
  const { name, target } = first;
  const versions = new Set(group.map(({ version }) => version).filter((version) => version !== target));
  return [{ name, target, otherUpdates: [...versions].toSorted(compareReleaseVersions) }];
}
