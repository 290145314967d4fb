import type { Fixture } from "./fake-cluster.ts";

const ANY_CLUSTER: Fixture = { hit: [], miss: [], versionsOnly: true };

export const UNDECIDABLE_FIXTURES: Readonly<Record<string, Fixture>> = {
  "layer-compression": ANY_CLUSTER,
  "third-party-kernel-modules": ANY_CLUSTER,
  "restorecon-timeout": ANY_CLUSTER,
  "kernel-io-wait": ANY_CLUSTER,
  "busy-nodes": ANY_CLUSTER,
  "seccomp-filters": ANY_CLUSTER,
};
