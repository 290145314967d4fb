import { type Version, type VersionRange, crosses, isInRange } from "../../model/version.ts";

/** Targets on which additional networks of a dual-stack cluster stall the update (SDN-3996), from any source. */
const DUAL_STACK_NETWORKS: readonly VersionRange[] = [{ from: "4.12.18", to: "4.12.20" }];

/** Targets whose Whereabouts stalls the update (OCPBUGS-15588, OCPBUGS-15476), from any source. */
const WHEREABOUTS: readonly (VersionRange & { readonly fixedIn: string })[] = [
  { from: "4.12.18", to: "4.12.25", fixedIn: "4.12.26" },
  { from: "4.13.0-ec.1", to: "4.13.4", fixedIn: "4.13.5" },
];

/** Targets whose OVN-Kubernetes fails on several cluster networks of one family (CORENET-5832), from sources before 4.18. */
const OVN_CLUSTER_NETWORKS: VersionRange = { from: "4.18.1", to: "4.18.8" };

/** Targets whose OVN-Kubernetes crashes on clusters that were once converted to dual-stack (SDN-4013), from any source. */
const CONVERTED: VersionRange = { from: "4.12.1", to: "4.12.4" };

export function stallsDualStackNetworks(target: Version): boolean {
  return DUAL_STACK_NETWORKS.some((range) => isInRange(target, range));
}

export function stallsWhereabouts(target: Version): boolean {
  return findWhereaboutsFix(target) !== undefined;
}

/** The nearest release with the fix for a target whose Whereabouts stalls the update. */
export function findWhereaboutsFix(target: Version): string | undefined {
  return WHEREABOUTS.find((range) => isInRange(target, range))?.fixedIn;
}

export function breaksClusterNetworks(source: Version, target: Version): boolean {
  return crosses(source, "4.18", target) && isInRange(target, OVN_CLUSTER_NETWORKS);
}

export function crashesConverted(target: Version): boolean {
  return isInRange(target, CONVERTED);
}

/** A network plugin that OpenShift removed. Neither ever supported two IP families. */
export type RemovedPlugin = { readonly name: string; readonly removedIn: string };

export const REMOVED_PLUGINS: readonly RemovedPlugin[] = [
  { name: "Kuryr", removedIn: "4.15" },
  { name: "OpenShiftSDN", removedIn: "4.17" },
];
