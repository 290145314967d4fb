import type { Crd } from "../../model/crd.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** A CRD that is installed in the cluster and shipped by the target. */
export type CrdPair = { readonly installed: Crd; readonly target: Crd };

export function pairCrds(installed: readonly Crd[], targets: readonly Crd[]): readonly CrdPair[] {
  const targetsByName = new Map(targets.map((crd) => [crd.name, crd]));
  return installed.flatMap((crd) => {
    const target = targetsByName.get(crd.name);
    return target === undefined ? [] : [{ installed: crd, target }];
  });
}

export function refOfCrd(crd: Crd): ObjectRef {
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name: crd.name };
}

/** The versions, served or not, that the target's CRD no longer has. */
export function findRemovedVersions({ installed, target }: CrdPair): readonly string[] {
  const names = new Set(target.versions.map(({ name }) => name));
  return installed.versions.map(({ name }) => name).filter((name) => !names.has(name));
}

/** The versions that are served today and not by the target. */
export function findUnservedVersions({ installed, target }: CrdPair): readonly string[] {
  const served = new Set(target.versions.filter((version) => version.served).map((version) => version.name));
  return installed.versions
    .filter((version) => version.served && !served.has(version.name))
    .map((version) => version.name);
}
