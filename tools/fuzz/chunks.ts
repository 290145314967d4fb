/** The input in pieces of a size that its own bytes decide, as a network or a disk might give it. */
export function* splitChunks(input: Buffer): Generator<Buffer> {
  const size = 1 + (input.reduce((sum, byte) => sum + byte, 0) % 97);
  for (let start = 0; start < input.length; start += size) yield input.subarray(start, start + size);
}

export async function* toStream(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
}
