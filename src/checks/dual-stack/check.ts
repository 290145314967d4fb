import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type Get, type ReadResults, each, get, valuesOf, soundInPart } from "../../model/read.ts";
import type { CoveredFault } from "../../model/special-check.ts";
import type { Version } from "../../model/version.ts";
import type { Attachment, NetworkConfig } from "./network.ts";
import { mergeNetworks, keepAdditionalNetworks, keepAttachment, keepNetwork } from "./network.ts";
import {
  buildClusterNetworkFindings,
  buildDualStackNetworkFindings,
  buildWhereaboutsFindings,
  buildDualStackPluginFindings,
  buildRemovedPluginFindings,
  buildAttachmentNotices,
  buildConvertedNotices,
  buildNetworkUnknowns,
  buildRangeUnknowns,
  stallsDualStackNetworks,
  stallsWhereabouts,
  breaksClusterNetworks,
  crashesConverted,
  risks,
} from "./network-findings.ts";

type FollowUpReads = { readonly operator?: Get<readonly Attachment[]>; readonly attachments?: Each<Attachment> };

export default defineCheck({
  id: "dual-stack",
  name: "DualStackIncompatible",
  title: "The target supports the cluster's network plugin, IP families and additional networks",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  reads: () => ({ network: get("config.openshift.io/v1/networks", "cluster", keepNetwork) }),
  mayRead: buildNetworkReads,
  follow: (_, { target }) => (needsNetworks(target) ? buildNetworkReads() : {}),
  special: { covers: listCovered },
  evaluate: ({ network }, context, followed) =>
    network.kind === "absent"
      ? { notApplicable: "The cluster has no networks.config.openshift.io cluster." }
      : judgeNetwork(network.value, getNetworks(followed), context),
});

function buildNetworkReads(): Required<FollowUpReads> {
  return {
    operator: get("operator.openshift.io/v1/networks", "cluster", keepAdditionalNetworks),
    attachments: soundInPart("object", each("k8s.cni.cncf.io/v1/network-attachment-definitions", keepAttachment)),
  };
}

/** Additional networks matter to a few targets only; for others, a missing right to read them makes nothing unknown. */
function needsNetworks(target: Version): boolean {
  return stallsDualStackNetworks(target) || stallsWhereabouts(target);
}

function getNetworks({ operator, attachments }: Partial<ReadResults<FollowUpReads>>): readonly Attachment[] {
  // Without its list, nobody knows which definitions are the operator's, and reported there.
  if (operator === undefined) return [];
  const additional = operator.kind === "found" ? operator.value : [];
  return mergeNetworks(additional, attachments ? valuesOf(attachments) : []);
}

function judgeNetwork(network: NetworkConfig, networks: readonly Attachment[], context: Context): Judgement {
  const convertedNotices = buildConvertedNotices(network, context.target);
  return {
    findings: [
      ...buildRemovedPluginFindings(network, context),
      ...buildDualStackPluginFindings(network, context),
      ...buildClusterNetworkFindings(network, context),
      ...buildDualStackNetworkFindings(network, networks, context.target),
      ...buildWhereaboutsFindings(networks, context.target),
    ],
    notices: [...convertedNotices, ...buildAttachmentNotices(networks, context.target)],
    unknowns: [...buildRangeUnknowns(network, context), ...buildNetworkUnknowns(networks, context.target)],
    special: { noticedRisks: convertedNotices.length === 0 ? [] : [CRASH_ON_CONVERTED] },
  };
}

/** Covered by a notice: the cluster's state doesn't show whether the cluster was converted. */
const CRASH_ON_CONVERTED = "OVNCrashOnMigratedDualStack";

/** The risks that the update service publishes for this update. */
function listCovered({ source, target }: Context): readonly CoveredFault[] {
  const needsController = { name: "DualStackNeedsController", risk: risks.DualStackAdditionalNetworksStall.name };
  const whereabouts = { name: "MultiNetworkAttachmentsWhereaboutsVersion", risk: risks.WhereaboutsNetworksStall.name };
  const clusterNetworks = {
    name: "OVNWithMultipleClusterNetworks",
    risk: risks.OVNSeveralClusterNetworksBreakPods.name,
  };
  return [
    ...(stallsDualStackNetworks(target) ? [needsController] : []),
    ...(stallsWhereabouts(target) ? [whereabouts] : []),
    ...(breaksClusterNetworks(source, target) ? [clusterNetworks] : []),
    ...(crashesConverted(target) ? [{ name: CRASH_ON_CONVERTED }] : []),
  ];
}
