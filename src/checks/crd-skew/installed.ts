import { type Crd, parseCrd } from "../../model/crd.ts";
import { type JsonObject, objectAt } from "../../model/json.ts";

/** A CRD of the cluster. `ofPayload`: a payload's manifest made it, so its release answers for it. */
export type InstalledCrd = { readonly crd: Crd; readonly ofPayload: boolean };

export function keepInstalled(object: JsonObject): InstalledCrd | undefined {
  const crd = parseCrd(object);
  const annotations = Object.keys(objectAt(object, "metadata", "annotations"));
  const ofPayload = annotations.some((key) => key.startsWith("include.release.openshift.io/"));
  return crd === undefined ? undefined : { crd, ofPayload };
}
