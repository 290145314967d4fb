import type { BugEntry, GetPredicate, Predicate } from "../known-bug.ts";
import { fromEarlierMinors } from "../versions.ts";

const CONFIG = "spec.defaultNetwork.ovnKubernetesConfig.ipsecConfig";

/** Before 4.15 an empty ipsecConfig meant IPsec between all pods; since then its mode decides. */
const IPSEC_CONFIG: GetPredicate = {
  get: "operator.openshift.io/v1/networks",
  name: "cluster",
  where: { allOf: [{ at: CONFIG, is: "present" }, { not: { at: `${CONFIG}.mode`, oneOf: ["Disabled", "External"] } }] },
};

/** A configuration of OVN-Kubernetes may remain under another network plugin. */
const OVN: Predicate = { networkType: ["OVNKubernetes"] };
const IPSEC: Predicate = { allOf: [OVN, IPSEC_CONFIG] };

/** Bugs of OVN-Kubernetes with IPsec between pods. */
export const IPSEC_BUGS: readonly BugEntry[] = [
  {
    id: "ipsec-transition",
    name: "IPsecTrafficUnencryptedForAWhile",
    published: ["OVNInterConnectTransitionIPsec"],
    versions: fromEarlierMinors("4.14.0-ec.0", "4.14.31", "4.14.32"),
    when: IPSEC,
    title: "Traffic is unencrypted during a part of the update",
    message:
      "IPsec is enabled, but while OVN-Kubernetes is updated to {target}, traffic between nodes and from pods to nodes may temporarily be unencrypted",
    url: "https://issues.redhat.com/browse/SDN-4871",
  },
  {
    id: "ipsec-libreswan",
    name: "IPsecLibreswanOutdated",
    published: ["OVNlibreswan"],
    versions: [{ first: "4.14.40", last: "4.14.40", fixedIn: "4.14.41" }],
    when: IPSEC,
    title: "Fixed vulnerabilities of IPsec come back",
    message:
      "IPsec is enabled, and {target} ships an older libreswan with vulnerabilities that earlier releases had fixed",
    url: "https://issues.redhat.com/browse/SDN-5477",
  },
  {
    id: "ipsec-connectivity",
    name: "IPsecBreaksPodTraffic",
    published: ["OVNIPsecConnectivity"],
    versions: fromEarlierMinors("4.15.0-rc.0", "4.15.41", "4.15.42"),
    when: IPSEC,
    title: "Pods may not reach each other over IPsec",
    message: "IPsec is enabled, and with {target} the pods of some nodes may no longer reach those of others",
    url: "https://issues.redhat.com/browse/SDN-5422",
  },
  {
    id: "ipsec-paused-pools",
    name: "IPsecBreaksPausedPools",
    published: ["OVNIPsecPausedMCPConnectivity"],
    versions: fromEarlierMinors("4.15.0", "4.15.48", "4.15.49"),
    when: {
      allOf: [
        OVN,
        { ...IPSEC_CONFIG, unnamed: true },
        {
          each: "machineconfiguration.openshift.io/v1/machineconfigpools",
          where: { at: "spec.paused", equals: true },
        },
      ],
    },
    title: "Nodes of paused pools lose their network over IPsec",
    message:
      "IPsec is enabled, and nodes whose machine config pool is paused during the update to {target} may lose their connection to the others",
    remedy: "unpause these pools (set spec.paused to false) and wait until they are updated",
    fix: { kinds: ["MachineConfigPool"], command: 'patch {object} --type=merge -p \'{"spec":{"paused":false}}\'' },
    url: "https://issues.redhat.com/browse/CORENET-5630",
  },
  {
    id: "ipsec-large-clusters",
    name: "IPsecBreaksLargeClusters",
    published: ["IPsecLargeClusterConnectivity"],
    versions: fromEarlierMinors("4.19.0", "4.19.28", "4.19.29"),
    when: {
      allOf: [IPSEC, { each: "v1/nodes", where: { at: "metadata.name", is: "present" }, least: 121, unnamed: true }],
    },
    title: "Pods of large clusters may not reach each other over IPsec",
    message:
      "IPsec is enabled in a cluster of more than 120 nodes, where some pods may temporarily not reach others with {target}",
    url: "https://issues.redhat.com/browse/CORENET-6196",
  },
];
