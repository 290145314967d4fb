import { type Crd, parseCrd } from "../../model/crd.ts";
import { type JsonObject, objectAt } from "../../model/json.ts";

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
