import type { Entry } from "../vocabulary.ts";

/** Faults of etcd and of what runs beside it. */
export const CONTROL_PLANE: readonly Entry[] = [
  {
    id: "etcd-v3-storage",
    name: "EtcdMembersFromOldStorage",
    certainty: "risk",
    published: ["EtcdStorageVersion3Migration"],
    versions: [{ first: "4.21.0", last: "4.21.8", sources: [{ before: "4.20.15" }], fixedIn: "4.21.9" }],
    when: { not: { completed: { from: "4.20.15" } } },
    title: "etcd would be updated without the release that cleans its list of members",
    message:
      "No release since 4.20.15 was ever installed to its end, so etcd of {target} may take members that are long gone from its old storage and try to reach them",
    remedy: "update to 4.20.15 or a later 4.20",
    url: "https://redhat.atlassian.net/browse/CNTRLPLANE-3074",
  },
];
