import { FailedError, UsageError } from "../../../model/errors.ts";
import type { Version } from "../../../model/version.ts";
import { readReleaseVersion } from "../../../release/payload/release-version.ts";

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
