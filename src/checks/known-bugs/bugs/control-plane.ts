import type { KnownBug } from "../known-bug.ts";

/** Faults of etcd, the API server and what runs beside them. */
export const CONTROL_PLANE_BUGS: readonly KnownBug[] = [
  {
    id: "etcd-backup-mount",
    name: "EtcdBackupMayBlockUpdate",
    certainty: "notice",
    published: ["EtcdBackupMountPointStuck"],
    versions: [
      {
        first: "4.15.0-rc.0",
        last: "4.15.0-rc.2",
        sources: [{ from: "4.14.3", before: "4.14.9" }],
        fixedIn: "4.15.0-rc.3",
      },
    ],
    when: { hosted: false },
    title: "The backup of etcd may block the update",
    message:
      "The backup of etcd that is made before the update to {target} sometimes can't remove a mount point, and the update then doesn't begin",
    remedy: "look at the condition RecentBackup of ClusterOperator etcd if it doesn't begin",
    url: "https://issues.redhat.com/browse/ETCD-511",
  },
  {
    id: "service-account-secrets",
    name: "ServiceAccountSecretsMayPileUp",
    certainty: "notice",
    published: ["ServiceAccountContentionSecretCreation"],
    versions: [{ first: "4.16.0-rc.4", last: "4.16.3", sources: [{ before: "4.16.0-0" }], fixedIn: "4.16.4" }],
    when: { always: true },
    title: "Secrets of service accounts may pile up",
    message:
      "Where a controller takes annotations off service accounts that it doesn't know, {target} keeps making new secrets for these, until etcd suffers",
    remedy: "look for controllers and GitOps tools that write whole service accounts",
    url: "https://issues.redhat.com/browse/API-1819",
  },
  {
    id: "flow-control-storage",
    name: "FlowControlStoredInOldVersion",
    certainty: "risk",
    published: ["FlowControlV1Beta3Migration"],
    versions: [
      { first: "4.16.0-ec.0", last: "4.16.0-rc.3", sources: [{ before: "4.16.0-0" }], fixedIn: "4.16.0-rc.4" },
    ],
    when: { bornBefore: "4.9.0-0" },
    title: "Flow control objects may be stored in a version that is gone",
    message:
      "On clusters that were installed as 4.8 or earlier, as this one was, objects of flowcontrol.apiserver.k8s.io may be stored in a version that {target} can't read, and the update gets stuck",
    remedy: "migrate their storage",
    url: "https://issues.redhat.com/browse/API-1813",
  },
  {
    id: "signature-stores",
    name: "SignatureStoresCutUpdatesOff",
    certainty: "risk",
    published: ["TechPreviewSignatureStoresInDefault"],
    versions: [
      { first: "4.16.0-rc.3", last: "4.16.0-rc.4", fixedIn: "4.16.0-rc.5" },
      { first: "4.17.0-ec.0", last: "4.17.0-ec.0", fixedIn: "4.17.0-ec.1" },
    ],
    when: {
      allOf: [
        { hosted: false },
        {
          not: {
            get: "config.openshift.io/v1/featuregates",
            name: "cluster",
            where: { at: "spec.featureSet", is: "nonEmpty" },
          },
        },
      ],
    },
    title: "No update would be accepted after the target",
    message:
      "In the default feature set, which this cluster has, the cluster-version operator of {target} can't verify the signature of any later release",
    url: "https://issues.redhat.com/browse/OTA-1297",
  },
  {
    id: "router-reloads",
    name: "RouterReloadsMayDropRequests",
    certainty: "notice",
    published: ["IngressDegradedOnRouterReloads"],
    versions: [{ first: "4.14.0", last: "4.14.22", sources: [{ before: "4.14.0-0" }], fixedIn: "4.14.23" }],
    when: {
      each: "route.openshift.io/v1/routes",
      where: { not: { at: "metadata.namespace", matches: "^openshift-" } },
      least: 500,
      unnamed: true,
    },
    title: "Requests may fail while routers reload",
    message:
      "The cluster has 500 routes or more, and while the routers of {target} reload, requests may fail, above all those of Apache's HTTP client before 5.0",
    remedy: "make sure that clients try again",
    url: "https://issues.redhat.com/browse/NE-1689",
  },
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
