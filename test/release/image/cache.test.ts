import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openImageCache } from "../../../src/release/image/image-cache.ts";
import { computeDigest } from "../../support/image-builder.ts";
import { createTestFolder } from "../../support/registry.ts";

const DIGEST = computeDigest(Buffer.from("image"));
const NOW = new Date("2026-11-20T00:00:00Z");
const FILES = [{ path: "release-manifests/a.yaml", size: 2, digest: computeDigest(Buffer.from("{}")) }];

function writeRelease(folder: string, text = "{}"): void {
  mkdirSync(join(folder, "release-manifests"), { recursive: true });
  writeFileSync(join(folder, "release-manifests/a.yaml"), text);
}

test("two processes that add the same release both get it whole", async (t) => {
  const env = { XDG_CACHE_HOME: createTestFolder(t) };
  const one = openImageCache(env, NOW);
  const two = openImageCache(env, NOW);
  const first = await one.createPartial();
  const second = await two.createPartial();
  for (const folder of [first, second]) writeRelease(folder);
  const releases = await Promise.all([one.addRelease(DIGEST, first, FILES), two.addRelease(DIGEST, second, FILES)]);
  assert.deepEqual(releases[0], releases[1]);
  assert.deepEqual(one.findRelease(DIGEST), releases[0]);
  assert.deepEqual(readdirSync(join(env.XDG_CACHE_HOME, "preflight")).toSorted(), ["manifests", "releases"]);
});

for (const [name, damage] of [
  ["a changed file", (folder: string) => writeRelease(folder, "{ }")],
  ["another file", (folder: string) => writeFileSync(join(folder, "release-manifests/b.yaml"), "{}")],
  ["no index", (folder: string) => writeFileSync(join(folder, "files.json"), "")],
] as const)
  test(`a release with ${name} is not used, and is replaced by the next`, async (t) => {
    const env = { XDG_CACHE_HOME: createTestFolder(t) };
    const cache = openImageCache(env, NOW);
    const partial = await cache.createPartial();
    writeRelease(partial);
    const release = await cache.addRelease(DIGEST, partial, FILES);
    damage(release.folder);
    assert.equal(cache.findRelease(DIGEST), undefined);
    const again = await cache.createPartial();
    writeRelease(again);
    assert.deepEqual(await cache.addRelease(DIGEST, again, FILES), release);
    assert.deepEqual(cache.findRelease(DIGEST), release);
  });

test("a manifest with other content than its digest names is not used", async (t) => {
  const cache = openImageCache({ XDG_CACHE_HOME: createTestFolder(t) }, NOW);
  await cache.addContent(DIGEST, Buffer.from("other"));
  assert.equal(cache.findContent(DIGEST), undefined);
  await cache.addContent(DIGEST, Buffer.from("image"));
  assert.equal(cache.findContent(DIGEST)?.toString(), "image");
});

test("what a killed process left is removed after a day", async (t) => {
  const env = { XDG_CACHE_HOME: createTestFolder(t) };
  const folder = join(env.XDG_CACHE_HOME, "preflight");
  for (const [name, hours] of [
    ["partial-old", 25],
    ["partial-new", 23],
  ] as const) {
    mkdirSync(join(folder, name), { recursive: true });
    const time = NOW.getTime() / 1000 - hours * 3600;
    utimesSync(join(folder, name), time, time);
  }
  openImageCache(env, NOW).close();
  assert.deepEqual(readdirSync(folder).toSorted(), ["manifests", "partial-new", "releases"]);
});

test("without a writable folder, a temporary one is used and removed", async (t) => {
  const file = join(createTestFolder(t), "file");
  writeFileSync(file, "");
  for (const env of [{ XDG_CACHE_HOME: file }, {}]) {
    const cache = openImageCache(env, NOW);
    const partial = await cache.createPartial();
    writeRelease(partial);
    await cache.addContent(DIGEST, Buffer.from("image"));
    const release = await cache.addRelease(DIGEST, partial, FILES);
    assert.deepEqual(cache.findRelease(DIGEST), release);
    assert.ok(existsSync(release.folder));
    cache.close();
    assert.ok(!existsSync(release.folder));
  }
});
