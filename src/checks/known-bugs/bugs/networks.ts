import type { BugEntry, ItemTest, Predicate } from "../known-bug.ts";
import { backported, fromEarlierMinors } from "../versions.ts";

const OVN: Predicate = { networkType: ["OVNKubernetes"] };
const NETWORK_POLICIES = "networking.k8s.io/v1/networkpolicies";

/** Leaves out policies in OpenShift's own namespaces, which come with the release. */
const OF_USERS: ItemTest = { not: { at: "metadata.namespace", matches: "^(openshift|kube)(-|$)" } };

/** Bugs of the cluster's network. */
export const NETWORKS_BUGS: readonly BugEntry[] = [
  {
    id: "policy-long-namespace",
    name: "NetworkPolicyInLongNamespaceStopsOVN",
    effect: "stuck",
    published: ["OVNNetworkPolicyLongName"],
    versions: [{ first: "4.11.6", last: "4.11.9" }],
    // The name, and "_ingressDefaultDeny" after it, must have no more than 63 characters.
    when: { allOf: [OVN, { each: NETWORK_POLICIES, where: { at: "metadata.namespace", longerThan: 44 } }] },
    title: "Network policies in namespaces with long names stop OVN-Kubernetes",
    message:
      "The control plane of OVN-Kubernetes of {target} can fail on network policies in namespaces whose names have 45 characters or more",
    url: "https://issues.redhat.com/browse/OCPBUGS-1705",
  },
  {
    id: "ovn-master-stop",
    name: "OVNMasterOfOldInstallHangs",
    effect: "stuck",
    published: ["OVNKubeMasterDSPrestop"],
    versions: backported(["4.12.41", "4.12.47", "4.12.48"], ["4.13.16", "4.13.29", "4.13.30"]),
    when: { allOf: [OVN, { bornBefore: "4.11.0-0" }] },
    title: "OVN-Kubernetes of old clusters gets stuck",
    message:
      "The cluster was installed as 4.10 or earlier: OVN-Kubernetes may not stop when {target} replaces it, and the update gets stuck",
    url: "https://issues.redhat.com/browse/SDN-4196",
  },
  {
    id: "host-network-ingress",
    name: "HostNetworkIngressBlockedByPolicies",
    published: ["NetPolicyTimeoutsHostNetworkedPodTraffic"],
    versions: backported(["4.12.48", "4.12.49", "4.12.50"], ["4.13.30", "4.13.33", "4.13.34"]),
    when: {
      allOf: [
        {
          each: "operator.openshift.io/v1/ingresscontrollers",
          where: { at: "status.endpointPublishingStrategy.type", equals: "HostNetwork" },
        },
        {
          each: NETWORK_POLICIES,
          where: { allOf: [OF_USERS, { at: "spec.ingress[].from[].namespaceSelector", is: "present" }] },
        },
      ],
    },
    title: "Network policies block routers on the host network",
    message:
      "Routers run on the host network, and with {target} network policies that admit them by namespace can block their traffic",
    url: "https://issues.redhat.com/browse/SDN-4481",
  },
  {
    id: "node-identity-webhook",
    name: "NodeIdentityWebhookUserClashes",
    effect: "stuck",
    published: ["NetworkNodeIdentityWebhookUserConflict"],
    versions: [
      { first: "4.14.0-rc.3", last: "4.14.0-rc.4", fixedIn: "4.14.0-rc.5" },
      { first: "4.15.0-ec.0", last: "4.15.0-ec.0", fixedIn: "4.15.0-ec.1" },
    ],
    when: { hosted: false },
    title: "The node identity webhook may block the update after the next",
    message:
      "The node identity webhook of {target} runs as another user than that of later releases. The update from {target} to one of these may get stuck",
    url: "https://issues.redhat.com/browse/SDN-4160",
  },
  {
    id: "ovn-multicast",
    name: "OVNMulticastOnOneNodeLost",
    published: ["OVNMulticastPacketLoss"],
    versions: fromEarlierMinors("4.16.0-rc.0", "4.16.0-rc.6", "4.16.0-rc.9"),
    when: {
      allOf: [
        OVN,
        {
          each: "v1/namespaces",
          where: { at: 'metadata.annotations."k8s.ovn.org/multicast-enabled"', equals: "true" },
        },
      ],
    },
    title: "Multicast doesn't work between pods on the same node",
    message:
      "With {target}, multicast between pods on the same node is lost in these namespaces, which have it enabled",
    url: "https://issues.redhat.com/browse/SDN-5055",
  },
  {
    id: "egress-ip",
    name: "EgressIPsFail",
    published: ["OVNEgressIPFailure"],
    versions: fromEarlierMinors("4.18.1", "4.18.21", "4.18.22"),
    when: { allOf: [OVN, { each: "k8s.ovn.org/v1/egressips", where: { at: "status.items", is: "nonEmpty" } }] },
    title: "Egress IP addresses may fail",
    message: "Egress IP addresses that are assigned to nodes may stop working with {target}",
    url: "https://issues.redhat.com/browse/CORENET-6114",
  },
  {
    id: "nmstate-service",
    name: "NMStateServiceMayFail",
    certainty: "notice",
    published: ["NMStateServiceFailure"],
    versions: backported(
      ["4.16.46", "4.16.49", "4.16.50"],
      ["4.17.38", "4.17.40", "4.17.41"],
      ["4.18.22", "4.18.24", "4.18.25"],
      ["4.19.8", "4.19.13", "4.19.14"],
    ),
    when: { platform: ["None", "BareMetal"] },
    title: "New nodes may fail on their network configuration",
    message:
      "The service nmstate of {target} may fail when a node on bare metal starts for the first time, so that nodes can't be added or redeployed",
    remedy: "plan to add no nodes before you update to a release with the fix",
    url: "https://issues.redhat.com/browse/CORENET-6419",
  },
  {
    id: "bridge-mappings",
    name: "OVNBridgeMappingsDropNodes",
    published: ["NetworkManagerOVNBridgeMapping"],
    versions: [{ first: "4.19.13", last: "4.19.18", sources: [{ before: "4.19.13" }], fixedIn: "4.19.19" }],
    when: {
      allOf: [
        OVN,
        { platform: ["None", "BareMetal", "OpenStack", "VSphere"] },
        {
          each: "nmstate.io/v1/nodenetworkconfigurationpolicies",
          where: { at: "spec.desiredState.ovn.bridge-mappings", is: "nonEmpty" },
        },
      ],
    },
    title: "Nodes with bridge mappings may drop out",
    message:
      "NMState policies map OVN networks to bridges, whose ports NetworkManager may delete while nodes update to {target}: the nodes then lose the API, and the update gets stuck",
    url: "https://issues.redhat.com/browse/CORENET-6483",
  },
];
