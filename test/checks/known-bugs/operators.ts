import { csv, type Fixture } from "./things.ts";

const NUMA = "numaresources-operator.v4.16.1";

export const OPERATORS: Readonly<Record<string, Fixture>> = {
  "numa-resources-selinux": {
    hit: [csv(NUMA, "4.16.1")],
    miss: [
      csv(NUMA, "4.16.1", "Failed"),
      csv(NUMA, "4.16.1", "Succeeded", { "olm.copiedFrom": "openshift-numaresources" }),
      csv("numaresources-operator-demo.v4.16.1", "4.16.1"),
    ],
  },
};
