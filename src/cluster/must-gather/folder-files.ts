import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { readFileChunks } from "../../files/named-file.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import type { ArchiveFile, ArchiveFiles } from "./archive-files.ts";
import { MAX_ARCHIVE_BYTES, requireFewEntries, requireFewFiles } from "./archive-files.ts";
import { parseArchivePath } from "./archive-path.ts";

/** The folder of a pod's container is the deepest that is of no use. */
const MAX_DEPTH = 12;

/** Finds the files with objects. Links are not followed: they may lead out of the folder. */
export async function collectFolder(folder: string, signal: AbortSignal): Promise<ArchiveFiles> {
  const files: ArchiveFile[] = [];
  const links: string[] = [];
  let count = 0;
  for await (const { path, entry } of visitFolder(folder, "", 0)) {
    signal.throwIfAborted();
    requireFewEntries(++count, folder);
    if (parseArchivePath(path) === undefined) continue;
    if (entry.isSymbolicLink()) links.push(path);
    if (entry.isFile()) files.push(await buildFile(folder, path));
    requireFewFiles(files.length + links.length, folder);
  }
  const sorted = files.toSorted((a, b) => compareText(a.path, b.path));
  return { files: sorted, links, close: async () => {} };
}

type Visited = { readonly path: string; readonly entry: Dirent };

/** One entry after the other, so that memory holds none of them. */
async function* visitFolder(folder: string, within: string, depth: number): AsyncGenerator<Visited> {
  const entries = await opendir(join(folder, within)).catch((thrown: unknown) => refuse(join(folder, within), thrown));
  for await (const entry of entries) {
    const path = within === "" ? entry.name : `${within}/${entry.name}`;
    if (!entry.isDirectory()) yield { path, entry };
    else if (depth < MAX_DEPTH) yield* visitFolder(folder, path, depth + 1);
  }
}

async function buildFile(folder: string, path: string): Promise<ArchiveFile> {
  const file = join(folder, path);
  const { size } = await lstat(file).catch((thrown: unknown) => refuse(file, thrown));
  // The file may have become a link or a pipe since.
  return { path, size, read: () => readFileChunks(file, MAX_ARCHIVE_BYTES, { pipes: "refuse", links: "refuse" }) };
}

function refuse(path: string, thrown: unknown): never {
  throw new FailedError(`${path} can't be read: ${formatError(thrown)}`);
}
