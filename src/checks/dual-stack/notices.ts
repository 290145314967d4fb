import type { Unknown, Context } from "../../model/check.ts";
import type { Version } from "../../model/version.ts";
import type { Attachment } from "./attachments.ts";
import { type NetworkConfig, selectDualStackLists, findUnreadableCidrs } from "./network.ts";
import {
  breaksClusterNetworks,
  crashesConverted,
  stallsDualStackNetworks,
  stallsWhereabouts,
} from "./affected-releases.ts";

/** A fault whose trigger the cluster's state can't show. */
export function buildConvertedNotices(network: NetworkConfig, target: Version): readonly string[] {
  if (!crashesConverted(target) || selectDualStackLists(network).length === 0) return [];
  return [
    `OVN-Kubernetes of ${target.text} keeps crashing on clusters that were converted to dual-stack after their installation (SDN-4013), which can't be told from the cluster's state: if this one was, update to 4.12.5 or later instead.`,
  ];
}

/** Where nothing shows that a network uses Whereabouts, although the update service warns of it all the same. */
export function buildAttachmentNotices(networks: readonly Attachment[], target: Version): readonly string[] {
  const isUnaffected = networks.length > 0 && networks.every(({ whereabouts }) => whereabouts === "no");
  if (!stallsWhereabouts(target) || !isUnaffected) return [];
  return [
    `Whereabouts of ${target.text} can stall the update (https://access.redhat.com/solutions/7024726), of which the update service warns every cluster with additional networks: those of this cluster don't name Whereabouts, unless a file on the nodes does.`,
  ];
}

export function buildRangeUnknowns(network: NetworkConfig, { source, target }: Context): readonly Unknown[] {
  const isAffected = stallsDualStackNetworks(target) || breaksClusterNetworks(source, target);
  if (!isAffected) return [];
  return findUnreadableCidrs(network).map((path) => ({
    reason: "NotUnderstood",
    where: `networks.config.openshift.io cluster ${path}`,
    message: "it is no range of IP addresses",
  }));
}

export function buildNetworkUnknowns(networks: readonly Attachment[], target: Version): readonly Unknown[] {
  if (!stallsWhereabouts(target)) return [];
  return networks
    .filter(({ whereabouts }) => whereabouts === "unreadable")
    .map(({ object, configPath, key }) => ({
      reason: "NotUnderstood",
      where: `${object.kind} ${object.namespace === undefined ? object.name : key} ${configPath}`,
      message: "it is no JSON, so whether it uses Whereabouts is not known",
    }));
}
