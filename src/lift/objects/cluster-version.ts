import type { JsonObject, Json } from "../../model/json.ts";
import { at, listAt, textAt, compareText, objectsAt, objectAt } from "../../model/json.ts";
import { compareVersions, parseVersion } from "../../model/version.ts";

/** Alerts had this prefix before they were named as their risks. Accepted names with it still count. */
export const ALERT_ALIAS_PREFIX = "Preflight";

/** The names in spec.desiredUpdate.acceptRisks. The former name of a risk's alert also accepts the risk. */
export function getAcceptedRisks(clusterVersion: JsonObject): readonly string[] {
  return listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").flatMap((one) =>
    withoutAlias(textAt(one, "name") ?? ""),
  );
}

/** A name with the risk's own name, if it is an alert's former name. */
function withoutAlias(name: string): readonly string[] {
  const bare = name.startsWith(ALERT_ALIAS_PREFIX) ? name.slice(ALERT_ALIAS_PREFIX.length) : "";
  return /^[A-Z]/.test(bare) ? [name, bare] : [name];
}

/** Makes a write fail with a conflict if the object changed in between. */
export function buildOptimisticLock(object: JsonObject): JsonObject {
  const resourceVersion = at(object, "metadata", "resourceVersion");
  return typeof resourceVersion === "string" ? { metadata: { resourceVersion } } : {};
}

/** The offered updates: status.availableUpdates and status.conditionalUpdates. */
export type ClusterUpdates = {
  readonly available: readonly JsonObject[];
  readonly conditional: readonly JsonObject[];
};

export function getClusterUpdates(clusterVersion: JsonObject): ClusterUpdates {
  return {
    available: objectsAt(clusterVersion, "status", "availableUpdates"),
    conditional: objectsAt(clusterVersion, "status", "conditionalUpdates"),
  };
}

/** The version of an entry of conditionalUpdates. */
export function versionOf(update: JsonObject): string {
  return textAt(update, "release", "version") ?? "";
}

export function releaseOf(update: JsonObject): JsonObject {
  return objectAt(update, "release");
}

export function risksOf(update: JsonObject | undefined): readonly JsonObject[] {
  return objectsAt(update, "risks");
}

export function nameOf(risk: JsonObject): string {
  return textAt(risk, "name") ?? "";
}

/** Adds a release, unless its image is already present. */
export function addRelease(releases: readonly JsonObject[], release: JsonObject): readonly JsonObject[] {
  return releases.some((one) => isSameImage(one, release)) ? releases : [...releases, release];
}

export function removeRelease(releases: readonly JsonObject[], release: JsonObject): readonly JsonObject[] {
  return releases.filter((one) => !isSameImage(one, release));
}

/** The operator identifies releases by image. */
function isSameImage(a: JsonObject, b: JsonObject): boolean {
  return textAt(a, "image") === textAt(b, "image");
}

/** The operator's order of releases: invalid versions first, by text; then by version. */
export function compareReleaseVersions(a: string, b: string): number {
  const left = parseVersion(a);
  const right = parseVersion(b);
  if (left && right) return compareVersions(left, right);
  if (left) return 1;
  return right ? -1 : compareText(a, b);
}

/** The newest first, as in ClusterVersion's status. `getRelease` gives the release of an entry. */
export function sortNewestFirst(entries: readonly JsonObject[], getRelease: (entry: JsonObject) => Json | undefined) {
  return entries.toSorted((a, b) =>
    compareReleaseVersions(textAt(getRelease(b), "version") ?? "", textAt(getRelease(a), "version") ?? ""),
  );
}
