import { type Context, type Finding, type Judgement, formatTarget } from "../../model/check.ts";
import { sortNames } from "../../model/names.ts";
import { risks } from "./risks.ts";
import type { StorageClass, Volume, PluginChange } from "./volumes.ts";
import { buildNamesNotice } from "../shared/notices.ts";

export type Storage = {
  readonly volumes: readonly Volume[];
  readonly classes: readonly StorageClass[];
  readonly drivers: ReadonlySet<string>;
};

/** If a change's driver is installed, CSI migration takes over and nothing has to be done. */
export function judgeStorage(storage: Storage, changes: readonly PluginChange[], context: Context): Judgement {
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
export function needsDrivers({ volumes, classes }: Storage, changes: readonly PluginChange[]): boolean {
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
