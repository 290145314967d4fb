import { type Finding, type Context, type Judgement, defineCheck, formatTarget } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/text.ts";
import { readRisks } from "../shared/risks.ts";
import { type Each, type ReadResults, each, valuesOf } from "../../model/read.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { buildNamesNotice } from "../shared/judgements.ts";
import { type JsonObject, at, isObject, listAt, objectAt, textAt } from "../../model/json.ts";

const risks = readRisks("in-tree-volumes", {
  VolumePluginGone: {},
  CSIDriverOfInTreeVolumesMissing: { message: { drivers: formatDrivers } },
});

function formatDrivers(findings: readonly Finding[]): string {
  return joinNames(sortNames(findings.flatMap(({ detail }) => detail?.["driver"] ?? [])));
}

type FollowUpReads = {
  readonly volumes?: Each<Volume>;
  readonly classes?: Each<StorageClass>;
  readonly drivers?: Each<string>;
  readonly nodes?: Each<readonly string[]>;
};

export default defineCheck({
  id: "in-tree-volumes",
  title: "Volumes of in-tree plugins can be mounted in the target",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor"] },
  basis: "table",
  platforms: ["openshift", "kubernetes"],
  reads: () => ({}),
  mayRead: buildStorageReads,
  follow: (_, context) => (selectPluginChanges(context).length > 0 ? buildStorageReads() : {}),
  evaluate: (_, context, followed) => judge(followed, context),
});

function buildStorageReads(): Required<FollowUpReads> {
  return {
    volumes: each("v1/persistentvolumes", keepVolume),
    classes: each("storage.k8s.io/v1/storageclasses", keepStorageClass),
    drivers: each("storage.k8s.io/v1/csidrivers", (driver) => refOf(driver).name),
    nodes: each("storage.k8s.io/v1/csinodes", keepNodeDrivers),
  };
}

function judge(followed: Partial<ReadResults<FollowUpReads>>, context: Context): Judgement {
  const changes = selectPluginChanges(context);
  if (changes.length === 0) return { notApplicable: describeNoChange(context) };
  const { volumes, classes, drivers, nodes } = followed;
  const installed = new Set([...(drivers ? valuesOf(drivers) : []), ...(nodes ? valuesOf(nodes).flat() : [])]);
  // Without the drivers it is unknown which volumes they serve; the runner reports that they couldn't be read.
  const decidable =
    drivers && nodes ? changes : changes.filter(({ driver }) => driver === undefined || installed.has(driver));
  const storage = {
    volumes: volumes ? valuesOf(volumes) : [],
    classes: classes ? valuesOf(classes) : [],
    drivers: installed,
  };
  const irrelevantReads = volumes && classes && !needsDrivers(storage, changes) ? ["drivers", "nodes"] : [];
  return { ...judgeStorage(storage, decidable, context), irrelevantReads };
}

function describeNoChange({ kubernetes: { source, target } }: Context): string {
  return `No volume plugin changes between Kubernetes 1.${source} and 1.${target}.`;
}

export type Storage = {
  readonly volumes: readonly Volume[];
  readonly classes: readonly StorageClass[];
  readonly drivers: ReadonlySet<string>;
};

/** If a change's driver is installed, CSI migration takes over and nothing has to be done. */
function judgeStorage(storage: Storage, changes: readonly PluginChange[], context: Context): Judgement {
  const harmful = changes.filter(({ driver }) => driver === undefined || !storage.drivers.has(driver));
  return {
    findings: harmful.flatMap((change) => buildVolumeFindings(storage.volumes, change)),
    notices: harmful.flatMap((change) => [
      ...buildUnboundNotices(storage.volumes, change),
      ...buildClassNotices(storage.classes, change, context),
    ]),
  };
}

/** Whether any volume or class needs a CSI driver in the target. */
function needsDrivers({ volumes, classes }: Storage, changes: readonly PluginChange[]): boolean {
  const migrated = changes.filter(({ driver }) => driver !== undefined);
  return migrated.some(
    (change) =>
      volumes.some(({ field }) => field === change.field) ||
      classes.some(({ provisioner }) => provisioner === change.provisioner),
  );
}

function buildVolumeFindings(volumes: readonly Volume[], change: PluginChange): readonly Finding[] {
  const { field, driver } = change;
  return volumes
    .filter((volume) => volume.field === field && volume.isBound)
    .map(({ object }) => ({
      risk: driver === undefined ? risks.VolumePluginGone.name : risks.CSIDriverOfInTreeVolumesMissing.name,
      object,
      path: `spec.${field}`,
      message: `${capitalize(describeChange(change))}, so the data of this volume can't be mounted.`,
      detail: { plugin: field, ...(driver === undefined ? {} : { driver }) },
    }));
}

function describeChange({ field, driver, minor }: PluginChange): string {
  return driver === undefined
    ? `Kubernetes 1.${minor} and later have no volume plugin ${field}`
    : `in Kubernetes 1.${minor} and later, the CSI driver ${driver} serves ${field} volumes, but it isn't installed`;
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function buildUnboundNotices(volumes: readonly Volume[], change: PluginChange): readonly string[] {
  const names = volumes
    .filter(({ field, isBound }) => field === change.field && !isBound)
    .map(({ object }) => object.name);
  return buildNamesNotice(
    sortNames(names),
    (unbound) =>
      `${capitalize(describeChange(change))}. These unbound PersistentVolumes can't be used then: ${unbound}.`,
  );
}

function buildClassNotices(
  classes: readonly StorageClass[],
  change: PluginChange,
  context: Context,
): readonly string[] {
  const names = classes.filter(({ provisioner }) => provisioner === change.provisioner).map(({ name }) => name);
  return buildNamesNotice(
    sortNames(names),
    (affected) =>
      `${capitalize(describeChange(change))}. StorageClasses that can't provision volumes in ${formatTarget(context)}: ${affected}.`,
  );
}

/** The end of a volume plugin in a minor of Kubernetes 1. */
type PluginChange = {
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
type Volume = { readonly object: ObjectRef; readonly field: string; readonly isBound: boolean };

export function keepVolume(object: JsonObject): Volume | undefined {
  const spec = objectAt(object, "spec");
  const field = FIELDS.find((name) => isObject(at(spec, name)));
  if (field === undefined) return undefined;
  return { object: refOf(object), field, isBound: textAt(object, "status", "phase") === "Bound" };
}

type StorageClass = { readonly name: string; readonly provisioner: string };

export function keepStorageClass(object: JsonObject): StorageClass | undefined {
  const provisioner = textAt(object, "provisioner") ?? "";
  return provisioner.startsWith("kubernetes.io/") ? { name: refOf(object).name, provisioner } : undefined;
}

/** The drivers that are registered on a node. */
export function keepNodeDrivers(object: JsonObject): readonly string[] {
  return listAt(object, "spec", "drivers").flatMap((driver) => textAt(driver, "name") ?? []);
}
