import assert from "node:assert/strict";
import { test } from "node:test";
import { packTar } from "modern-tar";
import { type TarEntry, createTarBudget, visitTar } from "../../src/encoding/tar.ts";

async function* toChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

/** Without a timer, the process would end in silence if the decoder waited for ever. */
async function visit(tar: Uint8Array, isRead: (entry: TarEntry) => boolean): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  await visitTar(toChunks(tar, 1 << 20), "the tar", createTarBudget(2 ** 30, 1_000), async (entry) => {
    let size = 0;
    if (isRead(entry)) for await (const chunk of entry.body) size += chunk.length;
    sizes.set(entry.name, size);
  });
  return sizes;
}

for (const kibibytes of [1, 300, 728, 1024, 2500])
  test(`entries of ${kibibytes} KiB are read, skipped, or read in turn`, { timeout: 120_000 }, async () => {
    const size = kibibytes * 1024;
    const names = Array.from({ length: 12 }, (_, i) => `file-${i}`);
    const tar = await packTar(names.map((name) => ({ header: { name, size }, body: new Uint8Array(size) })));
    const all = await visit(tar, () => true);
    assert.deepEqual(
      [...all],
      names.map((name) => [name, size]),
    );
    assert.equal((await visit(tar, () => false)).size, names.length);
    const some = await visit(tar, ({ name }) => Number(name.slice(5)) % 2 === 0);
    assert.deepEqual(
      [...some.values()],
      names.map((_, i) => (i % 2 === 0 ? size : 0)),
    );
  });
