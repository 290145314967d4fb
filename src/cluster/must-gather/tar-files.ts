import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TarEntry, createTarBudget, visitTar } from "../../encoding/tar.ts";
import { readFileChunks } from "../../files/named-file.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import type { ArchiveFile, ArchiveFiles } from "./archive-files.ts";
import { MAX_ARCHIVE_BYTES, MAX_ENTRIES, requireFewFiles } from "./archive-files.ts";
import { parseArchivePath } from "./archive-path.ts";

/** Objects, without logs, of the largest clusters take some 2 GiB. */
const MAX_COPIED_BYTES = 8 * 2 ** 30;
const READ_BYTES = 1 << 18;
const XZ_MAGIC = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);

/**
 * Reads a tar once from its beginning to its end, and copies the files with objects to one temporary file, since reads ask for them in
 * another order. The file has no name as soon as it is open, so nothing stays behind, however the process ends.
 */
export async function collectTar(path: string, signal: AbortSignal): Promise<ArchiveFiles> {
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
