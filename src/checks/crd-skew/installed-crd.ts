import { type Crd, parseCrd } from "../../model/crd.ts";
import { type JsonObject, objectAt } from "../../model/json.ts";

/** A CRD of the cluster. `isFromPayload`: a release manifest created it, so releases maintain it. */
export type InstalledCrd = { readonly crd: Crd; readonly isFromPayload: boolean };

export function keepInstalledCrd(object: JsonObject): InstalledCrd | undefined {
  const crd = parseCrd(object);
  const annotations = Object.keys(objectAt(object, "metadata", "annotations"));
  const isFromPayload = annotations.some((key) => key.startsWith("include.release.openshift.io/"));
  return crd === undefined ? undefined : { crd, isFromPayload };
}
