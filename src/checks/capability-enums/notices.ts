import type { Context } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import { type CapabilityEnums, type CapabilityValue, selectValues } from "./enums.ts";

/** Warns before an update of what blocks the way back. `installed` is what the cluster's API accepts today. */
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
    `After this update, a rollback from ${from} to ${to} would fail: ${from} adds ${joinNames(sortNames(rejected))} to status.capabilities of ClusterVersion version, and the API of ${to} rejects ${rejected.length === 1 ? "it" : "them"} as "Unsupported value".`,
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
