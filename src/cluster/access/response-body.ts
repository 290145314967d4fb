import type { Readable } from "node:stream";
import type { OnProgress } from "../../model/reader.ts";

/** The next part of a body; `broken` if its connection broke. */
export type BodyPart =
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
