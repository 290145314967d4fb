import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { formatError, UsageError } from "../../src/model/errors.ts";
import { buildTemporaryPath, publish, removeStaleFiles } from "../../src/publish/atomic-file.ts";
import { readPublishedDocument } from "../../src/publish/published-document.ts";
import { buildDocument, parseNumber, createTemporaryFolder } from "../support/publish/sample-document.ts";

async function readMode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

/** The error of a refused publish, formatted for people. */
async function publishRefused(path: string): Promise<string> {
  try {
    await publish(path, "text");
  } catch (thrown) {
    return `${thrown instanceof UsageError ? "usage: " : ""}${formatError(thrown)}`;
  }
  return "none";
}

test("publishes a text and reads it back, and leaves no other file in the folder", async (t) => {
  const folder = await createTemporaryFolder(t);
  const path = join(folder, "doc.json");
  for (const text of ["first\n", "", "𝒳 second\n"]) {
    await publish(path, text);
    assert.equal(await readPublishedDocument(path), text);
  }
  assert.deepEqual(await readdir(folder), ["doc.json"]);
});

test("a reader that polls during 1,000 writes only ever sees a complete document", async (t) => {
  const path = join(await createTemporaryFolder(t), "doc.json");
  await publish(path, buildDocument(0));
  let writing = true;
  let reads = 0;
  let last = 0;
  const seen = new Set<number>();
  const poll = async () => {
    while (writing) {
      const number = parseNumber(readFileSync(path, "utf8"));
      assert.ok(number >= last, "an older document came back");
      last = number;
      seen.add(number);
      reads += 1;
      await setTimeout(1);
    }
  };
  const write = async () => {
    try {
      for (let number = 1; number <= 1_000; number += 1) await publish(path, buildDocument(number));
    } finally {
      writing = false;
    }
  };
  await Promise.all([poll(), write()]);
  assert.equal(parseNumber(readFileSync(path, "utf8")), 1_000);
  assert.ok(seen.size > 10, `the reader saw ${seen.size} documents in ${reads} reads: too few to show anything`);
  t.diagnostic(`${reads} reads saw ${seen.size} documents`);
});

test("a published file is readable by others, whatever the umask", async (t) => {
  const folder = await createTemporaryFolder(t);
  await chmod(folder, 0o755);
  const before = process.umask(0o077);
  t.after(() => process.umask(before));
  await publish(join(folder, "a/b/doc.json"), "text");
  const modes = await Promise.all(["a", "a/b", "a/b/doc.json"].map((name) => readMode(join(folder, name))));
  assert.deepEqual(modes, ["755", "755", "644"]);
});

test("keeps the mode of an existing folder", async (t) => {
  const folder = await createTemporaryFolder(t);
  await publish(join(folder, "doc.json"), "text");
  assert.equal(await readMode(folder), "700");
});

test("recreates a folder that is removed during a write", async (t) => {
  const folder = join(await createTemporaryFolder(t), ".preflight");
  const path = join(folder, "doc.json");
  let writing = true;
  const remove = async () => {
    while (writing) {
      // A file may appear while the folder is emptied; the folder then stays for another round.
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      for (let turn = 0; turn < 20; turn += 1) await setTimeout(1);
    }
  };
  const write = async () => {
    try {
      for (let number = 0; number < 200; number += 1) await publishAnyway(path, buildDocument(number));
    } finally {
      writing = false;
    }
  };
  await Promise.all([remove(), write()]);
  await rm(folder, { recursive: true, force: true });
  await publish(path, buildDocument(200));
  assert.equal(parseNumber((await readPublishedDocument(path)) ?? ""), 200);
  assert.deepEqual(await readdir(folder), ["doc.json"]);
});

/** The folder may disappear five times during one write, which is the only error to ignore. */
async function publishAnyway(path: string, text: string): Promise<void> {
  try {
    await publish(path, text);
  } catch (thrown) {
    assert.match(formatError(thrown), /^writing .*doc\.json: ENOENT/);
  }
}

test("rejects a path that can't hold a file, and leaves existing files alone", async (t) => {
  const folder = await createTemporaryFolder(t);
  await mkdir(join(folder, "dir"));
  await symlink("dir", join(folder, "link"));
  await writeFile(join(folder, "file"), "kept");
  assert.match(
    await publishRefused(join(folder, "dir")),
    /^usage: .*dir is a directory: give the path of a file in it$/,
  );
  assert.match(await publishRefused(join(folder, "link")), /^usage: .*link is a directory/);
  assert.match(await publishRefused(`${join(folder, "new")}/`), /^usage: .*new\/" is not the path of a file/);
  assert.match(await publishRefused(""), /^usage: "" is not the path of a file/);
  assert.match(await publishRefused(join(folder, "file/doc.json")), /^writing .*file\/doc\.json: (ENOTDIR|EEXIST)/);
  assert.equal(await readFile(join(folder, "file"), "utf8"), "kept");
  assert.deepEqual((await readdir(folder)).toSorted(), ["dir", "file", "link"]);
});

// A link to a device, and not the device: whoever breaks this would replace it as root.
test("rejects what is not a regular file", async (t) => {
  const path = join(await createTemporaryFolder(t), "null");
  await symlink("/dev/null", path);
  assert.match(await publishRefused(path), /^usage: .*null is not a regular file/);
});

test("replaces a symbolic link, dangling or not, with the file", async (t) => {
  const folder = await createTemporaryFolder(t);
  await writeFile(join(folder, "other"), "kept");
  for (const [link, to] of [
    ["a", "other"],
    ["b", "nothing"],
  ] as const) {
    await symlink(to, join(folder, link));
    await publish(join(folder, link), "text");
    assert.equal(await readFile(join(folder, link), "utf8"), "text");
  }
  assert.equal(await readFile(join(folder, "other"), "utf8"), "kept");
});

test("cleans up only the leftovers of killed writers of the same file", async (t) => {
  const folder = await createTemporaryFolder(t);
  const tail = "17-0123456789abcdef.tmp";
  const own = basename(buildTemporaryPath(join(folder, "doc.json")));
  const numbers = [5, 3, 8, 2, 9].map((number) => `.doc.json.${number}-00000000ffffffff.tmp`);
  const stale = [`.doc.json.${tail}`, ...numbers, own];
  const kept = [
    "doc.json",
    `.other.json.${tail}`,
    ".doc.json.tmp",
    `doc.json.${tail}`,
    `.doc.json.x${tail}`,
    ".doc.json.17-0123.tmp",
    `.doc.json.${tail}.bak`,
  ];
  for (const name of [...stale, ...kept]) await writeFile(join(folder, name), name);
  const others = [".doc.json.9-0123456789abcdef.tmp", ".doc.json.7-0123456789abcdef.tmp"];
  await mkdir(join(folder, others[0] ?? ""));
  await symlink("doc.json", join(folder, others[1] ?? ""));
  assert.deepEqual(await removeStaleFiles(join(folder, "doc.json")), stale.toSorted());
  assert.deepEqual((await readdir(folder)).toSorted(), [...kept, ...others].toSorted());
  assert.deepEqual(await removeStaleFiles(join(folder, "none/doc.json")), []);
  const why = await removeStaleFiles(join(folder, "doc.json/doc.json")).then(String, formatError);
  assert.match(why, /^listing temporary files in .*doc\.json: ENOTDIR/);
});

test("reading an absent file returns undefined; a non-file and a huge file are clear errors", async (t) => {
  const folder = await createTemporaryFolder(t);
  const why = (path: string) => readPublishedDocument(path).then(String, formatError);
  assert.equal(await readPublishedDocument(join(folder, "doc.json")), undefined);
  assert.equal(await readPublishedDocument(join(folder, "none/doc.json")), undefined);
  assert.match(await why(folder), /^reading .*: it is a folder$/);
  assert.match(await why("/dev/zero"), /^reading \/dev\/zero: it is not a regular file$/);
  await writeFile(join(folder, "huge"), Buffer.alloc(4 * 1024 * 1024 + 1, " "));
  assert.match(await why(join(folder, "huge")), /^reading .*huge: it has more than 4 MiB$/);
  await writeFile(join(folder, "small"), "");
  await symlink("small", join(folder, "link"));
  assert.match(await why(join(folder, "link")), /^reading .*link: it is a symbolic link$/);
});
