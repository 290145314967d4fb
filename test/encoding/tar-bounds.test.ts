import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { packTar } from "modern-tar";
import { DamagedContentError } from "../../src/encoding/damaged-content.ts";
import { type TarBudget, createTarBudget, visitTar } from "../../src/encoding/tar.ts";

const MIB = 2 ** 20;
const limits = { timeout: 60_000 };

async function* toChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += 64 * 1024) yield bytes.subarray(i, i + 64 * 1024);
}

async function visit(tar: Uint8Array, budget: TarBudget): Promise<number> {
  let entries = 0;
  await visitTar(toChunks(tar), "the tar", budget, async () => void (entries += 1));
  return entries;
}

async function packZeros(size: number): Promise<Uint8Array> {
  return packTar([{ header: { name: "zeros", size }, body: new Uint8Array(size) }]);
}

test("what unpacks to more than its budget ends there, however it is compressed", limits, async () => {
  const tar = await packZeros(256 * MIB);
  for (const bomb of [gzipSync(tar, { level: 1 }), zstdCompressSync(tar)]) {
    assert.ok(bomb.length < 4 * MIB);
    const budget = createTarBudget(16 * MIB, 10);
    await assert.rejects(visit(bomb, budget), {
      name: "FailedError",
      message: "the tar unpacks to more than 16 MiB",
    });
    assert.ok(budget.bytes < 18 * MIB, "the rest was not unpacked");
  }
});

test("several tars share a budget", limits, async () => {
  const tar = gzipSync(await packZeros(3 * MIB));
  const budget = createTarBudget(8 * MIB, 10);
  for (const _ of [1, 2]) assert.equal(await visit(tar, budget), 1);
  await assert.rejects(visit(tar, budget), /unpacks to more than/);
});

test("too many entries end the reading, and so do names that are too long", limits, async () => {
  const many = await packTar(Array.from({ length: 101 }, (_, i) => ({ header: { name: `file-${i}`, size: 0 } })));
  assert.equal(await visit(many, createTarBudget(MIB, 101)), 101);
  await assert.rejects(visit(many, createTarBudget(MIB, 100)), { message: "the tar has more than 100 files" });
  const name = "n".repeat(5_000);
  const long = { message: "the tar has a file with a name of more than 4096 characters" };
  await assert.rejects(visit(await packTar([{ header: { name, size: 0 } }]), createTarBudget(MIB, 10)), long);
  const link = await packTar([{ header: { name: "link", size: 0, type: "symlink", linkname: name } }]);
  await assert.rejects(visit(link, createTarBudget(MIB, 10)), long);
});

test("a header that promises more than the tar has is damage, and its size is not believed", limits, async () => {
  for (const [type, size] of [
    ["0", 2 ** 52],
    ["x", 2 ** 40],
    ["L", 2 ** 40],
  ] as const) {
    const budget = createTarBudget(MIB, 10);
    await assert.rejects(visit(buildHeader(type, size), budget), DamagedContentError);
  }
});

/** A header with a size in the binary form, and nothing behind it. */
function buildHeader(type: string, size: number): Uint8Array {
  const block = Buffer.alloc(512);
  block.write("name");
  block.write("0000644\0", 100);
  block.writeUInt8(0x80, 124);
  block.writeBigUInt64BE(BigInt(size), 128);
  block.write("00000000000\0", 136);
  block.fill(" ", 148, 156);
  block.write(type, 156);
  block.write("ustar\u000000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
