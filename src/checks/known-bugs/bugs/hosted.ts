import type { BugEntry, Predicate } from "../known-bug.ts";
import { backported, fromEarlierMinors } from "../versions.ts";

const HOSTED: Predicate = { hosted: true };

/** Bugs that affect clusters with a hosted control plane. */
export const HOSTED_BUGS: readonly BugEntry[] = [
  {
    id: "hosted-api-port-443",
    name: "HostedAPIPortUnreachable",
    certainty: "notice",
    published: ["HyperShiftKubeAPIPort443"],
    versions: [{ first: "4.15.17", last: "4.15.24", sources: [{ before: "4.15.17" }], fixedIn: "4.15.25" }],
    when: HOSTED,
    title: "Pods may not reach the API of a hosted control plane",
    message:
      "If the HostedCluster of this cluster serves its API at port 443 (spec.networking.apiServer.port, on the management cluster), pods may not reach it with {target}",
    remedy: "make sure that its API server uses another port",
    url: "https://issues.redhat.com/browse/HOSTEDCP-1849",
  },
  {
    id: "hosted-node-pool-skew",
    name: "HostedOldNodePoolsFailNewNodes",
    certainty: "notice",
    published: ["HyperShiftNodePoolSkewBinaryDownload"],
    versions: backported(["4.15.23", "4.15.30", "4.15.31"], ["4.16.4", "4.16.10", "4.16.11"]),
    when: HOSTED,
    title: "Old node pools of a hosted control plane may not get new nodes",
    message:
      "If a NodePool of this cluster (on the management cluster) is still at 4.14.33 or earlier, or at 4.15.0 to 4.15.22, it may get no new nodes once the control plane is at {target}",
    remedy: "update such node pools (oc get nodepools -A, on the management cluster)",
    url: "https://issues.redhat.com/browse/HOSTEDCP-1941",
  },
  {
    id: "hosted-progressing-condition",
    name: "HostedClusterSeemsUnfinished",
    published: ["HostedClusterIsProgressingStuckCondition"],
    versions: [{ first: "4.17.16", last: "4.17.19", fixedIn: "4.17.20" }],
    when: HOSTED,
    title: "A hosted cluster never stops reporting that it is progressing",
    message:
      "With {target}, the HostedCluster of this cluster reports Progressing without end, which blocks whatever waits for the update to finish",
    url: "https://issues.redhat.com/browse/CNTRLPLANE-256",
  },
  {
    id: "hosted-proxy-scheme",
    name: "HostedProxyMayBreakLogin",
    certainty: "notice",
    published: ["HyperShiftProxyScheme"],
    versions: backported(["4.18.22", "4.18.24", "4.18.25"], ["4.19.4", "4.19.13", "4.19.14"]),
    when: {
      allOf: [
        HOSTED,
        {
          get: "config.openshift.io/v1/proxies",
          name: "cluster",
          where: {
            anyOf: [
              { at: "spec.httpProxy", is: "nonEmpty" },
              { at: "spec.httpsProxy", is: "nonEmpty" },
            ],
          },
        },
      ],
    },
    title: "A proxy of a hosted control plane may break logins",
    message:
      "If this hosted cluster reaches identity providers or the ingress operator's canary through its proxy, nobody may be able to log in on {target}",
    remedy:
      "make sure that neither logins nor the canary need the proxy (noProxy in the HostedCluster's spec.configuration.proxy)",
    url: "https://issues.redhat.com/browse/CNTRLPLANE-1407",
  },
  {
    id: "hosted-version-operator-metrics",
    name: "HostedVersionOperatorMetricsLost",
    published: ["HyperShiftClusterVersionOperatorMetrics"],
    versions: backported(["4.18.23", "4.18.26", "4.18.27"], ["4.19.9", "4.19.16", "4.19.17"]),
    when: HOSTED,
    title: "Metrics of the cluster-version operator are lost on hosted control planes",
    message:
      "On a hosted control plane, the metrics of the cluster-version operator of {target} can't be scraped, so alerts about updates don't fire",
    url: "https://issues.redhat.com/browse/OTA-1705",
  },
  {
    id: "hosted-metallb-frr",
    name: "HostedMetalLBStopsAdvertising",
    published: ["HCPMetallbCNOCannotDeployFRRK8S"],
    versions: fromEarlierMinors("4.19.0", "4.19.3", "4.19.4"),
    when: { allOf: [HOSTED, { csv: "metallb-operator" }] },
    title: "MetalLB stops advertising services on hosted control planes",
    message:
      "The control plane of this cluster is hosted, where the network operator of {target} can't deploy frr-k8s: MetalLB stops advertising its services",
    url: "https://issues.redhat.com/browse/CNTRLPLANE-1109",
  },
  {
    id: "hosted-aws-load-balancers",
    name: "HostedAWSLoadBalancersInterrupted",
    published: ["HCPServiceHealthCheckDisruption"],
    versions: fromEarlierMinors("4.19.0", "4.19.4", "4.19.5"),
    when: {
      allOf: [
        HOSTED,
        { platform: ["AWS"] },
        { each: "v1/services", where: { at: "spec.type", equals: "LoadBalancer" } },
      ],
    },
    title: "Load balancers of hosted clusters on AWS are interrupted while nodes update",
    message:
      "On a control plane hosted on AWS, load balancers of {target} don't detect which nodes are being updated, so these services are briefly interrupted",
    url: "https://issues.redhat.com/browse/CNTRLPLANE-1110",
  },
  {
    id: "hosted-redundant-router",
    name: "HostedRoutesMayStallUpdate",
    certainty: "notice",
    published: ["HyperShiftRedundantRouter"],
    versions: backported(["4.19.18", "4.19.25", "4.19.26"], ["4.20.0", "4.20.15", "4.20.16"]),
    when: { allOf: [HOSTED, { platform: ["BareMetal", "KubeVirt", "None"] }] },
    title: "Routes of a hosted control plane may stall the update",
    message:
      "If the HostedCluster of this cluster publishes services as routes in the management cluster's own apps domain (spec.services), the update to {target} may not finish",
    remedy:
      "make sure that the HostedCluster publishes no such routes (oc get hostedclusters -A -o yaml, on the management cluster)",
    url: "https://issues.redhat.com/browse/CNTRLPLANE-2254",
  },
];
