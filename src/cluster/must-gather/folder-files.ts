import { constants } from "node:fs";
import { lstat, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import { FailedError, formatError } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import { type ArchiveFile, type ArchiveFiles, requireFewFiles } from "./archive-files.ts";
import { parseArchivePath } from "./archive-path.ts";

/** The folder of a pod's container is the deepest that is of no use. */
const MAX_DEPTH = 12;

/** Finds the files with objects. Links are not followed: they may lead out of the folder. */
export async function collectFolder(folder: string, signal: AbortSignal): Promise<ArchiveFiles> {
  const files: ArchiveFile[] = [];
  const links: string[] = [];
  const pending = [{ path: "", depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    signal.throwIfAborted();
    for (const { name, kind } of await readEntries(join(folder, next.path))) {
      const path = next.path === "" ? name : `${next.path}/${name}`;
      if (kind === "folder" && next.depth < MAX_DEPTH) pending.push({ path, depth: next.depth + 1 });
      if (kind === "other" || kind === "folder" || parseArchivePath(path) === undefined) continue;
      if (kind === "link") links.push(path);
      else files.push(await buildFile(folder, path));
      requireFewFiles(files.length, folder);
    }
  }
  const sorted = files.toSorted((a, b) => compareText(a.path, b.path));
  return { files: sorted, links, close: async () => {} };
}

type Entry = { readonly name: string; readonly kind: "file" | "folder" | "link" | "other" };

async function readEntries(folder: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      const other = entry.isSymbolicLink() ? "link" : "other";
      const kind = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : other;
      entries.push({ name: entry.name, kind });
    }
  } catch (thrown) {
    throw new FailedError(`${folder} can't be read: ${formatError(thrown)}`);
  }
  return entries;
}

async function buildFile(folder: string, path: string): Promise<ArchiveFile> {
  const file = join(folder, path);
  const { size } = await lstat(file).catch((thrown: unknown) => {
    throw new FailedError(`${file} can't be read: ${formatError(thrown)}`);
  });
  return { path, size, read: () => readRegularFile(file) };
}

/** The file may have become a link or a pipe since. */
async function* readRegularFile(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error("it is not a regular file");
    const chunks: AsyncIterable<Uint8Array> = file.createReadStream({ autoClose: false });
    yield* chunks;
  } finally {
    await file.close();
  }
}
