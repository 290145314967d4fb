import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { createTarDecoder } from "modern-tar";
import { FailedError, formatError } from "../model/errors.ts";
import { DamagedContentError } from "./damaged-content.ts";

/** An entry of a tar. Its body may be read once, before `visit` resolves. */
export type TarEntry = {
  /** Without "./" and slashes around it. */
  readonly name: string;
  /** Whether the tar has the name with a slash before it. */
  readonly isAbsolute: boolean;
  readonly type: "file" | "directory" | "link" | "other";
  readonly size: number;
  /** Where a link leads. */
  readonly target?: string;
  readonly body: AsyncIterable<Uint8Array>;
};

/** How much of a tar was read, or of several that share it, and how much may be: what has more was made to exhaust a disk, or patience. */
export type TarBudget = { readonly maxBytes: number; readonly maxEntries: number; bytes: number; entries: number };

export function createTarBudget(maxBytes: number, maxEntries: number): TarBudget {
  return { maxBytes, maxEntries, bytes: 0, entries: 0 };
}

/** The longest path that Linux opens. Names are held, and a tar may have some of 8 MiB. */
const MAX_NAME_LENGTH = 4096;

/**
 * Calls `visit` for each entry of a tar, which may be compressed with gzip or zstd, and reads the content to its end. A damaged tar is a
 * DamagedContentError; FailedErrors of the content and of `visit` pass through.
 */
export async function visitTar(
  content: AsyncIterable<Uint8Array>,
  what: string,
  budget: TarBudget,
  visit: Visit,
): Promise<void> {
  const visitWithin = async (entry: TarEntry): Promise<void> => {
    requireWithin(entry, what, budget);
    await visit(entry);
  };
  try {
    await decodeTar(decompress(content, what, budget), visitWithin);
  } catch (thrown) {
    if (thrown instanceof FailedError) throw thrown;
    throw new DamagedContentError(`${what} is damaged: ${formatError(thrown)}`);
  }
}

type Visit = (entry: TarEntry) => Promise<void>;

function requireWithin({ name, target = "" }: TarEntry, what: string, budget: TarBudget): void {
  budget.entries += 1;
  if (budget.entries > budget.maxEntries) throw new FailedError(`${what} has more than ${budget.maxEntries} files`);
  if (Math.max(name.length, target.length) > MAX_NAME_LENGTH)
    throw new FailedError(`${what} has a file with a name of more than ${MAX_NAME_LENGTH} characters`);
}

async function decodeTar(tar: AsyncIterable<Uint8Array>, visit: Visit): Promise<void> {
  const decoder = createTarDecoder({ strict: true });
  const writing = pipeline(tar, Writable.fromWeb(decoder.writable));
  // The loop gets the same error, or ends the writing itself.
  writing.catch(() => undefined);
  try {
    for await (const { header, body } of decoder.readable) {
      const { name, type, size, linkname: target } = header;
      const isAbsolute = name.startsWith("/");
      await visit({ name: trimName(name), isAbsolute, type: selectType(type), size, target, body });
      if (!body.locked) await skip(body);
    }
  } finally {
    await Promise.allSettled([writing]);
  }
  await writing;
}

/** Cancelling a body may leave the decoder waiting for a reader that never comes. */
async function skip(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of body);
}

function trimName(name: string): string {
  return name.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
}

function selectType(type: string | undefined): TarEntry["type"] {
  if (type === undefined || type === "file") return "file";
  if (type === "link" || type === "symlink") return "link";
  return type === "directory" ? "directory" : "other";
}

/** Its first bytes decide how content is compressed, since media types are often wrong. */
async function* decompress(
  content: AsyncIterable<Uint8Array>,
  what: string,
  budget: TarBudget,
): AsyncGenerator<Uint8Array> {
  const input = content[Symbol.asyncIterator]();
  const start = await readStart(input);
  const whole = concatenate(start, input);
  const decompressor = createDecompressor(start);
  for await (const chunk of decompressor ? connect(whole, decompressor) : whole) {
    budget.bytes += chunk.length;
    if (budget.bytes > budget.maxBytes)
      throw new FailedError(`${what} unpacks to more than ${formatSize(budget.maxBytes)}`);
    yield chunk;
  }
}

function formatSize(bytes: number): string {
  return bytes < 2 ** 30 ? `${bytes / 2 ** 20} MiB` : `${bytes / 2 ** 30} GiB`;
}

type Decompressor = ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>;

async function* connect(input: AsyncIterable<Uint8Array>, output: Decompressor): AsyncGenerator<Uint8Array> {
  const flowing = pipeline(input, output);
  flowing.catch(() => undefined);
  const chunks: AsyncIterable<Uint8Array> = output;
  yield* chunks;
  await flowing;
}

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function createDecompressor(start: Uint8Array): Decompressor | undefined {
  if (GZIP_MAGIC.equals(start.subarray(0, GZIP_MAGIC.length))) return createGunzip();
  if (ZSTD_MAGIC.equals(start.subarray(0, ZSTD_MAGIC.length))) return createZstdDecompress();
  return undefined;
}

async function readStart(input: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < ZSTD_MAGIC.length) {
    const next = await input.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  return start;
}

async function* concatenate(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
