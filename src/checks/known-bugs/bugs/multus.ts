import type { ItemTest, BugEntry, Predicate } from "../known-bug.ts";
import { fromEarlierMinors } from "../versions.ts";

const DEFINITIONS = "k8s.cni.cncf.io/v1/network-attachment-definitions";
/** The type of a plugin, anywhere in its configuration. */
const WHEREABOUTS = '"type"\\s*:\\s*"whereabouts"';

/** An administrator may have disabled additional networks, and with them Multus. */
const MULTUS: Predicate = {
  not: {
    get: "operator.openshift.io/v1/networks",
    name: "cluster",
    where: { at: "spec.disableMultiNetwork", equals: true },
  },
};

const LOCALNET_WITHOUT_SUBNETS: ItemTest = {
  allOf: [{ at: "topology", equals: "localnet" }, { not: { at: "subnets", is: "nonEmpty" } }],
};

/** Bugs of Multus and of additional networks. */
export const MULTUS_BUGS: readonly BugEntry[] = [
  {
    id: "multus-brackets",
    name: "MultusRejectsOwnKubeconfig",
    effect: "stuck",
    published: ["MultusUpgradeBlocked"],
    versions: fromEarlierMinors("4.14.65", "4.14.66", "4.14.67"),
    when: MULTUS,
    title: "Multus rejects its own kubeconfig",
    message:
      "Multus of {target} rejects the kubeconfig that 4.13 and earlier write for it, with the API server's host in brackets: no new pod gets a network, and the update gets stuck",
    url: "https://redhat.atlassian.net/browse/OCPBUGS-85381",
  },
  {
    id: "localnet-no-subnets",
    name: "LocalnetWithoutSubnetsStopsOVN",
    effect: "stuck",
    published: ["OVNLocalnetWithNoSubnets"],
    versions: fromEarlierMinors("4.17.0", "4.17.6", "4.17.7"),
    when: {
      allOf: [
        { networkType: ["OVNKubernetes"] },
        MULTUS,
        {
          each: DEFINITIONS,
          where: {
            parsed: "spec.config",
            as: "json",
            // One plugin, or a list of them.
            where: { anyOf: [LOCALNET_WITHOUT_SUBNETS, { items: "plugins", where: LOCALNET_WITHOUT_SUBNETS }] },
          },
        },
      ],
    },
    title: "Localnet networks without subnets stop the update",
    message:
      "OVN-Kubernetes of {target} can't handle localnet networks without subnets: the update doesn't finish, and workloads on these networks can't start",
    url: "https://issues.redhat.com/browse/SDN-5485",
  },
  {
    id: "whereabouts-shim",
    name: "WhereaboutsShimStallsUpdate",
    effect: "stuck",
    published: ["WhereaboutsControllerCreateContainerError"],
    versions: fromEarlierMinors("4.18.1", "4.18.21", "4.18.22"),
    when: {
      allOf: [
        MULTUS,
        {
          anyOf: [
            { each: DEFINITIONS, where: { at: "spec.config", matches: WHEREABOUTS } },
            {
              get: "operator.openshift.io/v1/networks",
              name: "cluster",
              where: { at: "spec.additionalNetworks[].rawCNIConfig", matches: WHEREABOUTS },
            },
          ],
        },
      ],
    },
    title: "Networks with Whereabouts addresses stall the update",
    message:
      "These networks get their addresses from Whereabouts, whose controller can't start with {target}, so the update doesn't finish",
    url: "https://issues.redhat.com/browse/CORENET-6189",
  },
  {
    id: "multus-third-party-cni",
    name: "MultusRejectsThirdPartyPlugin",
    effect: "stuck",
    published: ["MultusCniVersionThirdPartyCniBreak"],
    versions: [{ first: "4.22.3", last: "4.22.5", sources: [{ before: "4.22.3" }], fixedIn: "4.22.6" }],
    when: {
      allOf: [
        MULTUS,
        {
          get: "config.openshift.io/v1/networks",
          name: "cluster",
          where: {
            allOf: [
              { at: "status.networkType", is: "nonEmpty" },
              { not: { at: "status.networkType", matches: "(?i)^OVNKubernetes$" } },
            ],
          },
        },
      ],
    },
    title: "Multus doesn't work with the cluster's network plugin",
    message:
      "The cluster's network plugin isn't OVN-Kubernetes, and Multus of {target} is incompatible with others: only pods on the host's network can be created, and the cluster may fail completely",
    url: "https://redhat.atlassian.net/browse/CORENET-7361",
  },
];
