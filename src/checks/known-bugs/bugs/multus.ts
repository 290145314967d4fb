import type { KnownBug } from "../known-bug.ts";

const DEFINITIONS = "k8s.cni.cncf.io/v1/network-attachment-definitions";
/** As a plugin's configuration names it, wherever in it. */
const WHEREABOUTS = '"type"\\s*:\\s*"whereabouts"';

/** Faults of Multus and of networks besides the cluster's own. */
export const MULTUS_BUGS: readonly KnownBug[] = [
  {
    id: "multus-brackets",
    name: "MultusRejectsOwnKubeconfig",
    certainty: "risk",
    published: ["MultusUpgradeBlocked"],
    versions: [{ first: "4.14.65", last: "4.14.66", sources: [{ before: "4.14.0-0" }], fixedIn: "4.14.67" }],
    when: { always: true },
    title: "Multus rejects its own kubeconfig",
    message:
      "Multus of {target} rejects the kubeconfig that 4.13 and earlier write for it, with the API server's host in brackets: no new pod gets a network, and the update gets stuck",
    url: "https://redhat.atlassian.net/browse/OCPBUGS-85381",
  },
  {
    id: "localnet-no-subnets",
    name: "LocalnetWithoutSubnetsStopsOVN",
    certainty: "risk",
    published: ["OVNLocalnetWithNoSubnets"],
    versions: [{ first: "4.17.0", last: "4.17.6", sources: [{ before: "4.17.0-0" }], fixedIn: "4.17.7" }],
    when: {
      each: DEFINITIONS,
      where: {
        parsed: "spec.config",
        as: "json",
        where: { allOf: [{ at: "topology", equals: "localnet" }, { not: { at: "subnets", is: "nonEmpty" } }] },
      },
    },
    title: "Localnet networks without subnets stop the update",
    message:
      "OVN-Kubernetes of {target} fails over localnet networks without subnets: the update doesn't finish, and their workloads can't start",
    url: "https://issues.redhat.com/browse/SDN-5485",
  },
  {
    id: "whereabouts-shim",
    name: "WhereaboutsShimStallsUpdate",
    certainty: "risk",
    published: ["WhereaboutsControllerCreateContainerError"],
    versions: [{ first: "4.18.1", last: "4.18.21", sources: [{ before: "4.18.0-0" }], fixedIn: "4.18.22" }],
    when: {
      anyOf: [
        { each: DEFINITIONS, where: { at: "spec.config", matches: WHEREABOUTS } },
        {
          get: "operator.openshift.io/v1/networks",
          name: "cluster",
          where: { at: "spec.additionalNetworks[].rawCNIConfig", matches: WHEREABOUTS },
        },
      ],
    },
    title: "Networks with Whereabouts addresses stall the update",
    message:
      "The controller of Whereabouts of {target} can't start, and the update doesn't finish where networks take their addresses from it",
    url: "https://issues.redhat.com/browse/CORENET-6189",
  },
  {
    id: "multus-third-party-cni",
    name: "MultusRejectsThirdPartyPlugin",
    certainty: "risk",
    published: ["MultusCniVersionThirdPartyCniBreak"],
    versions: [{ first: "4.22.3", last: "4.22.5", sources: [{ before: "4.22.3" }], fixedIn: "4.22.6" }],
    when: {
      get: "config.openshift.io/v1/networks",
      name: "cluster",
      where: {
        allOf: [
          { at: "status.networkType", is: "nonEmpty" },
          { not: { at: "status.networkType", matches: "(?i)^OVNKubernetes$" } },
        ],
      },
    },
    title: "Multus doesn't work with the cluster's network plugin",
    message:
      "Multus of {target} doesn't get along with network plugins other than OVN-Kubernetes: pods with a network of their own can no longer be created",
    url: "https://redhat.atlassian.net/browse/CORENET-7361",
  },
];
