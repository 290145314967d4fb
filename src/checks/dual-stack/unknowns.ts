import type { Context, Unknown } from "../../model/check.ts";
import type { Version } from "../../model/version.ts";
import { breaksClusterNetworks, stallsDualStackNetworks, stallsWhereabouts } from "./affected-releases.ts";
import type { Attachment } from "./attachments.ts";
import { type NetworkConfig, findUnreadableCidrs } from "./network.ts";

export function buildRangeUnknowns(network: NetworkConfig, { source, target }: Context): readonly Unknown[] {
  const isAffected = stallsDualStackNetworks(target) || breaksClusterNetworks(source, target);
  if (!isAffected) return [];
  return findUnreadableCidrs(network).map((path) => ({
    reason: "NotUnderstood",
    where: `networks.config.openshift.io cluster ${path}`,
    message: "it is not a range of IP addresses",
  }));
}

export function buildNetworkUnknowns(networks: readonly Attachment[], target: Version): readonly Unknown[] {
  if (!stallsWhereabouts(target)) return [];
  return networks
    .filter(({ whereabouts }) => whereabouts === "unreadable")
    .map(({ object, configPath, key }) => ({
      reason: "NotUnderstood",
      where: `${object.kind} ${object.namespace === undefined ? object.name : key} ${configPath}`,
      message: "it is not valid JSON, so it is unknown whether it uses Whereabouts",
    }));
}
