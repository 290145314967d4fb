import { type Json, type JsonObject, compareText, textAt } from "../model/json.ts";
import { compareVersions, parseVersion } from "../model/version.ts";

/** As the operator orders releases: by version, what is no version before all others and by its text. */
export function compareReleaseVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left && right) return compareVersions(left, right);
  if (left) return 1;
  return right ? -1 : compareText(a, b);
}

/** The newest first, as ClusterVersion's status lists them. `of` gives the release of an entry. */
export function sortNewestFirst(entries: readonly JsonObject[], of: (entry: JsonObject) => Json | undefined) {
  return entries.toSorted((a, b) =>
    compareReleaseVersions(textAt(of(b), "version") ?? "", textAt(of(a), "version") ?? ""),
  );
}
