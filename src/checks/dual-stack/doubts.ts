import type { Blind, Context } from "../../model/check.ts";
import type { Version } from "../../model/version.ts";
import type { Attachment } from "./attachments.ts";
import { type NetworkConfig, dualStackLists, unreadableCidrs } from "./network.ts";
import { breaksClusterNetworks, crashesConverted, stallsDualStackNetworks, stallsWhereabouts } from "./releases.ts";

/** A fault whose trigger the cluster's state can't show. */
export function convertedNotice(network: NetworkConfig, target: Version): readonly string[] {
  if (!crashesConverted(target) || dualStackLists(network).length === 0) return [];
  return [
    `OVN-Kubernetes of ${target.text} keeps crashing on clusters that were converted to dual-stack after their installation (SDN-4013), which can't be told from the cluster's state: if this one was, update to 4.12.5 or later instead.`,
  ];
}

/** Where nothing shows that a network uses Whereabouts, although the update service warns of it all the same. */
export function attachmentsNotice(networks: readonly Attachment[], target: Version): readonly string[] {
  const innocent = networks.length > 0 && networks.every(({ whereabouts }) => whereabouts === "no");
  if (!stallsWhereabouts(target) || !innocent) return [];
  return [
    `Whereabouts of ${target.text} can stall the update (https://access.redhat.com/solutions/7024726), of which the update service warns every cluster with additional networks: those of this cluster don't name Whereabouts, unless a file on the nodes does.`,
  ];
}

export function unreadableRanges(network: NetworkConfig, { source, target }: Context): readonly Blind[] {
  const decides = stallsDualStackNetworks(target) || breaksClusterNetworks(source, target);
  if (!decides) return [];
  return unreadableCidrs(network).map((path) => ({
    reason: "NotUnderstood",
    where: `networks.config.openshift.io cluster ${path}`,
    message: "it is no range of IP addresses",
  }));
}

export function unreadableNetworks(networks: readonly Attachment[], target: Version): readonly Blind[] {
  if (!stallsWhereabouts(target)) return [];
  return networks
    .filter(({ whereabouts }) => whereabouts === "unreadable")
    .map(({ object, configPath, key }) => ({
      reason: "NotUnderstood",
      where: `${object.kind} ${object.namespace === undefined ? object.name : key} ${configPath}`,
      message: "it is no JSON, so whether it uses Whereabouts is not known",
    }));
}
