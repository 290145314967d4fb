import type { Context } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { joinNames } from "../../model/names.ts";
import { type CapabilityEnums, type CapabilityValue, selectValues } from "./enums.ts";

/** "A", "A and B", "A, B and C", sorted. */
export function joinSorted(names: readonly string[]): string {
  return joinNames(names.toSorted(compareText));
}

/** What stands in the way back, said before going forward. `installed` is what the cluster's API accepts today. */
export function buildRollbackNotices(
  installed: CapabilityEnums,
  target: CapabilityEnums,
  context: Context,
): readonly string[] {
  const targetNames = target.known ?? context.release.capabilities.known;
  const rejected = targetNames.filter((name) => installed.known?.includes(name) === false);
  if (rejected.length === 0) return [];
  const [from, to] = [context.target.text, context.source.text];
  return [
    `After this update a rollback from ${from} to ${to} would break: ${from} writes ${joinSorted(rejected)} to status.capabilities of ClusterVersion version, and the API of ${to} rejects ${rejected.length === 1 ? "it" : "them"} as "Unsupported value".`,
  ];
}

/** With the set vCurrent, which is also what an unset one means, every capability is asked for, and none is a surprise. */
export function buildImplicitNotices(
  values: readonly CapabilityValue[],
  { source, target, release }: Context,
): readonly string[] {
  const [baseline = "vCurrent"] = selectValues(values, "baseline");
  if (baseline === "vCurrent" || baseline === "") return [];
  const requested = new Set([...selectValues(values, "additional"), ...selectValues(values, "enabled")]);
  const surprises = release.capabilities.implicit.filter((name) => !requested.has(name));
  if (surprises.length === 0) return [];
  return [
    `With baselineCapabilitySet ${baseline} ClusterVersion version doesn't ask for ${joinSorted(surprises)}, but the update to ${target.text} enables whatever of these ${source.text} runs already: once enabled, a capability can't be disabled.`,
  ];
}

export function buildTableNotice({ target }: Context): string {
  return `The target folder has no ClusterVersion CRD ("oc adm release extract" leaves it out), so what ${target.text} accepts was taken from preflight's own table of releases.`;
}
