import type { Dirent } from "node:fs";
import { join } from "node:path";
import { RECORDING_FILE } from "../../cluster/recorded/recorded-reader.ts";
import { readFileChunks } from "../../files/named-file.ts";

/** What a folder may be that holds a cluster's objects. */
export type RecordingKind = "recorded" | "must-gather";

const TAR = /\.(?:tar|tar\.gz|tgz)$/;
/** What the folder of a must-gather or of `oc adm inspect` has. */
const ARCHIVE_PARTS: ReadonlySet<string> = new Set(["cluster-scoped-resources", "timestamp", "namespaces"]);
/** The folders of the images that gathered are beside each other, and of one cluster. */
const IMAGE_FOLDER = /-sha256-[0-9a-f]+$/;

export function isArchiveFile(path: string): boolean {
  return TAR.test(path);
}

/** Undefined for a folder that holds no cluster itself. */
export async function findRecordingKind(
  folder: string,
  entries: readonly Dirent[],
): Promise<RecordingKind | undefined> {
  if (entries.some(({ name }) => name === RECORDING_FILE) && (await isRecordingFile(join(folder, RECORDING_FILE))))
    return "recorded";
  const isArchive = entries.some(
    (entry) => ARCHIVE_PARTS.has(entry.name) || (entry.isDirectory() && IMAGE_FOLDER.test(entry.name)),
  );
  return isArchive ? "must-gather" : undefined;
}

const MAX_BYTES = 400 << 20;

/** A result may have the same name, which its first key tells: those of a recording are API paths. What is neither is said when it is opened. */
export async function isRecordingFile(path: string): Promise<boolean> {
  try {
    for await (const chunk of readFileChunks(path, MAX_BYTES)) return !/^\s*\{\s*"[^/]/.test(chunk.toString("utf8"));
  } catch {
    // So is what can't be read.
  }
  return true;
}
