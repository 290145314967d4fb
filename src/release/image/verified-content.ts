import { createHash, hash } from "node:crypto";
import { DamagedContentError } from "../../encoding/damaged-content.ts";
import { FailedError } from "../../model/errors.ts";
import type { Descriptor } from "./image-manifest.ts";

/** The digest of bytes, with the algorithm of another digest. */
export function computeContentDigest(bytes: Uint8Array, algorithm = "sha256"): string {
  return `${algorithm}:${hash(algorithm, bytes)}`;
}

export function algorithmOf(digest: string): string {
  return digest.slice(0, digest.indexOf(":"));
}

/** Passes content through, and throws at its end, or at the first byte too many, if it is not what the descriptor names. */
export async function* verifyContent(
  content: AsyncIterable<Uint8Array>,
  { digest, size }: Descriptor,
  what: string,
): AsyncGenerator<Uint8Array> {
  const running = createHash(algorithmOf(digest));
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > size) throw new DamagedContentError(`${what} is damaged: it has more than its ${size} bytes`);
    running.update(chunk);
    yield chunk;
  }
  if (length < size) throw new DamagedContentError(`${what} is damaged: it has ${length} bytes instead of ${size}`);
  const actual = `${algorithmOf(digest)}:${running.digest("hex")}`;
  if (actual !== digest) throw new DamagedContentError(`${what} is damaged: its content has the digest ${actual}`);
}

/** Reads small content whole. Throws a FailedError beyond the limit. */
export async function readWhole(content: AsyncIterable<Uint8Array>, limit: number, what: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > limit) throw new FailedError(`${what} has more than ${limit >> 20} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
