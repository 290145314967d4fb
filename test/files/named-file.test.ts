import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { open, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isReadableFile, readFileBytes, readFileChunks, readTextFile } from "../../src/files/named-file.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { createTestFolder } from "../support/registry.ts";

const MIB = 1 << 20;

test("reads a regular file in chunks, an empty one, and /dev/null as empty", async (t) => {
  const folder = createTestFolder(t);
  const file = join(folder, "file");
  await writeFile(file, "𝒳".repeat(MIB));
  assert.equal((await readTextFile(file, 4 * MIB)).length, 2 * MIB);
  await writeFile(file, "");
  assert.equal(await readTextFile(file, 10), "");
  await symlink("/dev/null", join(folder, "link"));
  for (const path of ["/dev/null", join(folder, "link")]) assert.equal(await readTextFile(path, 10), "");
});

test("reads a pipe to its end, whatever the pauses of its writer", async (t) => {
  const pipe = createPipe(t);
  const reading = readTextFile(pipe, MIB, { pipeTimeoutMs: 20_000 });
  const writer = await open(pipe, "w");
  await writer.write("first ");
  await sleep(100);
  await writer.write("second");
  await writer.close();
  assert.equal(await reading, "first second");
});

test("a pipe that is closed without a byte is empty, and one that nobody writes to is given up", async (t) => {
  const pipe = createPipe(t);
  const reading = readTextFile(pipe, MIB, { pipeTimeoutMs: 20_000 });
  await (await open(pipe, "w")).close();
  assert.equal(await reading, "");
  await assert.rejects(
    readTextFile(pipe, MIB, { pipeTimeoutMs: 50 }),
    /^Error: nothing was written to the pipe in time/,
  );
});

test("refuses what is no regular file before it is opened, and what is larger than the limit", async (t) => {
  const folder = createTestFolder(t);
  const pipe = createPipe(t);
  const link = join(folder, "link");
  const large = join(folder, "large");
  const socket = join(folder, "socket");
  const server = createServer().listen(socket);
  t.after(() => server.close());
  await writeFile(large, "");
  await symlink(large, link);
  // Sparse: to read it would take hours.
  await truncate(large, 2 ** 42);
  const cases = [
    [folder, {}, "it is a folder"],
    ["/dev/zero", {}, "it is not a regular file"],
    ["/dev/tty", {}, "it is not a regular file"],
    [socket, {}, "it is not a regular file"],
    [pipe, { pipes: "refuse" }, "it is not a regular file"],
    [large, {}, "it has more than 1 MiB"],
  ] as const;
  for (const [path, options, message] of cases) await assert.rejects(readFileBytes(path, MIB, options), { message });
  await assert.rejects(readFileBytes(link, MIB, { links: "refuse" }), { message: "it has more than 1 MiB" });
  await truncate(large, 1);
  await assert.rejects(readFileBytes(link, MIB, { links: "refuse" }), { code: "ELOOP" });
  await assert.rejects(readFileBytes(join(folder, "none"), MIB), { code: "ENOENT" });
});

test("a pipe with more than the limit ends the reading, and frees what was open", async (t) => {
  const pipe = createPipe(t);
  const before = countOpenFiles();
  const reading = readFileBytes(pipe, 100_000, { pipeTimeoutMs: 20_000 });
  const writer = await open(pipe, "w");
  const writing = writer.write(Buffer.alloc(2 * MIB)).catch(() => undefined);
  await assert.rejects(reading, { message: `it has more than ${100_000 / 1024} KiB` });
  await writing;
  await writer.close();
  await eventually(async () => assert.equal(countOpenFiles(), before));
});

test("a reader that stops early leaves nothing open", async (t) => {
  const file = join(createTestFolder(t), "file");
  await writeFile(file, Buffer.alloc(3 * MIB));
  const before = countOpenFiles();
  for await (const chunk of readFileChunks(file, 4 * MIB)) {
    assert.equal(chunk.length, MIB);
    break;
  }
  await eventually(async () => assert.equal(countOpenFiles(), before));
});

test("a file that may be read again is regular and not too large", async (t) => {
  const file = join(createTestFolder(t), "file");
  await writeFile(file, "ab");
  assert.equal(await isReadableFile(file, 2), true);
  for (const [path, maxBytes] of [
    [file, 1],
    [createPipe(t), 2],
    ["/dev/null", 2],
    [`${file}.none`, 2],
  ] as const)
    assert.equal(await isReadableFile(path, maxBytes), false, path);
});

function createPipe(t: TestContext): string {
  const pipe = join(createTestFolder(t), "pipe");
  execFileSync("mkfifo", [pipe]);
  return pipe;
}

function countOpenFiles(): number {
  return readdirSync("/proc/self/fd").length;
}
