import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, infrastructure, buildObject } from "./fake-cluster.ts";

function volume(spec: JsonObject): JsonObject {
  return buildObject("v1", "PersistentVolume", "pv-1", { spec });
}

const CEPHFS = volume({ csi: { driver: "openshift-storage.cephfs.csi.ceph.com" } });
const RBD = volume({ csi: { driver: "openshift-storage.rbd.csi.ceph.com" } });
const VSAN = { driver: "csi.vsphere.vmware.com" };

export const STORAGE_FIXTURES: Readonly<Record<string, Fixture>> = {
  "ceph-parallel-fsync": { hit: [CEPHFS], miss: [RBD] },
  "ceph-capabilities": { hit: [CEPHFS], miss: [RBD] },
  "local-volume-links": {
    hit: [volume({ local: { path: "/mnt/local-storage/fast/disk-1" } })],
    miss: [volume({ hostPath: { path: "/mnt" } })],
  },
  "vsphere-file-volumes": {
    hit: [infrastructure("VSphere"), volume({ csi: VSAN, accessModes: ["ReadWriteMany"] })],
    miss: [infrastructure("VSphere"), volume({ csi: VSAN, accessModes: ["ReadWriteOnce"] })],
    otherHits: [
      volume({ nfs: { server: "nfs.example" } }),
      volume({ csi: { driver: "nfs.csi.k8s.io" }, accessModes: ["ReadWriteOnce"] }),
      volume({ csi: { driver: "csi.trident.netapp.io" }, accessModes: ["ReadWriteMany"] }),
    ].map((one) => ({ hit: [infrastructure("VSphere"), one] })),
    otherMisses: [
      volume({ csi: { driver: "csi.trident.netapp.io" }, accessModes: ["ReadWriteMany"], volumeMode: "Block" }),
      volume({ csi: { driver: "csi.trident.netapp.io" }, accessModes: ["ReadWriteOnce"] }),
      volume({ csi: { driver: "openshift-storage.cephfs.csi.ceph.com" }, accessModes: ["ReadWriteMany"] }),
    ].map((one) => ({ miss: [infrastructure("VSphere"), one] })),
  },
};
