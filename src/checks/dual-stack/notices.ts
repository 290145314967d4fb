import type { Version } from "../../model/version.ts";
import { crashesConverted, stallsWhereabouts } from "./affected-releases.ts";
import type { Attachment } from "./attachments.ts";
import { type NetworkConfig, selectDualStackLists } from "./network.ts";

/** A notice, because the cluster's state doesn't show whether it was converted. */
export function buildConvertedNotices(network: NetworkConfig, target: Version): readonly string[] {
  if (!crashesConverted(target) || selectDualStackLists(network).length === 0) return [];
  return [
    `OVN-Kubernetes of ${target.text} keeps crashing on clusters that were converted to dual-stack after their installation. The cluster's state doesn't show whether this cluster was converted: if it was, update to 4.12.5 or later instead (OVNCrashOnMigratedDualStack: https://issues.redhat.com/browse/SDN-4013).`,
  ];
}

/** A notice for clusters whose networks don't name Whereabouts, because the update service warns them too. */
export function buildAttachmentNotices(networks: readonly Attachment[], target: Version): readonly string[] {
  const isUnaffected = networks.length > 0 && networks.every(({ whereabouts }) => whereabouts === "no");
  if (!stallsWhereabouts(target) || !isUnaffected) return [];
  return [
    `Whereabouts of ${target.text} can stall the update, and the update service warns every cluster with additional networks. Those of this cluster don't name Whereabouts, unless a file on the nodes does (MultiNetworkAttachmentsWhereaboutsVersion: https://access.redhat.com/solutions/7024726).`,
  ];
}
