import { type Json, type JsonObject, listAt, textAt } from "../../model/json.ts";

/** `Installation`: the cluster was installed with this version. `Partial`: the update never completed. */
export type VersionMetadata =
  | { readonly key: "Installation" | "Partial" }
  | { readonly key: "Architecture"; readonly value: string };

export type InsightVersion = { readonly version: string; readonly metadata?: readonly VersionMetadata[] };

/** `previous` is absent if the cluster was never updated. */
export type InsightVersions = { readonly previous?: InsightVersion; readonly target: InsightVersion };

/** The newest entry of the history is the target, the entry before it the previous version. */
export function buildInsightVersions(clusterVersion: JsonObject): InsightVersions {
  const [last, previous] = listAt(clusterVersion, "status", "history");
  const desired =
    listAt(clusterVersion, "status", "history").length === 0
      ? textAt(clusterVersion, "status", "desired", "version")
      : undefined;
  const architecture = buildArchitectureMetadata(clusterVersion);
  const target = buildInsightVersion(textAt(last, "version") ?? desired ?? "", [
    ...(previous === undefined ? [{ key: "Installation" } as const] : []),
    ...architecture,
  ]);
  return previous === undefined
    ? { target }
    : { previous: buildInsightVersion(textAt(previous, "version") ?? "", buildPartialMetadata(previous)), target };
}

function buildInsightVersion(version: string, metadata: readonly VersionMetadata[]): InsightVersion {
  return { version, ...(metadata.length === 0 ? {} : { metadata }) };
}

function buildPartialMetadata(entry: Json): readonly VersionMetadata[] {
  return textAt(entry, "state") === "Partial" ? [{ key: "Partial" }] : [];
}

function buildArchitectureMetadata(clusterVersion: JsonObject): readonly VersionMetadata[] {
  const value = textAt(clusterVersion, "status", "desired", "architecture");
  return value === undefined || value === "" ? [] : [{ key: "Architecture", value }];
}
