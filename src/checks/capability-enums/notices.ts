import type { Context } from "../../model/check.ts";
import { byText } from "../../model/json.ts";
import { joinNames } from "../../model/names.ts";
import { type Enums, type Stated, valuesIn } from "./enums.ts";

/** "A", "A and B", "A, B and C", sorted. */
export function listed(names: readonly string[]): string {
  return joinNames(names.toSorted(byText));
}

/** What stands in the way back, said before going forward. `installed` is what the cluster's API accepts today. */
export function rollbackNotice(installed: Enums, target: Enums, context: Context): readonly string[] {
  const brought = target.known ?? context.release.capabilities.known;
  const rejected = brought.filter((name) => installed.known?.includes(name) === false);
  if (rejected.length === 0) return [];
  const [from, to] = [context.target.text, context.source.text];
  return [
    `After this update a rollback from ${from} to ${to} would break: ${from} writes ${listed(rejected)} to status.capabilities of ClusterVersion version, and the API of ${to} rejects ${rejected.length === 1 ? "it" : "them"} as "Unsupported value".`,
  ];
}

/** With the set vCurrent, which is also what an unset one means, every capability is asked for, and none is a surprise. */
export function implicitNotice(stated: readonly Stated[], { source, target, release }: Context): readonly string[] {
  const [baseline = "vCurrent"] = valuesIn(stated, "baseline");
  if (baseline === "vCurrent" || baseline === "") return [];
  const asked = new Set([...valuesIn(stated, "additional"), ...valuesIn(stated, "enabled")]);
  const surprises = release.capabilities.implicit.filter((name) => !asked.has(name));
  if (surprises.length === 0) return [];
  return [
    `With baselineCapabilitySet ${baseline} ClusterVersion version doesn't ask for ${listed(surprises)}, but the update to ${target.text} enables whatever of these ${source.text} runs already: once enabled, a capability can't be disabled.`,
  ];
}

export function tableNotice({ target }: Context): string {
  return `The target folder has no ClusterVersion CRD ("oc adm release extract" leaves it out), so what ${target.text} accepts was taken from preflight's own table of releases.`;
}
