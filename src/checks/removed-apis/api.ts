import type { Context } from "../../model/check.ts";
import type { Json } from "../../model/json.ts";

/** An API as its path names it; the core group is "". */
export type Api = { readonly group: string; readonly version: string; readonly resource: string };

/** "flowcontrol.apiserver.k8s.io/v1beta3/flowschemas". */
export function formatApi({ group, version, resource }: Api): string {
  return group === "" ? `${version}/${resource}` : `${group}/${version}/${resource}`;
}

/** "flowcontrol.apiserver.k8s.io/v1beta3", the apiVersion of its objects. */
export function formatGroupVersion({ group, version }: Api): string {
  return group === "" ? version : `${group}/${version}`;
}

/** "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io", the name of its APIRequestCount. */
export function formatCountName({ group, version, resource }: Api): string {
  return group === "" ? `${resource}.${version}` : `${resource}.${version}.${group}`;
}

export function parseCountName(name: string): Api | undefined {
  const [resource, version, ...group] = name.split(".");
  return resource && version ? { group: group.join("."), version, resource } : undefined;
}

/** Does the source still serve what this minor of Kubernetes 1 removes, and the target no longer? */
export function isRemoved(minor: number, { kubernetes }: Context): boolean {
  return kubernetes.source < minor && minor <= kubernetes.target;
}

/** The minor of a release as the cluster announces it ("1.32"). */
export function parseRemovalMinor(release: Json): number | undefined {
  const minor = typeof release === "string" ? /^1\.(\d{1,3})$/.exec(release)?.[1] : undefined;
  return minor === undefined ? undefined : Number(minor);
}
