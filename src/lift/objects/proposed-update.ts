import { findRunningVersion } from "../../model/cluster-version.ts";
import { type JsonObject, textAt } from "../../model/json.ts";

/** ClusterVersion's annotation by which the update page of OpenShift's console asks for an analysis: the version to update to. */
export const PROPOSED_UPDATE = "agentic.openshift.io/propose-update";

/** Nobody takes the annotation away, so one for the running version asks for nothing any longer. */
export function findProposedVersion(clusterVersion: JsonObject): string | undefined {
  const version = textAt(clusterVersion, "metadata", "annotations", PROPOSED_UPDATE) ?? "";
  return version === "" || version === findRunningVersion(clusterVersion) ? undefined : version;
}
