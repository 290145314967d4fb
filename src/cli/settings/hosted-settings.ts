import type { Settings, ValuesOf } from "./command.ts";

/** Of commands that judge a hosted cluster by what its management cluster has of it. */
export const hostedClusterSettings = {
  "hosted-cluster": {
    env: "PREFLIGHT_HOSTED_CLUSTER",
    group: "cluster",
    isRepeated: false,
    placeholder: "NAMESPACE/NAME",
    describe:
      "HostedCluster of this management cluster (HyperShift) that is to be updated, with its NodePools, instead of the cluster itself",
  },
} as const satisfies Settings;

/** Of commands that are about all of them. */
export const hostedClustersSettings = {
  "hosted-clusters": {
    group: "cluster",
    type: "boolean",
    default: false,
    describe: "The hosted clusters of these management clusters (HyperShift), instead of the clusters themselves",
  },
} as const satisfies Settings;

export type HostedValues = Partial<ValuesOf<typeof hostedClusterSettings> & ValuesOf<typeof hostedClustersSettings>>;
