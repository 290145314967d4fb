import { type Version, type VersionRange, crosses, isInRange } from "../../model/version.ts";
import { readRisks } from "../shared/risks.ts";
import type { Context, Finding, Unknown } from "../../model/check.ts";
import type { Attachment, NetworkConfig, NetworkSection } from "./network.ts";
import {
  NETWORK,
  selectCrowdedLists,
  selectDualStackLists,
  isPlugin,
  formatPath,
  getRunningPlugin,
  findUnreadableCidrs,
} from "./network.ts";

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
function findWhereaboutsFix(target: Version): string | undefined {
  return WHEREABOUTS.find((range) => isInRange(target, range))?.fixedIn;
}

export function breaksClusterNetworks(source: Version, target: Version): boolean {
  return crosses(source, "4.18", target) && isInRange(target, OVN_CLUSTER_NETWORKS);
}

export function crashesConverted(target: Version): boolean {
  return isInRange(target, CONVERTED);
}

/** A network plugin that OpenShift removed. Neither ever supported two IP families. */
type RemovedPlugin = { readonly name: string; readonly removedIn: string };

const REMOVED_PLUGINS: readonly RemovedPlugin[] = [
  { name: "Kuryr", removedIn: "4.15" },
  { name: "OpenShiftSDN", removedIn: "4.17" },
];

export const risks = readRisks("dual-stack", {
  OVNSeveralClusterNetworksBreakPods: {},
  DualStackAdditionalNetworksStall: {},
  DualStackPluginUnsupported: {},
  NetworkPluginRemoved: {},
  WhereaboutsNetworksStall: {
    message: { fix: (_, { target }) => findWhereaboutsFix(target) ?? "a later release" },
    remediation: {
      fixedIn: (context) => (context && findWhereaboutsFix(context.target)) ?? "the release with the fix",
    },
  },
});

export function buildClusterNetworkFindings(network: NetworkConfig, { source, target }: Context): readonly Finding[] {
  if (!breaksClusterNetworks(source, target) || !isPlugin("OVNKubernetes", getRunningPlugin(network))) return [];
  return selectCrowdedLists(network).map((list) => ({
    risk: risks.OVNSeveralClusterNetworksBreakPods.name,
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
  const risk = risks.DualStackAdditionalNetworksStall.name;
  const additional = networks.map(({ object, path }) => ({
    risk,
    object,
    path,
    message: "It is an additional network on a dual-stack cluster.",
  }));
  return [{ risk, object: NETWORK, path: formatPath(dual), message: "It has IPv4 and IPv6 ranges." }, ...additional];
}

export function buildWhereaboutsFindings(networks: readonly Attachment[], target: Version): readonly Finding[] {
  if (!stallsWhereabouts(target)) return [];
  return networks
    .filter(({ whereabouts }) => whereabouts === "yes")
    .map(({ object, configPath }) => ({
      risk: risks.WhereaboutsNetworksStall.name,
      object,
      path: configPath,
      message: "It gets its addresses from Whereabouts.",
    }));
}

const SECTIONS: readonly NetworkSection[] = ["status", "spec"];

/** Plugins, requested or running, that the target doesn't have. */
export function buildRemovedPluginFindings(
  { plugins }: NetworkConfig,
  { source, target }: Context,
): readonly Finding[] {
  const removed = REMOVED_PLUGINS.filter(({ removedIn }) => crosses(source, removedIn, target));
  return SECTIONS.flatMap((section) =>
    removed
      .filter(({ name }) => isPlugin(name, plugins[section]))
      .map(({ name, removedIn }) => ({
        risk: risks.NetworkPluginRemoved.name,
        object: NETWORK,
        path: `${section}.networkType`,
        message: `${name} was removed in ${removedIn}.`,
      })),
  );
}

/** Leaves out plugins that the update removes, because those are findings already. */
export function buildDualStackPluginFindings(network: NetworkConfig, { source, target }: Context): readonly Finding[] {
  const others = REMOVED_PLUGINS.filter(({ removedIn }) => !crosses(source, removedIn, target));
  return selectDualStackLists(network).flatMap((list) => {
    const plugin = network.plugins[list.section] || getRunningPlugin(network);
    return others
      .filter(({ name }) => isPlugin(name, plugin))
      .map(({ name }) => ({
        risk: risks.DualStackPluginUnsupported.name,
        object: NETWORK,
        path: formatPath(list),
        message: `It has IPv4 and IPv6 ranges, but ${name} supports only one family.`,
      }));
  });
}

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
