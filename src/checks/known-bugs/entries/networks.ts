import type { Entry } from "../vocabulary.ts";

/** Faults of the cluster's network. */
export const NETWORKS: readonly Entry[] = [
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
