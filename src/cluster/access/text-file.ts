import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../../model/errors.ts";

const POLL_MS = 50;
const PIPE_TIMEOUT_MS = 10_000;
/** Read to the end at once, as an empty file is; people set KUBECONFIG to it. */
const EMPTY_DEVICE = "/dev/null";

/**
 * Reads a regular file, or a pipe such as the shell's `<(command)`. A pipe that stays empty is given up after a while, since opening or
 * reading it would otherwise wait for ever; other devices and sockets are refused. Rejects with an Error that says why.
 */
export async function readTextFile(path: string, maxBytes: number, pipeTimeoutMs = PIPE_TIMEOUT_MS): Promise<string> {
  if (path === EMPTY_DEVICE) return "";
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile() && !stats.isFIFO() && !stats.isDirectory()) throw new Error("it is not a regular file");
    return await readToEnd(file, maxBytes, stats.isFIFO() ? Math.ceil(pipeTimeoutMs / POLL_MS) : 0);
  } finally {
    await file.close();
  }
}

/** True for a file that can be read without waiting: a pipe or a device can't be read twice, or never ends. */
export async function isReadableFile(path: string): Promise<boolean> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return false;
    await (await open(path, constants.O_RDONLY)).close();
    return true;
  } catch {
    return false;
  }
}

async function readToEnd(file: FileHandle, maxBytes: number, maxPolls: number): Promise<string> {
  const chunks: Buffer[] = [];
  const buffer = Buffer.allocUnsafe(1 << 18);
  let [size, polls] = [0, 0];
  for (;;) {
    const bytes = await readAvailable(file, buffer);
    const isEmptyPipe = bytes === 0 && size === 0 && maxPolls > 0;
    if (bytes === 0 && !isEmptyPipe) return Buffer.concat(chunks).toString("utf8");
    if (bytes === undefined || isEmptyPipe) {
      if (++polls > maxPolls) throw new Error("nothing was written to the pipe in time");
      await sleep(POLL_MS);
      continue;
    }
    size += bytes;
    if (size > maxBytes) throw new Error(`it has more than ${maxBytes >> 20} MiB`);
    chunks.push(Buffer.from(buffer.subarray(0, bytes)));
  }
}

/** Undefined while the writer of a pipe has written nothing new. */
async function readAvailable(file: FileHandle, buffer: Buffer): Promise<number | undefined> {
  try {
    return (await file.read(buffer, 0, buffer.length, null)).bytesRead;
  } catch (error) {
    if (errorCode(error) === "EAGAIN") return undefined;
    throw error;
  }
}
