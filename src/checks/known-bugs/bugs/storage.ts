import type { EachPredicate, ItemTest, BugEntry } from "../known-bug.ts";
import { backported, fromEarlierMinors } from "../versions.ts";

const VOLUMES = "v1/persistentvolumes";

const CEPHFS: EachPredicate = {
  each: VOLUMES,
  where: {
    anyOf: [
      { at: "spec.csi.driver", matches: "cephfs" },
      { at: "spec.cephfs", is: "present" },
    ],
  },
};

/** File systems that several nodes mount. Only the driver knows whether it uses NFS, as vSphere's does; some certainly don't. */
const SHARED_BY_CSI: ItemTest = {
  allOf: [
    { at: "spec.csi", is: "present" },
    { at: "spec.accessModes[]", equals: "ReadWriteMany" },
    { not: { at: "spec.volumeMode", equals: "Block" } },
    { not: { at: "spec.csi.driver", matches: "cephfs|smb" } },
  ],
};

/** Bugs of storage. */
export const STORAGE_BUGS: readonly BugEntry[] = [
  {
    id: "ceph-parallel-fsync",
    name: "CephVolumesMayPanicKernel",
    certainty: "notice",
    published: ["CephParallelFsync"],
    versions: [{ first: "4.10.4", last: "4.10.16", sources: [{ from: "4.10.0-0", before: "4.10.4" }] }],
    when: CEPHFS,
    title: "CephFS volumes may cause a kernel panic",
    message:
      "If workloads call fsync on the same file of a CephFS volume in parallel, the kernel of {target} can panic",
    remedy: "make sure that no workload with CephFS volumes does so",
    url: "https://bugzilla.redhat.com/show_bug.cgi?id=2076312#c9",
  },
  {
    id: "ceph-capabilities",
    name: "CephVolumesPanicKernel",
    published: ["CephCapDropPanic"],
    versions: backported(
      ["4.12.54", "4.12.56", "4.12.57"],
      ["4.13.36", "4.13.41", "4.13.42"],
      ["4.14.14", "4.14.24", "4.14.25"],
      ["4.15.0", "4.15.12", "4.15.13"],
    ),
    when: CEPHFS,
    title: "CephFS volumes can cause a kernel panic",
    message: "The kernel of {target} has a bug in its CephFS client, and nodes that mount such volumes can panic",
    url: "https://issues.redhat.com/browse/COS-2781",
  },
  {
    id: "local-volume-links",
    name: "LocalVolumesMayVanish",
    certainty: "notice",
    published: ["PersistentVolumeDiskIDSymlinks"],
    versions: fromEarlierMinors("4.13.0-ec.1", "4.13.3", "4.13.4"),
    when: { each: VOLUMES, where: { at: "spec.local.path", is: "nonEmpty" } },
    title: "New local volumes may become unavailable with a later update",
    message:
      "Local volumes created on {target} may depend on symlinks to disks that later releases no longer create, and then fail",
    remedy: "plan to create no local volumes before you update to a release with the fix",
    url: "https://issues.redhat.com/browse/COS-2349",
  },
  {
    id: "vsphere-file-volumes",
    name: "FileVolumesMayNotMount",
    certainty: "notice",
    published: ["VSphereStorageMountIssues"],
    versions: fromEarlierMinors("4.19.0-ec.0", "4.19.2", "4.19.3"),
    when: {
      allOf: [
        { platform: ["VSphere", "None"] },
        {
          each: VOLUMES,
          where: {
            anyOf: [{ at: "spec.nfs", is: "present" }, { at: "spec.csi.driver", matches: "(?i)nfs" }, SHARED_BY_CSI],
          },
        },
      ],
    },
    title: "File volumes may not be mounted",
    message:
      "Shared volumes on vSAN, and NFS volumes whose server doesn't support an error code that the kernel of {target} expects, can't be mounted, and these volumes are or may be such",
    remedy: "plan to test on the first updated node whether pods can mount these volumes",
    url: "https://issues.redhat.com/browse/STOR-2486",
  },
];
