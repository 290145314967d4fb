import { type JsonObject, at, isObject, listAt, objectAt, textAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import type { Context } from "../../model/check.ts";

/** The end of a volume plugin in a minor of Kubernetes 1. */
export type PluginChange = {
  /** The field of a PersistentVolume's spec. */
  readonly field: string;
  readonly minor: number;
  /** The CSI driver that serves its volumes from then on; without one, nothing does. */
  readonly driver?: string;
  /** The plugin's name in a StorageClass, if it could provision volumes. */
  readonly provisioner?: string;
};

/** Plugins that Kubernetes removed and whose volumes no CSI driver takes over (changelogs of 1.25, 1.26 and 1.31). */
const REMOVED: readonly PluginChange[] = [
  { field: "flocker", minor: 25 },
  { field: "quobyte", minor: 25, provisioner: "kubernetes.io/quobyte" },
  { field: "storageos", minor: 25, provisioner: "kubernetes.io/storageos" },
  { field: "glusterfs", minor: 26, provisioner: "kubernetes.io/glusterfs" },
  { field: "cephfs", minor: 31 },
  { field: "rbd", minor: 31, provisioner: "kubernetes.io/rbd" },
];

/** Plugins that CSI drivers replace from the minor on in which the feature gate of their migration is locked (pkg/features). */
const MIGRATED: readonly PluginChange[] = [
  { field: "azureDisk", minor: 24, driver: "disk.csi.azure.com", provisioner: "kubernetes.io/azure-disk" },
  { field: "cinder", minor: 24, driver: "cinder.csi.openstack.org", provisioner: "kubernetes.io/cinder" },
  { field: "awsElasticBlockStore", minor: 25, driver: "ebs.csi.aws.com", provisioner: "kubernetes.io/aws-ebs" },
  { field: "gcePersistentDisk", minor: 25, driver: "pd.csi.storage.gke.io", provisioner: "kubernetes.io/gce-pd" },
  { field: "azureFile", minor: 26, driver: "file.csi.azure.com", provisioner: "kubernetes.io/azure-file" },
  // The gate is on by default from 1.31 on, and can be turned off until 1.33: a cluster that did so loses the volumes only then.
  { field: "portworxVolume", minor: 31, driver: "pxd.portworx.com", provisioner: "kubernetes.io/portworx-volume" },
  { field: "portworxVolume", minor: 33, driver: "pxd.portworx.com", provisioner: "kubernetes.io/portworx-volume" },
];

const VSPHERE = {
  field: "vsphereVolume",
  driver: "csi.vsphere.vmware.com",
  provisioner: "kubernetes.io/vsphere-volume",
} as const;

/** OpenShift 4.13, which runs Kubernetes 1.26, still allows the plugin; 4.14 doesn't. */
const VSPHERE_MINOR = { kubernetes: 26, openshift: 27 } as const;

/** The fields of every plugin that ever changed. */
const FIELDS: readonly string[] = [...new Set([...REMOVED, ...MIGRATED, VSPHERE].map(({ field }) => field))].toSorted();

/** The changes that an update crosses, of each plugin only the first. */
export function selectPluginChanges({
  kubernetes,
  platform,
}: Pick<Context, "kubernetes" | "platform">): readonly PluginChange[] {
  const all = [...REMOVED, ...MIGRATED, { ...VSPHERE, minor: VSPHERE_MINOR[platform] }];
  const crossed = all.filter(({ minor }) => kubernetes.source < minor && minor <= kubernetes.target);
  return [...Map.groupBy(crossed, ({ field }) => field).values()].flatMap(([first]) => first ?? []);
}

/** A PersistentVolume of one of the plugins that ended. */
export type Volume = { readonly object: ObjectRef; readonly field: string; readonly isBound: boolean };

export function keepVolume(object: JsonObject): Volume | undefined {
  const spec = objectAt(object, "spec");
  const field = FIELDS.find((name) => isObject(at(spec, name)));
  if (field === undefined) return undefined;
  return { object: refOf(object), field, isBound: textAt(object, "status", "phase") === "Bound" };
}

export type StorageClass = { readonly name: string; readonly provisioner: string };

export function keepStorageClass(object: JsonObject): StorageClass | undefined {
  const provisioner = textAt(object, "provisioner") ?? "";
  return provisioner.startsWith("kubernetes.io/") ? { name: refOf(object).name, provisioner } : undefined;
}

/** The drivers that are registered on a node. */
export function keepNodeDrivers(object: JsonObject): readonly string[] {
  return listAt(object, "spec", "drivers").flatMap((driver) => textAt(driver, "name") ?? []);
}
