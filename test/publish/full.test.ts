import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { publish } from "../../src/publish/atomic-file.ts";
import {
  buildChildEnvironment,
  buildDocument,
  parseNumber,
  createTemporaryFolder,
} from "../support/publish/sample-document.ts";

const ONCE = join(import.meta.dirname, "../support/publish/publish-once.ts");

function shell(script: string, ...args: readonly string[]) {
  return spawnSync("sh", ["-c", script, "sh", ...args], {
    encoding: "utf8",
    env: buildChildEnvironment(),
    timeout: 120_000,
  });
}

test("a file size limit leaves the old document, and no other file", async (t) => {
  const folder = await createTemporaryFolder(t);
  const path = join(folder, "doc.json");
  await publish(path, buildDocument(1));
  // 16 blocks of 512 bytes, or of 1 KiB in some shells: less than a document either way.
  const { status, stderr } = shell('ulimit -f 16; exec "$@"', process.execPath, ONCE, path, "2");
  assert.equal(status, 1);
  assert.match(stderr, /^writing .*doc\.json: EFBIG/);
  assert.equal(parseNumber(readFileSync(path, "utf8")), 1);
  assert.deepEqual(readdirSync(folder), ["doc.json"]);
});

/** Runs in its own namespaces, so that it needs no privileges and leaves the machine's mounts alone. */
const MOUNT =
  'exec unshare --user --map-root-user --mount sh -c \'mount -t tmpfs -o size=64k preflight "$1" && shift && exec "$@"\' sh "$@"';

test("a full disk leaves the old document, and no other file", async (t) => {
  const folder = join(await createTemporaryFolder(t), "disk");
  await mkdir(folder);
  if (shell(MOUNT, folder, "true").status !== 0) return t.skip("no tmpfs may be mounted here");
  const path = join(folder, "doc.json");
  const script =
    'node=$1 once=$2 doc=$3; "$node" "$once" "$doc" 1 && ! "$node" "$once" "$doc" 2 && cat "$doc" && ls -A "$(dirname "$doc")"';
  const { status, stdout, stderr } = shell(MOUNT, folder, "sh", "-c", script, "sh", process.execPath, ONCE, path);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^writing .*doc\.json: ENOSPC/);
  const document = stdout.replace(/doc\.json\n$/, "");
  const listed = /[^\n]*\n$/.exec(stdout)?.[0];
  assert.equal(parseNumber(document), 1);
  assert.equal(listed, "doc.json\n");
});
