import type { MarkForm, PreflightMark, UpdateVersions } from "../../model/cluster-version-risks.ts";
import { formatMark, parseMark } from "../../model/cluster-version-risks.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { at, compareText, formatCanonicalJson, listAt, objectAt, objectsAt, textAt } from "../../model/json.ts";
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

/** Whether the operator made this risk of an alert on a preflight's risk: another source of the same fact. */
export function isAlertRisk(risk: JsonObject): boolean {
  return findAlertTarget(risk) !== undefined;
}

/** The target of the preflight that an alert's risk is about. The operator shows the risk on every offered update. */
export function findAlertTarget(risk: JsonObject): string | undefined {
  const mark = parseMark(textAt(risk, "message") ?? "");
  return mark?.by === "alert" ? mark.target : undefined;
}

/** The forms of a controller's mark. */
export type PrefixForm = Exclude<MarkForm, "alert">;

/** The update that a risk's prefix names; the proposal's form has no source. */
type RiskOrigin = { readonly source?: string; readonly target: string };

const ALWAYS_RULES = formatCanonicalJson([{ type: "Always" }]);

/** The message with the prefix, which replaces a prefix that the runner already wrote. */
export function withPrefix(text: string, versions: UpdateVersions, form: PrefixForm): string {
  return `${formatMark(versions, form)}${text.slice(parsePrefix(text)?.length ?? 0)}`;
}

/**
 * The update of a preflight's risk, or undefined for another source's risk. Only the message can identify it: conditions may be pruned or
 * rewritten by the operator, and the retained result may be lost.
 */
export function findOrigin(risk: JsonObject): RiskOrigin | undefined {
  if (formatCanonicalJson(listAt(risk, "matchingRules")) !== ALWAYS_RULES) return undefined;
  return parsePrefix(textAt(risk, "message") ?? "");
}

/** Whether it is a preflight's risk, not another source's. */
export function hasOrigin(risk: JsonObject): boolean {
  return findOrigin(risk) !== undefined;
}

function parsePrefix(text: string): PreflightMark | undefined {
  const mark = parseMark(text);
  return mark?.by === "controller" ? mark : undefined;
}
