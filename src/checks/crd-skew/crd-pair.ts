import { type Crd, type CrdVersion, parseCrd } from "../../model/crd.ts";
import type { ObjectRef } from "../../model/resource.ts";
import type { Context } from "../../model/check.ts";
import { type JsonObject, objectAt } from "../../model/json.ts";
import { parseKubernetesVersion } from "../../model/version.ts";

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

export function findStorage({ versions }: Crd): CrdVersion | undefined {
  return versions.find(({ storage }) => storage);
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

/** The target as messages name it: a release by its version, a folder of CRDs by its name. */
export function formatTargetName({ release, target }: Context): string {
  return release.crdFolder ?? target.text;
}

const INCLUDE_PREFIX = "include.release.openshift.io/";
/** Which releases, profiles and feature sets a CRD is for, and the approval that its API group asks for. */
export const CRD_ANNOTATIONS = [
  "api-approved.kubernetes.io",
  "capability.openshift.io/",
  "exclude.release.openshift.io/",
  INCLUDE_PREFIX,
  "release.openshift.io/",
];

/** A CRD of the cluster. `isFromPayload`: a release manifest created it, so releases maintain it. */
export type InstalledCrd = { readonly crd: Crd; readonly isFromPayload: boolean };

export function keepInstalledCrd(object: JsonObject): InstalledCrd | undefined {
  const crd = parseCrd(object);
  const annotations = Object.keys(objectAt(object, "metadata", "annotations"));
  const isFromPayload = annotations.some((key) => key.startsWith(INCLUDE_PREFIX));
  return crd === undefined ? undefined : { crd, isFromPayload };
}

/** The minors of Kubernetes 1 whose API servers answer today, and under the target. */
export type Minors = { readonly source: number; readonly target: number };

export function getMinors(context: Context): Minors {
  return { source: context.kubernetes.source, target: getTargetKubernetesMinor(context) };
}

/** Of the API server in the target's payload; as the release's version says if the payload does not. */
export function getTargetKubernetesMinor({ release, kubernetes }: Context): number {
  return parseKubernetesVersion(release.kubernetes ?? "")?.minor ?? kubernetes.target;
}
