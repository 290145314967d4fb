import type { Context } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import { type CapabilityEnums, type CapabilityValue, selectValues } from "./enums.ts";

/**
 * Warns before an update of what blocks the way back, and what fails on the way there: the operator writes new capabilities into the status
 * before it has installed the CRD that accepts them. `installed` is what the cluster's API accepts today.
 */
export function buildAddedNotices(
  installed: CapabilityEnums,
  target: CapabilityEnums,
  context: Context,
): readonly string[] {
  const targetNames = target.known ?? context.release.capabilities.known;
  const added = targetNames.filter((name) => installed.known?.includes(name) === false);
  if (added.length === 0) return [];
  const [from, to, names] = [context.target.text, context.source.text, joinNames(sortNames(added))];
  return [
    `After this update, a rollback from ${from} to ${to} would fail: ${from} adds ${names} to status.capabilities of ClusterVersion version, and the API of ${to} rejects ${added.length === 1 ? "it" : "them"} as "Unsupported value".`,
    `The update to ${from} begins with its ClusterVersion CRD. Until that is installed, the API of ${to} may reject the operator's writes of ClusterVersion's status ("Unsupported value" of ${names}), and "oc adm upgrade" then shows no progress. Nothing has to be done about it.`,
  ];
}

/** The set vCurrent, which is the default, requests every capability, so the update enables none of them implicitly. */
export function buildImplicitNotices(
  values: readonly CapabilityValue[],
  { source, target, release }: Context,
): readonly string[] {
  const [baseline = "vCurrent"] = selectValues(values, "baseline");
  if (baseline === "vCurrent" || baseline === "") return [];
  const requested = new Set([...selectValues(values, "additional"), ...selectValues(values, "enabled")]);
  const implicit = release.capabilities.implicit.filter((name) => !requested.has(name));
  if (implicit.length === 0) return [];
  return [
    `With baselineCapabilitySet ${baseline}, ClusterVersion version doesn't request ${joinNames(sortNames(implicit))}, but the update to ${target.text} enables any of these that ${source.text} already runs. An enabled capability can't be disabled.`,
  ];
}

export function buildTableNotice({ target }: Context): string {
  return `The target folder has no ClusterVersion CRD ("oc adm release extract" omits it), so preflight's own table of releases decided what ${target.text} accepts.`;
}
