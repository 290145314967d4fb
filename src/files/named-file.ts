import { constants, type Stats } from "node:fs";
import { Socket } from "node:net";
import { errorCode } from "../model/errors.ts";
import { close, fstat, open, read, stat } from "./calls.ts";

export type NamedFileOptions = {
  /** Pipes such as the shell's `<(command)` are read, unless they are refused. */
  readonly pipes?: "read" | "refuse";
  /** How long a pipe may be silent. */
  readonly pipeTimeoutMs?: number;
  /** A path that is itself a symbolic link is followed, unless it is refused. */
  readonly links?: "follow" | "refuse";
};

const PIPE_TIMEOUT_MS = 10_000;
/** For pipes of commands that take a while before they write, such as `oc get` of a large list. */
export const COMMAND_TIMEOUT_MS = 60_000;
const MIN_CHUNK_BYTES = 1 << 12;
const MAX_CHUNK_BYTES = 1 << 20;
/** Read to the end at once, as an empty file is; people set KUBECONFIG to it. */
const NULL_DEVICE = "/dev/null";
/** The code of the error that a file has more than the limit. */
export const TOO_LARGE = "EFBIG";

/** Reads a text as `readFileChunks` does. */
export async function readTextFile(path: string, maxBytes: number, options?: NamedFileOptions): Promise<string> {
  return (await readFileBytes(path, maxBytes, options)).toString("utf8");
}

export async function readFileBytes(path: string, maxBytes: number, options?: NamedFileOptions): Promise<Buffer> {
  return collectBytes(readFileChunks(path, maxBytes, options), maxBytes);
}

/** Throws an Error that says so beyond the limit. */
export async function collectBytes(content: AsyncIterable<Uint8Array | string>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of limitBytes(content, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Reads a file that somebody named: a regular file or a pipe, up to a limit. Other files are refused before they are opened, since
 * opening a device may have effects. Neither opening nor reading blocks a thread, so that the process can end at any time. Throws an
 * Error that says why, without the path.
 */
export async function* readFileChunks(
  path: string,
  maxBytes: number,
  options: NamedFileOptions = {},
): AsyncGenerator<Buffer> {
  const stats = await stat(path).catch(rethrowAbsent);
  if (await isNullDevice(stats)) return;
  requireAllowed(stats, maxBytes, options);
  yield* limitBytes(await openFile(path, maxBytes, options), maxBytes);
}

/** Node's own words repeat the path and name a call. */
export function rethrowAbsent(thrown: unknown): never {
  const code = errorCode(thrown);
  if (code === "ENOENT" || code === "ENOTDIR") throw Object.assign(new Error("it does not exist"), { code });
  throw thrown;
}

/** True for a regular file that can be opened: a pipe or a device can't be read twice, or never ends. */
export async function isReadableFile(path: string, maxBytes: number): Promise<boolean> {
  try {
    requireAllowed(await stat(path), maxBytes, { pipes: "refuse" });
    await close(await open(path, constants.O_RDONLY | constants.O_NONBLOCK));
    return true;
  } catch {
    return false;
  }
}

export function isRegularFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function openFile(path: string, maxBytes: number, options: NamedFileOptions): Promise<AsyncIterable<Uint8Array>> {
  const noFollow = options.links === "refuse" ? constants.O_NOFOLLOW : 0;
  const fd = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  try {
    // The file may have been replaced since it was looked at.
    const stats = await fstat(fd);
    requireAllowed(stats, maxBytes, options);
    return stats.isFIFO() ? openPipe(fd, options) : readRegularFile(fd, stats.size);
  } catch (thrown) {
    await close(fd);
    throw thrown;
  }
}

async function* readRegularFile(fd: number, size: number): AsyncGenerator<Buffer> {
  const chunkBytes = Math.min(Math.max(size, MIN_CHUNK_BYTES), MAX_CHUNK_BYTES);
  try {
    for (;;) {
      const { buffer, bytesRead } = await read(fd, Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await close(fd);
  }
}

/** The event loop waits for the pipe, as it does for a connection. */
function openPipe(fd: number, { pipeTimeoutMs = PIPE_TIMEOUT_MS }: NamedFileOptions): AsyncIterable<Uint8Array> {
  const pipe = new Socket({ fd, readable: true, writable: false });
  return pipe.setTimeout(pipeTimeoutMs, () => pipe.destroy(new Error("nothing was written to the pipe in time")));
}

async function isNullDevice(stats: Stats): Promise<boolean> {
  if (!stats.isCharacterDevice()) return false;
  const device = await stat(NULL_DEVICE).catch(() => undefined);
  return device?.isCharacterDevice() === true && device.rdev === stats.rdev;
}

function requireAllowed(stats: Stats, maxBytes: number, { pipes = "read" }: NamedFileOptions): void {
  if (stats.isDirectory()) throw new Error("it is a folder");
  if (!stats.isFile() && !(stats.isFIFO() && pipes === "read")) throw new Error("it is not a regular file");
  if (stats.size > maxBytes) throw buildTooLarge(maxBytes);
}

async function* limitBytes(content: AsyncIterable<Uint8Array | string>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content) {
    const bytes =
      typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    size += bytes.length;
    if (size > maxBytes) throw buildTooLarge(maxBytes);
    yield bytes;
  }
}

function buildTooLarge(maxBytes: number): Error {
  const units = [
    ["GiB", 2 ** 30],
    ["MiB", 2 ** 20],
  ] as const;
  const [unit, bytes] = units.find(([, size]) => maxBytes >= size) ?? ["KiB", 2 ** 10];
  return Object.assign(new Error(`it has more than ${maxBytes / bytes} ${unit}`), { code: TOO_LARGE });
}
