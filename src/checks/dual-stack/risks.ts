import type { RiskText } from "../../model/check.ts";

export const dualStackAdditionalNetworksStall: RiskText = {
  name: "DualStackAdditionalNetworksStall",
  title: "Additional networks of a dual-stack cluster stall the update",
  url: "https://issues.redhat.com/browse/SDN-3996",
  describe: (objects, { target }) =>
    `The update to ${target.text} can get stuck on a dual-stack cluster with additional networks, which this is: ${objects}.`,
  remediation: "Update to 4.12.21 or later instead.",
};

export const whereaboutsNetworksStall: RiskText = {
  name: "WhereaboutsNetworksStall",
  title: "Networks with Whereabouts addresses stall the update",
  url: "https://access.redhat.com/solutions/7024726",
  describe: (objects, { target }) =>
    `The update to ${target.text} can get stuck on clusters whose additional networks take addresses from Whereabouts; here these are ${objects}.`,
  remediation: "Update to 4.12.26, 4.13.5 or later instead.",
};

export const ovnSeveralClusterNetworksBreakPods: RiskText = {
  name: "OVNSeveralClusterNetworksBreakPods",
  title: "Several cluster networks of one IP family break OVN-Kubernetes",
  url: "https://issues.redhat.com/browse/CORENET-5832",
  describe: (objects, { target }) =>
    `${objects} has more than one range of the same IP family, with which OVN-Kubernetes of ${target.text} fails: the update doesn't finish and new pods can't be created.`,
  remediation: "Update to 4.18.9 or later instead.",
};

export const networkPluginRemoved: RiskText = {
  name: "NetworkPluginRemoved",
  title: "The target doesn't have the cluster's network plugin",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.16/html/networking/ovn-kubernetes-network-plugin",
  describe: (objects, { target }) =>
    `${objects} names a network plugin that ${target.text} can't run: Kuryr ended with 4.14, OpenShiftSDN with 4.16.`,
  remediation: "Migrate the cluster to OVNKubernetes first, and update when the migration is complete.",
};

export const dualStackPluginUnsupported: RiskText = {
  name: "DualStackPluginUnsupported",
  title: "The network plugin can't carry two IP families",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.16/html/networking/ovn-kubernetes-network-plugin",
  describe: (objects, { target }) =>
    `${objects} asks for IPv4 and IPv6 on a network plugin that carries one family only, in ${target.text} as in every release: its network operator rejects that, and the update can't finish.`,
  remediation: "Migrate to OVNKubernetes with one family first and convert to dual-stack then, or take one family out.",
};
