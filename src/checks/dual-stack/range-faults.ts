import type { Context, Finding } from "../../model/check.ts";
import type { Version } from "../../model/version.ts";
import type { Attachment } from "./attachments.ts";
import {
  NETWORK,
  type NetworkConfig,
  crowdedLists,
  dualStackLists,
  isPlugin,
  pathOf,
  runningPlugin,
} from "./network.ts";
import { breaksClusterNetworks, stallsDualStackNetworks, stallsWhereabouts } from "./releases.ts";
import { clusterNetworksBreak, dualStackNetworksStall, whereaboutsStalls } from "./risks.ts";

export function clusterNetworks(network: NetworkConfig, { source, target }: Context): readonly Finding[] {
  if (!breaksClusterNetworks(source, target) || !isPlugin("OVNKubernetes", runningPlugin(network))) return [];
  return crowdedLists(network).map((list) => ({
    risk: clusterNetworksBreak.name,
    object: NETWORK,
    path: pathOf(list),
    message: `It holds more than one range of the same IP family: ${list.cidrs.join(", ")}.`,
  }));
}

export function dualStackNetworks(
  network: NetworkConfig,
  networks: readonly Attachment[],
  target: Version,
): readonly Finding[] {
  const [dual] = dualStackLists(network);
  if (!stallsDualStackNetworks(target) || !dual || networks.length === 0) return [];
  const risk = dualStackNetworksStall.name;
  const additional = networks.map(({ object, path }) => ({
    risk,
    object,
    ...(path === undefined ? {} : { path }),
    message: "It is an additional network on a dual-stack cluster.",
  }));
  return [{ risk, object: NETWORK, path: pathOf(dual), message: "It holds IPv4 and IPv6." }, ...additional];
}

export function whereaboutsNetworks(networks: readonly Attachment[], target: Version): readonly Finding[] {
  if (!stallsWhereabouts(target)) return [];
  return networks
    .filter(({ whereabouts }) => whereabouts === "yes")
    .map(({ object, configPath }) => ({
      risk: whereaboutsStalls.name,
      object,
      path: configPath,
      message: "It takes its addresses from Whereabouts.",
    }));
}
