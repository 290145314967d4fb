import { buildConditionTest } from "../common-predicates.ts";
import type { BugEntry, Predicate } from "../known-bug.ts";
import { fromEarlierMinors } from "../versions.ts";

/** A completed migration rewrote the objects of a resource of flow control. */
function buildMigrationPredicate(resource: string): Predicate {
  return {
    each: "migration.k8s.io/v1alpha1/storageversionmigrations",
    where: {
      allOf: [
        { at: "spec.resource.group", equals: "flowcontrol.apiserver.k8s.io" },
        { at: "spec.resource.resource", equals: resource },
        { not: { at: "spec.resource.version", equals: "v1alpha1" } },
        buildConditionTest("Succeeded", "True"),
      ],
    },
    unnamed: true,
  };
}

/** Bugs of etcd, the API server and their neighbours. */
export const CONTROL_PLANE_BUGS: readonly BugEntry[] = [
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
      "The backup of etcd before the update to {target} sometimes can't remove a mount point, and the update then doesn't start",
    remedy: "plan to read the condition RecentBackup of ClusterOperator etcd if the update doesn't start",
    url: "https://issues.redhat.com/browse/ETCD-511",
  },
  {
    id: "service-account-secrets",
    name: "ServiceAccountSecretsMayPileUp",
    certainty: "notice",
    published: ["ServiceAccountContentionSecretCreation"],
    versions: fromEarlierMinors("4.16.0-rc.3", "4.16.3", "4.16.4"),
    when: { always: true },
    title: "Secrets of service accounts may pile up",
    message:
      "If a controller or a GitOps tool removes annotations that it doesn't know from service accounts, {target} creates more and more secrets for these, which can overload etcd",
    remedy:
      "find tools that write whole service accounts, and check after the update that 'oc get secrets -A' doesn't grow",
    url: "https://issues.redhat.com/browse/API-1819",
  },
  {
    id: "flow-control-storage",
    name: "FlowControlStoredInOldVersion",
    published: ["FlowControlV1Beta3Migration"],
    versions: fromEarlierMinors("4.16.0-ec.0", "4.16.0-rc.3", "4.16.0-rc.4"),
    when: {
      allOf: [
        { bornBefore: "4.9.0-0" },
        {
          not: {
            allOf: [buildMigrationPredicate("flowschemas"), buildMigrationPredicate("prioritylevelconfigurations")],
          },
        },
      ],
    },
    title: "Flow control objects may be stored in a removed version",
    message:
      "The cluster was installed as 4.8 or earlier. Its flowschemas and prioritylevelconfigurations may be stored in a version that {target} can't read, and the update gets stuck",
    remedy:
      "create StorageVersionMigrations (migration.k8s.io/v1alpha1) of flowschemas and prioritylevelconfigurations, and wait until both report Succeeded",
    url: "https://issues.redhat.com/browse/API-1813",
  },
  {
    id: "signature-stores",
    name: "SignatureStoresCutUpdatesOff",
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
    title: "The target accepts no further update",
    message:
      "The cluster has the default feature set, in which the cluster-version operator of {target} can't verify the signature of any later release",
    url: "https://issues.redhat.com/browse/OTA-1297",
  },
  {
    id: "router-reloads",
    name: "RouterReloadsMayDropRequests",
    certainty: "notice",
    published: ["IngressDegradedOnRouterReloads"],
    versions: fromEarlierMinors("4.14.0", "4.14.22", "4.14.23"),
    when: {
      each: "route.openshift.io/v1/routes",
      where: { not: { at: "metadata.namespace", matches: "^openshift-" } },
      least: 500,
      unnamed: true,
    },
    title: "Requests may fail while routers reload",
    message:
      "The cluster has 500 routes or more, and requests may fail while the routers of {target} reload, especially those of Apache's HTTP client before 5.0",
    remedy: "make sure that clients retry failed requests",
    url: "https://issues.redhat.com/browse/NE-1689",
  },
  {
    id: "etcd-v3-storage",
    name: "EtcdMembersFromOldStorage",
    effect: "stuck",
    published: ["EtcdStorageVersion3Migration"],
    versions: [{ first: "4.21.0", last: "4.21.8", sources: [{ before: "4.20.15" }], fixedIn: "4.21.9" }],
    when: { not: { completed: { from: "4.20.15" } } },
    title: "The update skips the releases that clean etcd's list of members",
    message:
      "The cluster never completed an update to 4.20.15 or later. So etcd of {target} may read long-removed members from its old storage and try to reach them",
    remedy: "update to 4.20.15 or a later 4.20 and let that update complete",
    url: "https://redhat.atlassian.net/browse/CNTRLPLANE-3074",
  },
];
