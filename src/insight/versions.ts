import { type Json, type JsonObject, listAt, textAt } from "../model/json.ts";

/** `Installation`: the cluster was installed with it. `Partial`: it never completed. `Architecture`: of the release, where it says so. */
export type Metadata =
  | { readonly key: "Installation" | "Partial" }
  | { readonly key: "Architecture"; readonly value: string };

export type InsightVersion = { readonly version: string; readonly metadata?: readonly Metadata[] };

/** `previous` is absent while the cluster runs what it was installed with. */
export type Versions = { readonly previous?: InsightVersion; readonly target: InsightVersion };

/** The newest entry of the history is the target, the one before it what it began from. */
export function versionsOf(clusterVersion: JsonObject): Versions {
  const [last, before] = listAt(clusterVersion, "status", "history");
  const desired =
    listAt(clusterVersion, "status", "history").length === 0
      ? textAt(clusterVersion, "status", "desired", "version")
      : undefined;
  const architecture = architectureOf(clusterVersion);
  const target = versionOf(textAt(last, "version") ?? desired ?? "", [
    ...(before === undefined ? [{ key: "Installation" } as const] : []),
    ...architecture,
  ]);
  return before === undefined
    ? { target }
    : { previous: versionOf(textAt(before, "version") ?? "", partial(before)), target };
}

function versionOf(version: string, metadata: readonly Metadata[]): InsightVersion {
  return { version, ...(metadata.length === 0 ? {} : { metadata }) };
}

function partial(entry: Json): readonly Metadata[] {
  return textAt(entry, "state") === "Partial" ? [{ key: "Partial" }] : [];
}

function architectureOf(clusterVersion: JsonObject): readonly Metadata[] {
  const value = textAt(clusterVersion, "status", "desired", "architecture");
  return value === undefined || value === "" ? [] : [{ key: "Architecture", value }];
}
