import type { Context, Finding } from "../../model/check.ts";
import type { Version } from "../../model/version.ts";
import type { Attachment } from "./attachments.ts";
import {
  NETWORK,
  type NetworkConfig,
  selectCrowdedLists,
  selectDualStackLists,
  isPlugin,
  formatPath,
  getRunningPlugin,
} from "./network.ts";
import { breaksClusterNetworks, stallsDualStackNetworks, stallsWhereabouts } from "./affected-releases.ts";
import {
  ovnSeveralClusterNetworksBreakPods,
  dualStackAdditionalNetworksStall,
  whereaboutsNetworksStall,
} from "./risks.ts";
import { defined } from "../../model/optional.ts";

export function buildClusterNetworkFindings(network: NetworkConfig, { source, target }: Context): readonly Finding[] {
  if (!breaksClusterNetworks(source, target) || !isPlugin("OVNKubernetes", getRunningPlugin(network))) return [];
  return selectCrowdedLists(network).map((list) => ({
    risk: ovnSeveralClusterNetworksBreakPods.name,
    object: NETWORK,
    path: formatPath(list),
    message: `It has more than one range of the same IP family: ${list.cidrs.join(", ")}.`,
  }));
}

export function buildDualStackNetworkFindings(
  network: NetworkConfig,
  networks: readonly Attachment[],
  target: Version,
): readonly Finding[] {
  const [dual] = selectDualStackLists(network);
  if (!stallsDualStackNetworks(target) || !dual || networks.length === 0) return [];
  const risk = dualStackAdditionalNetworksStall.name;
  const additional = networks.map(({ object, path }) => ({
    risk,
    object,
    ...defined({ path }),
    message: "It is an additional network on a dual-stack cluster.",
  }));
  return [{ risk, object: NETWORK, path: formatPath(dual), message: "It has IPv4 and IPv6 ranges." }, ...additional];
}

export function buildWhereaboutsFindings(networks: readonly Attachment[], target: Version): readonly Finding[] {
  if (!stallsWhereabouts(target)) return [];
  return networks
    .filter(({ whereabouts }) => whereabouts === "yes")
    .map(({ object, configPath }) => ({
      risk: whereaboutsNetworksStall.name,
      object,
      path: configPath,
      message: "It gets its addresses from Whereabouts.",
    }));
}
