import type { Context, Finding, Judgement } from "../../model/check.ts";
import { joinSome } from "../../model/names.ts";
import type { Change } from "./plugins.ts";
import { driverMissing, pluginGone, targetText } from "./risks.ts";
import { type StorageClass, type Volume, sortedNames } from "./volumes.ts";

export type Storage = {
  readonly volumes: readonly Volume[];
  readonly classes: readonly StorageClass[];
  readonly drivers: ReadonlySet<string>;
};

/** Changes whose volumes nobody would serve. Where the driver is installed, CSI migration takes over, and nothing has to be done. */
export function judgeStorage(storage: Storage, changes: readonly Change[], context: Context): Judgement {
  const harmful = changes.filter(({ driver }) => driver === undefined || !storage.drivers.has(driver));
  return {
    findings: harmful.flatMap((change) => volumeFindings(storage.volumes, change)),
    notices: harmful.flatMap((change) => [
      ...unboundNotices(storage.volumes, change),
      ...classNotices(storage.classes, change, context),
    ]),
  };
}

/** Is there anything that a CSI driver would have to serve? */
export function needsDrivers({ volumes, classes }: Storage, changes: readonly Change[]): boolean {
  const migrated = changes.filter(({ driver }) => driver !== undefined);
  return migrated.some(
    (change) =>
      volumes.some(({ field }) => field === change.field) ||
      classes.some(({ provisioner }) => provisioner === change.provisioner),
  );
}

function volumeFindings(volumes: readonly Volume[], change: Change): readonly Finding[] {
  const { field, driver } = change;
  return volumes
    .filter((volume) => volume.field === field && volume.bound)
    .map(({ object }) => ({
      risk: driver === undefined ? pluginGone.name : driverMissing.name,
      object,
      path: `spec.${field}`,
      message: `${upper(whatHappens(change))}, so its data can't be mounted.`,
      detail: { plugin: field, ...(driver === undefined ? {} : { driver }) },
    }));
}

function whatHappens({ field, driver, minor }: Change): string {
  return driver === undefined
    ? `Kubernetes 1.${minor} and later have no volume plugin ${field}`
    : `in Kubernetes 1.${minor} and later the CSI driver ${driver} serves ${field} volumes, and it isn't installed`;
}

function upper(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function unboundNotices(volumes: readonly Volume[], change: Change): readonly string[] {
  const names = volumes.filter(({ field, bound }) => field === change.field && !bound).map(({ object }) => object.name);
  if (names.length === 0) return [];
  return [
    `${upper(whatHappens(change))}: PersistentVolumes that no claim holds now can't be used then: ${named(names)}.`,
  ];
}

function classNotices(classes: readonly StorageClass[], change: Change, context: Context): readonly string[] {
  const names = classes.filter(({ provisioner }) => provisioner === change.provisioner).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    `${upper(whatHappens(change))}: no new volumes are made in ${targetText(context)} for these StorageClasses: ${named(names)}.`,
  ];
}

function named(names: readonly string[]): string {
  return joinSome(sortedNames(names));
}
