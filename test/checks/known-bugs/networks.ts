import { type Fixture, network } from "./things.ts";

export const NETWORKS: Readonly<Record<string, Fixture>> = {
  "multus-third-party-cni": { hit: [network("Cilium")], miss: [network("OVNKubernetes")] },
};
