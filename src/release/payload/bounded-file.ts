import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { errorCode, formatError } from "../../model/errors.ts";

/** The largest file that is read; the largest of a release has half a MiB. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

export type FileRefusal = {
  readonly kind: "refused";
  readonly reason: "Absent" | "OutsideFolder" | "NotAFile" | "TooLarge" | "Unreadable";
  /** Follows the file's name. */
  readonly message: string;
};
export type BoundedFile = { readonly kind: "file"; readonly real: string; readonly bytes: Buffer } | FileRefusal;

/**
 * Reads a regular file of at most `limit` bytes whose real path is in one of the `within` folders (real paths). Symbolic links
 * within them are followed; pipes and devices are never opened. Never throws. A release has a thousand small files, and to wait for each
 * step of each takes longer than the steps themselves.
 */
export function readBoundedFile(path: string, within: readonly string[], limit: number): BoundedFile {
  try {
    const real = realpathSync.native(path);
    if (!within.some((folder) => isWithin(real, folder))) {
      return {
        kind: "refused",
        reason: "OutsideFolder",
        message: "is a symbolic link to a path outside of the folder",
      };
    }
    // Opening a pipe or a device may have side effects, so check first.
    if (!statSync(real).isFile()) return buildNotAFile();
    return readRegularFile(real, limit);
  } catch (thrown) {
    const code = formatReadError(thrown);
    if (code === "ENOENT") return { kind: "refused", reason: "Absent", message: "does not exist" };
    return { kind: "refused", reason: "Unreadable", message: `can't be read (${code})` };
  }
}

export function isWithin(real: string, folder: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Why a file can't be read, in a word: an error's code, or its message. */
export function formatReadError(thrown: unknown): string {
  return errorCode(thrown) ?? formatError(thrown);
}

function readRegularFile(real: string, limit: number): BoundedFile {
  // The file may have been replaced since the check: follow no new link, wait for no pipe.
  const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return buildNotAFile();
    if (stats.size > limit) return buildTooLarge(limit);
    const bytes = readUpTo(file, stats.size + 1);
    return bytes.length > stats.size
      ? { kind: "refused", reason: "Unreadable", message: "grew while being read" }
      : { kind: "file", real, bytes };
  } finally {
    closeSync(file);
  }
}

function readUpTo(file: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const bytesRead = readSync(file, buffer, length, size - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function buildNotAFile(): FileRefusal {
  return { kind: "refused", reason: "NotAFile", message: "is not a regular file" };
}

function buildTooLarge(limit: number): FileRefusal {
  return { kind: "refused", reason: "TooLarge", message: `is larger than ${limit / (1024 * 1024)} MiB` };
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
