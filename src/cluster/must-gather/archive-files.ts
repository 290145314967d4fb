import type { Dirent } from "node:fs";
import { type FileHandle, lstat, mkdtemp, open, opendir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TarEntry, createTarBudget, visitTar } from "../../encoding/tar.ts";
import { readFileChunks } from "../../files/named-file.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import { parseArchivePath } from "./archive-path.ts";

/** Of a tar when it is unpacked. A gather of the largest clusters has some GiB, most of it logs. */
const MAX_ARCHIVE_BYTES = 16 * 2 ** 30;

/** A file of an archive; `path` is relative, with slashes. */
export type ArchiveFile = {
  readonly path: string;
  readonly size: number;
  readonly read: () => AsyncIterable<Uint8Array>;
};

/** The files of an archive that hold objects, and facts about it. */
export type ArchiveFiles = {
  readonly files: readonly ArchiveFile[];
  /** Files that would be among them, but are links. */
  readonly links: readonly string[];
  readonly close: () => Promise<void>;
};

/**
 * Of files with objects, whose paths are held: 5,000 nodes with ten pods of the platform each, which have a file of their own, take some
 * 60,000. They fit into 192 MiB.
 */
const MAX_FILES = 150_000;
/** With logs and everything else: such a cluster has some 1,000,000. They are passed over one by one, which takes some 7 s for each 1,000,000. */
const MAX_ENTRIES = 5_000_000;

function requireFewFiles(count: number, where: string): void {
  if (count > MAX_FILES) throw new FailedError(`${where} has more than ${MAX_FILES} files with objects: ${REDUCE}`);
}

function requireFewEntries(count: number, where: string): void {
  if (count > MAX_ENTRIES) throw new FailedError(`${where} has more than ${MAX_ENTRIES} files and folders: ${REDUCE}`);
}

const REDUCE = "leave out what is not of one cluster's must-gather";

/** Opens the folder of `oc adm must-gather` or `oc adm inspect`, or a tar of it. Throws a FailedError if it can't be read. */
export async function openArchiveFiles(path: string, signal: AbortSignal): Promise<ArchiveFiles> {
  const stats = await stat(path).catch((thrown: unknown) => {
    throw new FailedError(`The must-gather ${path} can't be read: ${formatError(thrown)}`);
  });
  if (stats.isDirectory()) return collectFolder(path, signal);
  if (stats.isFile()) return collectTar(path, signal);
  throw new FailedError(`The must-gather ${path} is neither a folder nor a file`);
}

/** The folder of a pod's container is the deepest that is of no use. */
const MAX_DEPTH = 12;

/** Finds the files with objects. Links are not followed: they may lead out of the folder. */
async function collectFolder(folder: string, signal: AbortSignal): Promise<ArchiveFiles> {
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

/** Objects, without logs, of the largest clusters take some 2 GiB. */
const MAX_COPIED_BYTES = 8 * 2 ** 30;
const READ_BYTES = 1 << 18;
const XZ_MAGIC = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);

/**
 * Reads a tar once from its beginning to its end, and copies the files with objects to one temporary file, since reads ask for them in
 * another order. The file has no name as soon as it is open, so nothing stays behind, however the process ends.
 */
async function collectTar(path: string, signal: AbortSignal): Promise<ArchiveFiles> {
  const copy = await openUnnamedFile();
  const files: ArchiveFile[] = [];
  const links: string[] = [];
  let end = 0;
  const visit = async (entry: TarEntry): Promise<void> => {
    signal.throwIfAborted();
    requireInnerPath(entry, path);
    if (parseArchivePath(entry.name) === undefined) return;
    if (entry.type === "link") links.push(entry.name);
    requireFewFiles(files.length + links.length + 1, path);
    if (entry.type !== "file") return;
    const start = end;
    for await (const chunk of entry.body) end += await writeChunk(copy, chunk, end, path);
    const size = end - start;
    files.push({ path: entry.name, size, read: () => readRange(copy, start, size) });
  };
  try {
    await visitTar(readTar(path), path, createTarBudget(MAX_ARCHIVE_BYTES, MAX_ENTRIES), visit);
  } catch (thrown) {
    await copy.close();
    throw thrown;
  }
  return { files: selectLast(files), links, close: () => copy.close() };
}

/** A tar may have a file twice; the later one counts, as when it is unpacked. */
function selectLast(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

async function* readTar(path: string): AsyncGenerator<Uint8Array> {
  try {
    let isFirst = true;
    for await (const chunk of readFileChunks(path, MAX_ARCHIVE_BYTES)) {
      if (isFirst && XZ_MAGIC.equals(chunk.subarray(0, XZ_MAGIC.length)))
        throw new FailedError(
          `${path} is compressed with xz, which preflight can't read: unpack it first with xz --decompress`,
        );
      isFirst = false;
      yield chunk;
    }
  } catch (thrown) {
    if (thrown instanceof FailedError) throw thrown;
    throw new FailedError(`${path} can't be read: ${formatError(thrown)}`);
  }
}

/** Such names are written only to make somebody's tar overwrite other files, so nothing of the archive is believed. */
function requireInnerPath({ name, isAbsolute }: TarEntry, path: string): void {
  if (!isAbsolute && !name.split("/").includes("..")) return;
  throw new FailedError(`${path} is refused: it has the file ${JSON.stringify(name)} with a path that leads out of it`);
}

async function openUnnamedFile(): Promise<FileHandle> {
  try {
    const folder = await mkdtemp(join(tmpdir(), "preflight-must-gather-"));
    const file = await open(join(folder, "objects"), "wx+", 0o600);
    await rm(folder, { recursive: true, force: true });
    return file;
  } catch (thrown) {
    throw new FailedError(`A temporary file can't be created in ${tmpdir()}: ${formatError(thrown)}`);
  }
}

async function writeChunk(copy: FileHandle, chunk: Uint8Array, position: number, path: string): Promise<number> {
  if (position + chunk.length > MAX_COPIED_BYTES)
    throw new FailedError(`${path} has more than ${MAX_COPIED_BYTES / 2 ** 30} GiB of objects`);
  let written = 0;
  try {
    while (written < chunk.length)
      written += (await copy.write(chunk, written, chunk.length - written, position + written)).bytesWritten;
  } catch (thrown) {
    throw new FailedError(`The objects of ${path} can't be written to ${tmpdir()}: ${formatError(thrown)}`);
  }
  return written;
}

async function* readRange(copy: FileHandle, start: number, size: number): AsyncGenerator<Uint8Array> {
  const end = start + size;
  for (let position = start; position < end;) {
    const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, end - position));
    const { bytesRead } = await copy.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw new Error("the temporary file ended early");
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
