import type { IncomingMessage } from "node:http";
import { type Readable, pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { OnProgress } from "../../model/reader.ts";
import { buildDamageError, isDamageError } from "../../network/connection-error.ts";

/** The next part of a body; `broken` if its connection broke. */
type BodyPart =
  | { readonly kind: "chunk"; readonly chunk: Buffer }
  | { readonly kind: "end" }
  | { readonly kind: "broken"; readonly error: unknown };
export type BodyReader = () => Promise<BodyPart>;

export function createBodyReader(stream: Readable, onProgress: OnProgress = () => {}): BodyReader {
  const chunks: AsyncIterator<unknown> = stream[Symbol.asyncIterator]();
  return async () => {
    try {
      const next = await chunks.next();
      onProgress();
      if (next.done) return { kind: "end" };
      return Buffer.isBuffer(next.value) ? { kind: "chunk", chunk: next.value } : { kind: "end" };
    } catch (error) {
      return { kind: "broken", error };
    }
  };
}

export type WholeBody =
  | { readonly kind: "whole"; readonly text: string; readonly bytes: number }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "broken"; readonly error: unknown };

export async function readWholeBody(body: BodyReader, maxBytes: number): Promise<WholeBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return part;
    if (part.kind === "end") return { kind: "whole", text: Buffer.concat(chunks).toString("utf8"), bytes };
    bytes += part.chunk.length;
    if (bytes > maxBytes) return { kind: "tooLarge" };
    chunks.push(part.chunk);
  }
}

export type OpenBody = { readonly read: BodyReader; readonly close: () => void };

/** Told of each part of a body: its size as it came, and its size unpacked. */
export type BodyListener = {
  readonly onWireBytes: (bytes: number) => void;
  readonly onBytes: (bytes: number) => void;
  /** The compressed body can't be unpacked. */
  readonly onDamaged: () => void;
};

/** What is unpacked at a time. */
const CHUNK_BYTES = 64 << 10;
/** How much of a compressed body may come beyond what it has unpacked to: it could be empty parts without an end. */
const MAX_SURPLUS_BYTES = 1 << 20;

/**
 * Unpacks the body of an answer that is compressed, as it arrives and is read, so that all limits hold for what it unpacks to. Some
 * proxies compress what nobody asked them to.
 */
export function openBody(message: IncomingMessage, listener: BodyListener): OpenBody {
  const isPacked = message.headers["content-encoding"]?.toLowerCase() === "gzip";
  let surplus = 0;
  const unpacked = isPacked ? unpack(message, onWireBytes) : message;
  const readPart = createBodyReader(unpacked);
  return {
    async read() {
      const part = await readPart();
      notePart(part);
      return part;
    },
    close() {
      if (!message.complete) message.destroy();
      if (isPacked) unpacked.destroy();
    },
  };

  function onWireBytes(bytes: number): void {
    listener.onWireBytes(bytes);
    surplus += bytes;
    if (surplus > MAX_SURPLUS_BYTES) throw buildDamageError();
  }

  function notePart(part: BodyPart): void {
    if (part.kind === "broken" && isDamageError(part.error)) listener.onDamaged();
    if (part.kind !== "chunk") return;
    const { length } = part.chunk;
    listener.onBytes(length);
    surplus -= length;
    if (!isPacked) listener.onWireBytes(length);
  }
}

function unpack(message: IncomingMessage, onWireBytes: (bytes: number) => void): Readable {
  async function* count(parts: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const part of parts) {
      onWireBytes(part.length);
      yield part;
    }
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // The error reaches whoever reads from it.
  pipeline(message, count, gunzip, () => {});
  return gunzip;
}
