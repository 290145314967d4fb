import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type Get, type Values, each, get, valuesOf } from "../../model/read.ts";
import type { Version } from "../../model/version.ts";
import { type Attachment, distinctNetworks, keepAdditionalNetworks, keepAttachment } from "./attachments.ts";
import { attachmentsNotice, convertedNotice, unreadableNetworks, unreadableRanges } from "./doubts.ts";
import { type NetworkConfig, keepNetwork } from "./network.ts";
import { dualStackPlugins, removedPlugins } from "./plugin-faults.ts";
import { clusterNetworks, dualStackNetworks, whereaboutsNetworks } from "./range-faults.ts";
import { stallsDualStackNetworks, stallsWhereabouts } from "./releases.ts";
import {
  clusterNetworksBreak,
  dualStackNetworksStall,
  dualStackPlugin,
  pluginRemoved,
  whereaboutsStalls,
} from "./risks.ts";

type Reads = { readonly network: Get<NetworkConfig> };
type Followed = { readonly operator?: Get<readonly Attachment[]>; readonly attachments?: Each<Attachment> };

export default defineCheck<Reads, Followed>({
  id: "dual-stack",
  name: "DualStackIncompatible",
  title: "Dual-stack, additional networks and the network plugin fit the target",
  risks: [clusterNetworksBreak, dualStackNetworksStall, dualStackPlugin, pluginRemoved, whereaboutsStalls],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  reads: () => ({ network: get("config.openshift.io/v1/networks", "cluster", keepNetwork) }),
  mayRead: networkReads,
  follow: (_, { target }) => (needsNetworks(target) ? networkReads() : {}),
  evaluate: ({ network }, context, followed) =>
    network.kind === "absent"
      ? { notApplicable: "There is no networks.config.openshift.io cluster." }
      : judgeNetwork(network.value, networksOf(followed), context),
});

function networkReads(): Required<Followed> {
  return {
    operator: get("operator.openshift.io/v1/networks", "cluster", keepAdditionalNetworks),
    attachments: each("k8s.cni.cncf.io/v1/network-attachment-definitions", keepAttachment),
  };
}

/** Additional networks matter to a few releases; elsewhere a missing right to read them is no blind spot. */
function needsNetworks(target: Version): boolean {
  return stallsDualStackNetworks(target) || stallsWhereabouts(target);
}

function networksOf({ operator, attachments }: Partial<Values<Followed>>): readonly Attachment[] {
  const additional = operator?.kind === "found" ? operator.value : [];
  return distinctNetworks(additional, attachments ? valuesOf(attachments) : []);
}

function judgeNetwork(network: NetworkConfig, networks: readonly Attachment[], context: Context): Judgement {
  return {
    findings: [
      ...removedPlugins(network, context),
      ...dualStackPlugins(network, context),
      ...clusterNetworks(network, context),
      ...dualStackNetworks(network, networks, context.target),
      ...whereaboutsNetworks(networks, context.target),
    ],
    notices: [...convertedNotice(network, context.target), ...attachmentsNotice(networks, context.target)],
    blind: [...unreadableRanges(network, context), ...unreadableNetworks(networks, context.target)],
  };
}
