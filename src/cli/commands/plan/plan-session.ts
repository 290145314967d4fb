import type { ClusterSession, OpenValues } from "../../client/connection.ts";
import type { GraphValues } from "../../target-release/graph-reader.ts";
import type { ImageValues } from "../../target-release/image-target.ts";
import type { JudgingValues } from "../../session/acceptances.ts";
import type { CycleValues } from "../../session/session.ts";
import type { ChosenValues } from "../../checks/check-selection.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import type { Version } from "../../../model/version.ts";
import { readReleaseVersion } from "../../../release/payload/release-version.ts";

/** What a plan needs, whatever is made of it. `release`: folders of releases on the way. */
export type PlanningValues = OpenValues &
  CycleValues &
  ChosenValues &
  JudgingValues &
  GraphValues &
  ImageValues & { readonly to: string; readonly release: readonly string[] };

/** With the folders that --release names. */
export type PlanSession = ClusterSession<PlanningValues & { readonly folders: readonly ReleaseFolder[] }>;

/** A folder that --release names. */
export type ReleaseFolder = { readonly path: string; readonly version: Version };

/** Reads the version of each folder. Throws a FailedError for an unreadable one, and a UsageError for two of one version. */
export async function readReleaseFolders(paths: readonly string[]): Promise<readonly ReleaseFolder[]> {
  const folders: ReleaseFolder[] = [];
  for (const path of paths) {
    const result = await readReleaseVersion(path);
    if (result.kind === "failed") throw new FailedError(`--release ${path}: ${result.failure.message}`);
    const { version } = result;
    const same = folders.find((folder) => folder.version.text === version.text);
    if (same !== undefined) throw new UsageError(`--release ${same.path} and ${path} both have ${version.text}`);
    folders.push({ path, version });
  }
  return folders;
}
