import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode } from "../model/errors.ts";

/** In bytes: far larger than any document. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads the runner's own document at `path`; undefined if it does not exist. Rejects if it can't be read, is not a regular file or is too
 * large. A symbolic link is not followed: the runner never writes one, and its target is not for the runner to read.
 */
export async function readPublishedDocument(path: string): Promise<string | undefined> {
  try {
    return await readFile(path);
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    const cause = errorCode(thrown) === "ELOOP" ? new Error("it is a symbolic link") : thrown;
    throw new Error(`reading ${path}`, { cause });
  }
}

async function readFile(path: string): Promise<string> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    return await readUpToLimit(file);
  } finally {
    await file.close();
  }
}

async function readUpToLimit(file: FileHandle): Promise<string> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new Error("it is not a regular file");
  if (stats.size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
  const buffer = Buffer.alloc(stats.size);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.toString("utf8", 0, filled);
}
