/** The input in pieces of a size that its own bytes decide, as a network or a disk might give it. */
export function* splitChunks(input: Buffer): Generator<Buffer> {
  const size = 1 + ((input.length * 31 + (input.at(-1) ?? 0)) % 97) * (input.length > 2048 ? 10 : 1);
  for (let start = 0; start < input.length; start += size) yield input.subarray(start, start + size);
}

export async function* toStream(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
