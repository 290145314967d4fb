import type { SpecialSpec, Context } from "../../model/check.ts";
import {
  breaksClusterNetworks,
  crashesConverted,
  stallsDualStackNetworks,
  stallsWhereabouts,
} from "./affected-releases.ts";
import {
  dualStackAdditionalNetworksStall,
  ovnSeveralClusterNetworksBreakPods,
  whereaboutsNetworksStall,
} from "./risks.ts";

type Covered = ReturnType<NonNullable<SpecialSpec["covers"]>>;

/** Covered by a notice: the cluster's state doesn't show whether the cluster was converted. */
export const CRASH_ON_CONVERTED = "OVNCrashOnMigratedDualStack";

/** The risks that the update service publishes for this update. */
export function listCovered({ source, target }: Context): Covered {
  const needsController = { name: "DualStackNeedsController", risk: dualStackAdditionalNetworksStall.name };
  const whereabouts = { name: "MultiNetworkAttachmentsWhereaboutsVersion", risk: whereaboutsNetworksStall.name };
  const clusterNetworks = { name: "OVNWithMultipleClusterNetworks", risk: ovnSeveralClusterNetworksBreakPods.name };
  return [
    ...(stallsDualStackNetworks(target) ? [needsController] : []),
    ...(stallsWhereabouts(target) ? [whereabouts] : []),
    ...(breaksClusterNetworks(source, target) ? [clusterNetworks] : []),
    ...(crashesConverted(target) ? [{ name: CRASH_ON_CONVERTED }] : []),
  ];
}
