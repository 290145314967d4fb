import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";
import { parseObject } from "../../../src/model/json.ts";
import { readPayload } from "../../../src/release/payload/payload-reader.ts";
import { type CachedRelease, type ImageCache, openImageCache } from "../../../src/release/image/image-cache.ts";
import { IMAGES, METADATA, formatCrd } from "../../support/release/payload/payload-folder.ts";
import { computeDigest } from "../../support/image-builder.ts";
import { OTHER_USER, createSharedFolder, giveTo, needsRoot } from "../../support/other-user.ts";

const DIGEST = computeDigest(Buffer.from("image"));
const OTHER_DIGEST = computeDigest(Buffer.from("other"));
const NOW = new Date("2026-11-20T00:00:00Z");
const CRD = "release-manifests/boxes.yaml";
const TEXTS: Readonly<Record<string, string>> = {
  "release-manifests/image-references": IMAGES,
  "release-manifests/release-metadata": METADATA,
  "release-manifests/cups.yaml": formatCrd("cups"),
  [CRD]: formatCrd("boxes"),
};
const FILES = Object.entries(TEXTS).map(([path, text]) => ({
  path,
  size: Buffer.byteLength(text),
  digest: computeDigest(Buffer.from(text)),
}));

async function addRelease(cache: ImageCache, digest = DIGEST): Promise<CachedRelease> {
  const partial = await cache.createPartial();
  for (const name of ["release-manifests", "manifests"]) mkdirSync(join(partial, name), { mode: 0o700 });
  for (const [path, text] of Object.entries(TEXTS)) writeFileSync(join(partial, path), text, { mode: 0o600 });
  return cache.addRelease(digest, partial, FILES);
}

async function createCache(t: TestContext) {
  const base = createSharedFolder(t);
  const env = { XDG_CACHE_HOME: base };
  const cache = openImageCache(env, NOW);
  return { base, env, cache, root: join(base, "preflight"), release: await addRelease(cache) };
}

test("a release and its folders are for this user alone, whatever the umask is", async (t) => {
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  const { root, cache, release } = await createCache(t);
  await cache.addContent(DIGEST, Buffer.from("image"));
  for (const path of ["releases", "manifests"]) assert.equal(statSync(join(root, path)).mode & 0o777, 0o700, path);
  for (const path of [join(release.folder, "files.json"), join(root, "manifests", `${DIGEST.replace(":", "-")}.json`)])
    assert.equal(statSync(path).mode & 0o777, 0o600, path);
});

type Folders = { readonly base: string; readonly root: string; readonly release: CachedRelease };

/** The whole cache is not used. */
const untrusted: Readonly<Record<string, readonly [attack: (folders: Folders) => void, why: RegExp]>> = {
  "another user's cache": [
    ({ root }) => giveTo(OTHER_USER, root),
    /preflight belongs to user 12345: remove it, or set /,
  ],
  "another user's cache, in a sticky folder": [
    ({ base, root }) => {
      giveTo(OTHER_USER, root);
      chmodSync(base, 0o1777);
    },
    /preflight belongs to user 12345: /,
  ],
  "a parent that all can write to": [
    ({ base }) => chmodSync(base, 0o777),
    /others can write to .*: run "chmod go-w .*", or set XDG_CACHE_HOME to a folder of your own$/,
  ],
  "a cache that a group can write to": [({ root }) => chmodSync(root, 0o770), /others can write to .*preflight: /],
  "releases of another user": [({ root }) => chownSync(join(root, "releases"), OTHER_USER, 0), /releases belongs to /],
  "manifests of another user": [
    ({ root }) => chownSync(join(root, "manifests"), OTHER_USER, 0),
    /manifests belongs to /,
  ],
  "a link to the cache": [
    ({ base, root }) => replaceByLink(root, join(base, "moved")),
    /preflight is a symbolic link: /,
  ],
  "a link to the releases": [
    ({ base, root }) => replaceByLink(join(root, "releases"), join(base, "moved")),
    /releases is a symbolic link: /,
  ],
};

function replaceByLink(path: string, moved: string): void {
  renameSync(path, moved);
  symlinkSync(moved, path);
}

for (const [name, [attack, why]] of Object.entries(untrusted))
  test(`${name}: a temporary folder is used instead, and one line says why`, needsRoot, async (t) => {
    const folders = await createCache(t);
    assert.deepEqual(openImageCache(folders.env, NOW).findRelease(DIGEST), folders.release);
    attack(folders);
    const before = readdirSync(folders.base, { recursive: true });
    const cache = openImageCache(folders.env, NOW);
    const warning = cache.takeWarning() ?? "";
    assert.ok(warning.startsWith(`the cache ${folders.root} is not used, since `), warning);
    assert.match(warning, why);
    assert.equal(cache.takeWarning(), undefined);
    assert.equal(cache.findRelease(DIGEST), undefined);
    const release = await addRelease(cache);
    assert.equal(statSync(release.folder).mode & 0o777, 0o700);
    assert.deepEqual(cache.findRelease(DIGEST), release);
    cache.close();
    assert.ok(!existsSync(release.folder));
    assert.deepEqual(readdirSync(folders.base, { recursive: true }), before);
  });

/** One release is not believed, and is replaced by the next that is read. */
const damaged: Readonly<Record<string, (release: string, elsewhere: string) => void>> = {
  "another user's release": (release) => chownSync(release, OTHER_USER, OTHER_USER),
  "a release that a group can write to": (release) => chmodSync(release, 0o770),
  "a link to a release": (release, elsewhere) => replaceByLink(release, join(elsewhere, "moved")),
  "another user's folder of manifests": (release) => chownSync(join(release, "release-manifests"), OTHER_USER, 0),
  "a link to a folder of manifests": (release, elsewhere) =>
    replaceByLink(join(release, "release-manifests"), join(elsewhere, "moved")),
  "another user's index": (release) => chownSync(join(release, "files.json"), OTHER_USER, 0),
  "a link to the index": (release, elsewhere) => replaceByLink(join(release, "files.json"), join(elsewhere, "moved")),
  "a huge index": (release) => truncateSync(join(release, "files.json"), 2 ** 32),
  "an index of another image": (release) => changeIndex(release, (index) => ({ ...index, image: OTHER_DIGEST })),
  "an index without an image": (release) => changeIndex(release, ({ files }) => ({ files })),
  "an index with a path outside": (release) => {
    const bytes = readFileSync("/etc/passwd");
    const file = {
      path: "manifests/../../../../../../../etc/passwd",
      size: bytes.length,
      digest: computeDigest(bytes),
    };
    changeIndex(release, (index) => ({ ...index, files: [...FILES, file] }));
  },
  "an index with an absolute path": (release) =>
    changeIndex(release, (index) => ({
      ...index,
      files: [...FILES, { path: "/etc/passwd", size: 1, digest: DIGEST }],
    })),
  "an index that lacks a file": (release) => changeIndex(release, (index) => ({ ...index, files: FILES.slice(1) })),
  "an index with a file twice": (release) => {
    writeFileSync(join(release, "release-manifests/planted.yaml"), "{}");
    changeIndex(release, (index) => ({ ...index, files: [...FILES, FILES[0]] }));
  },
  "a link to a manifest": (release, elsewhere) => replaceByLink(join(release, CRD), join(elsewhere, "moved")),
  "a manifest with a second name": (release, elsewhere) => linkSync(join(release, CRD), join(elsewhere, "name")),
  "a pipe in place of a manifest": (release) => {
    rmSync(join(release, CRD));
    execFileSync("mkfifo", [join(release, CRD)]);
  },
  "a device in place of a manifest": (release) => {
    rmSync(join(release, CRD));
    execFileSync("mknod", [join(release, CRD), "c", "1", "5"]);
  },
};

function changeIndex(release: string, change: (index: Readonly<Record<string, unknown>>) => unknown): void {
  const path = join(release, "files.json");
  writeFileSync(path, JSON.stringify(change(parseObject(readFileSync(path, "utf8")) ?? {})));
}

for (const [name, damage] of Object.entries(damaged))
  test(`${name} is not believed, and is replaced by the next`, needsRoot, async (t) => {
    const { env, release } = await createCache(t);
    const elsewhere = createSharedFolder(t);
    damage(release.folder, elsewhere);
    const cache = openImageCache(env, NOW);
    assert.equal(cache.takeWarning(), undefined);
    assert.equal(cache.findRelease(DIGEST), undefined);
    assert.deepEqual(await addRelease(cache), release);
    assert.deepEqual(cache.findRelease(DIGEST), release);
  });

test("a release under the name of another image is not the release of that", async (t) => {
  const { cache, release } = await createCache(t);
  cpSync(release.folder, release.folder.replace(DIGEST.replace(":", "-"), OTHER_DIGEST.replace(":", "-")), {
    recursive: true,
  });
  assert.equal(cache.findRelease(OTHER_DIGEST), undefined);
});

const changes: Readonly<Record<string, (release: string, elsewhere: string) => void>> = {
  "a changed manifest": (release) => writeFileSync(join(release, CRD), formatCrd("other")),
  "a changed version": (release) =>
    writeFileSync(join(release, "release-manifests/release-metadata"), METADATA.replace("4.19.2", "4.19.1")),
  "another manifest": (release) => writeFileSync(join(release, "manifests/planted.yaml"), formatCrd("planted")),
  "one manifest fewer": (release) => rmSync(join(release, CRD)),
  "a link to another manifest": (release, elsewhere) => {
    writeFileSync(join(elsewhere, "other"), formatCrd("other"));
    rmSync(join(release, CRD));
    symlinkSync(join(elsewhere, "other"), join(release, CRD));
  },
  "a pipe": (release) => {
    rmSync(join(release, CRD));
    execFileSync("mkfifo", [join(release, CRD)]);
  },
  "another folder": (release, elsewhere) => {
    cpSync(release, join(elsewhere, "copy"), { recursive: true });
    writeFileSync(join(elsewhere, "copy", CRD), formatCrd("other"));
    replaceByLink(release, join(elsewhere, "moved"));
    rmSync(release);
    symlinkSync(join(elsewhere, "copy"), release);
  },
};

for (const [name, change] of Object.entries(changes))
  for (const isStored of [true, false])
    test(`${name} after the release was found is no part of the target (${isStored ? "cache" : "temporary folder"})`, async (t) => {
      const elsewhere = createSharedFolder(t);
      const cache = openImageCache(isStored ? { XDG_CACHE_HOME: createSharedFolder(t) } : {}, NOW);
      t.after(cache.close);
      const { folder, files } = await addRelease(cache);
      assert.equal((await readPayload(folder, { files })).kind, "read");
      change(folder, elsewhere);
      const result = await readPayload(folder, { files });
      assert.ok(result.kind === "failed");
      assert.match(result.failure.message, /^the files of the release image were changed after they were verified: /);
    });

test("a cache of root is not used by another user, in whose name nothing is left there", needsRoot, async (t) => {
  const { env, base } = await createCache(t);
  process.seteuid?.(OTHER_USER);
  t.after(() => process.seteuid?.(0));
  const cache = openImageCache(env, NOW);
  process.seteuid?.(0);
  assert.match(cache.takeWarning() ?? "", /preflight-shared-\w+ belongs to user 0|preflight belongs to user 0/);
  assert.deepEqual(readdirSync(base), ["preflight"]);
});
