import type { Context, Finding } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import { type Each, each, type ListResult, valuesOf } from "../../model/read.ts";
import { refOfCrd, type InstalledCrd } from "./crd-pair.ts";
import { CRD_DELETED } from "./risk-names.ts";
import { findServedVersion } from "./version-writers.ts";

/** The installed CRDs that the target's manifests delete. */
export function selectDeletedCrds(installed: readonly InstalledCrd[], { release }: Context): readonly Crd[] {
  const names = new Set(
    release.deleted.filter(({ kind }) => kind === "CustomResourceDefinition").map(({ name }) => name),
  );
  return installed.map(({ crd }) => crd).filter(({ name }) => names.has(name));
}

/** Deleting a CRD deletes its objects, so they are counted. */
export function buildDeletedObjectsRead(crd: Crd): Each<true> | undefined {
  const version = findServedVersion(crd);
  if (version === undefined) return undefined;
  const { group, plural, kind, listKind } = crd;
  return each({ group, version, resource: plural, kind, listKind }, () => true);
}

export function buildDeletedCrdFindings(crd: Crd, objects: ListResult<true> | undefined): readonly Finding[] {
  const count = objects === undefined ? 0 : valuesOf(objects).length;
  if (count === 0) return [];
  const which = count === 1 ? "its only object" : `all ${count} of its objects`;
  return [
    {
      risk: CRD_DELETED,
      detail: { kind: "shape" },
      object: refOfCrd(crd),
      message: `The target deletes it together with ${which}.`,
    },
  ];
}

export function buildDeletedCrdNotices(
  crd: Crd,
  objects: ListResult<true> | undefined,
  target: string,
): readonly string[] {
  const isEmpty = objects !== undefined && valuesOf(objects).length === 0;
  return isEmpty ? [`${target} deletes the CRD ${crd.name}, which has no objects.`] : [];
}
