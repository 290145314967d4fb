import { stat } from "node:fs/promises";
import type { FileManifest } from "../../manifests/files/parse-manifests.ts";
import { FailedError, failWith } from "../../model/errors.ts";
import { type UnreadManifest, leavesUnknown } from "../../model/manifest.ts";

export type ReadFiles = { readonly manifests: readonly FileManifest[]; readonly unread: readonly UnreadManifest[] };

/** Objects are few KiB each, and all are held, since a CRD may come after its objects. */
const MAX_OBJECTS = 100_000;

/** Throws a FailedError for a path that can't be read, and if there is nothing to judge. */
export async function collectManifests(
  read: AsyncIterable<FileManifest | UnreadManifest>,
  sources: readonly string[],
): Promise<ReadFiles> {
  for (const path of sources) if (path !== "-") await stat(path).catch(failWith(`${path} can't be read`));
  const manifests: FileManifest[] = [];
  const unread: UnreadManifest[] = [];
  for await (const one of read) {
    if ("object" in one) manifests.push(one);
    else unread.push(one);
    if (manifests.length > MAX_OBJECTS)
      throw new FailedError(`there are more than ${MAX_OBJECTS} objects: give fewer files`);
  }
  if (manifests.length === 0 && !unread.some(leavesUnknown))
    throw new FailedError(`${sources.join(" ")} has no manifest: give a file or a folder with some`);
  return { manifests, unread };
}
