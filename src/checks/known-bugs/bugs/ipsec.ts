import type { KnownBug, GetPredicate } from "../known-bug.ts";

const CONFIG = "spec.defaultNetwork.ovnKubernetesConfig.ipsecConfig";

/** Before 4.15 an empty ipsecConfig alone meant IPsec between all pods; since then its mode says so. */
const IPSEC: GetPredicate = {
  get: "operator.openshift.io/v1/networks",
  name: "cluster",
  where: { allOf: [{ at: CONFIG, is: "present" }, { not: { at: `${CONFIG}.mode`, oneOf: ["Disabled", "External"] } }] },
};

/** Faults of OVN-Kubernetes with IPsec between pods. */
export const IPSEC_BUGS: readonly KnownBug[] = [
  {
    id: "ipsec-transition",
    name: "IPsecTrafficUnencryptedForAWhile",
    certainty: "risk",
    published: ["OVNInterConnectTransitionIPsec"],
    versions: [{ first: "4.14.0-ec.0", last: "4.14.31", sources: [{ before: "4.14.0-0" }], fixedIn: "4.14.32" }],
    when: IPSEC,
    title: "Traffic goes unencrypted during the update",
    message:
      "While OVN-Kubernetes is updated to {target}, traffic between nodes and from pods to nodes may not be encrypted for a while although IPsec is on",
    url: "https://issues.redhat.com/browse/SDN-4871",
  },
  {
    id: "ipsec-libreswan",
    name: "IPsecLibreswanOutdated",
    certainty: "risk",
    published: ["OVNlibreswan"],
    versions: [{ first: "4.14.40", last: "4.14.40", fixedIn: "4.14.41" }],
    when: IPSEC,
    title: "Known vulnerabilities of IPsec come back",
    message: "IPsec is on, and {target} carries an older libreswan, with vulnerabilities that were fixed before",
    url: "https://issues.redhat.com/browse/SDN-5477",
  },
  {
    id: "ipsec-connectivity",
    name: "IPsecBreaksPodTraffic",
    certainty: "risk",
    published: ["OVNIPsecConnectivity"],
    versions: [{ first: "4.15.0-rc.0", last: "4.15.41", sources: [{ before: "4.15.0-0" }], fixedIn: "4.15.42" }],
    when: IPSEC,
    title: "Pods may not reach each other over IPsec",
    message: "IPsec is on, and with {target} the pods of some nodes may no longer reach those of others",
    url: "https://issues.redhat.com/browse/SDN-5422",
  },
  {
    id: "ipsec-paused-pools",
    name: "IPsecBreaksPausedPools",
    certainty: "risk",
    published: ["OVNIPsecPausedMCPConnectivity"],
    versions: [{ first: "4.15.0", last: "4.15.48", sources: [{ before: "4.15.0-0" }], fixedIn: "4.15.49" }],
    when: {
      allOf: [
        { ...IPSEC, unnamed: true },
        {
          each: "machineconfiguration.openshift.io/v1/machineconfigpools",
          where: { at: "spec.paused", equals: true },
        },
      ],
    },
    title: "Nodes of paused pools lose their network over IPsec",
    message:
      "IPsec is on, and nodes whose machine config pool is paused while the cluster is updated to {target} may lose their connection to the others",
    remedy: "unpause these pools",
    url: "https://issues.redhat.com/browse/CORENET-5630",
  },
  {
    id: "ipsec-large-clusters",
    name: "IPsecBreaksLargeClusters",
    certainty: "risk",
    published: ["IPsecLargeClusterConnectivity"],
    versions: [{ first: "4.19.0", last: "4.19.28", sources: [{ before: "4.19.0-0" }], fixedIn: "4.19.29" }],
    when: {
      allOf: [IPSEC, { each: "v1/nodes", where: { at: "metadata.name", is: "present" }, least: 121, unnamed: true }],
    },
    title: "Pods of large clusters may not reach each other over IPsec",
    message:
      "IPsec is on in a cluster of more than 120 nodes, where with {target} some pods may not reach others for a time",
    url: "https://issues.redhat.com/browse/CORENET-6196",
  },
];
