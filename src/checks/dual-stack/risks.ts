import type { RiskText } from "../../model/check.ts";
import { findWhereaboutsFix } from "./affected-releases.ts";

export const dualStackAdditionalNetworksStall: RiskText = {
  name: "DualStackAdditionalNetworksStall",
  effect: "stuck",
  title: "Additional networks of a dual-stack cluster stall the update",
  url: "https://issues.redhat.com/browse/SDN-3996",
  knownAs: { published: ["DualStackNeedsController"] },
  describe: (objects, { target }) =>
    `The update to ${target.text} can stall on dual-stack clusters with additional networks, and this cluster is one: ${objects}.`,
  remediation:
    'Choose 4.12.21 or later as the target instead ("oc adm upgrade" lists the available releases); nothing in the cluster has to change.',
};

export const whereaboutsNetworksStall: RiskText = {
  name: "WhereaboutsNetworksStall",
  effect: "stuck",
  title: "Networks with Whereabouts addresses stall the update",
  url: "https://access.redhat.com/solutions/7024726",
  knownAs: { published: ["MultiNetworkAttachmentsWhereaboutsVersion"] },
  describe: (objects, { target }) =>
    `The update to ${target.text} can stall on clusters whose additional networks get addresses from Whereabouts, which ${findWhereaboutsFix(target) ?? "a later release"} fixes; here these are ${objects}.`,
  remediation:
    'Choose the release with the fix or a later one as the target instead ("oc adm upgrade" lists the available releases); nothing in the cluster has to change.',
};

export const ovnSeveralClusterNetworksBreakPods: RiskText = {
  name: "OVNSeveralClusterNetworksBreakPods",
  effect: "stuck",
  title: "Several cluster networks of one IP family break OVN-Kubernetes",
  url: "https://issues.redhat.com/browse/CORENET-5832",
  knownAs: { published: ["OVNWithMultipleClusterNetworks"] },
  describe: (objects, { target }) =>
    `${objects} has more than one range of the same IP family, and OVN-Kubernetes of ${target.text} fails on that: the update doesn't finish, and new pods can't be created.`,
  remediation:
    'Choose 4.18.9 or later as the target instead ("oc adm upgrade" lists the available releases); nothing in the cluster has to change.',
};

export const networkPluginRemoved: RiskText = {
  name: "NetworkPluginRemoved",
  effect: "stuck",
  leadTime: "days",
  title: "The target doesn't have the cluster's network plugin",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.16/html/networking/ovn-kubernetes-network-plugin",
  describe: (objects, { target }) =>
    `${objects} names a network plugin that ${target.text} can't run: 4.15 removed Kuryr, and 4.17 removed OpenShiftSDN.`,
  remediation:
    'Migrate the cluster to OVNKubernetes as the linked page describes, and update once "oc get networks.config.openshift.io cluster -o yaml" shows it as networkType in both spec and status.',
};

export const dualStackPluginUnsupported: RiskText = {
  name: "DualStackPluginUnsupported",
  effect: "stuck",
  title: "The network plugin does not support two IP families",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.16/html/networking/ovn-kubernetes-network-plugin",
  describe: (objects, { target }) =>
    `${objects} has IPv4 and IPv6 ranges for a network plugin that supports only one family: the network operator of ${target.text} rejects this, as that of every release does, and the update can't finish.`,
  remediation:
    'Remove one family with "oc edit networks.config.openshift.io cluster", or migrate to OVNKubernetes with one family and convert to dual-stack afterwards. "oc get clusteroperator network" then shows it as available and not degraded.',
};
