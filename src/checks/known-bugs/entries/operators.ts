import type { Entry } from "../vocabulary.ts";

/** Faults that hit clusters with some operator installed. */
export const OPERATORS: readonly Entry[] = [
  {
    id: "numa-resources-selinux",
    name: "NUMAResourcesPodsCrash",
    certainty: "risk",
    published: ["NUMAResourcesOperatorCrashLoopBackOff"],
    versions: [
      { first: "4.16.25", last: "4.16.26", sources: [{ before: "4.16.25" }], fixedIn: "4.16.27" },
      { first: "4.17.7", last: "4.17.8", sources: [{ before: "4.16.25" }, { from: "4.17.0-0", before: "4.17.7" }], fixedIn: "4.17.9" },
    ],
    when: { csv: "numaresources-operator" },
    title: "Pods of the NUMA Resources Operator keep crashing",
    message:
      "SELinux rules that are new in {target} make the pods of the NUMA Resources Operator crash again and again",
    url: "https://issues.redhat.com/browse/COS-3078",
  },
];
