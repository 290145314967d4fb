import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";
import {
  type PrivateFolder,
  findCacheBase,
  openPrivateFolder,
  openSubfolder,
  readPrivateFile,
  removeFolder,
  writePrivateFile,
} from "../../src/files/private-folder.ts";
import { OTHER_USER, createSharedFolder, needsRoot } from "../support/other-user.ts";

const NAMES = ["preflight", "code"];

function createFolder(base: string): PrivateFolder {
  const folder = openPrivateFolder(base, NAMES, "create");
  assert.equal(folder.kind, "private");
  return folder;
}

test("folders and files are created for this user alone, whatever the umask is", (t) => {
  const base = createSharedFolder(t);
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  const folder = createFolder(join(base, "new/cache"));
  writePrivateFile(folder, "file", "text");
  const modes = ["new", "new/cache", "new/cache/preflight", "new/cache/preflight/code"];
  for (const path of modes) assert.equal(lstatSync(join(base, path)).mode & 0o7777, 0o700, path);
  assert.equal(lstatSync(join(folder.path, "file")).mode & 0o7777, 0o600);
  assert.equal(readPrivateFile(folder, "file", 4)?.toString(), "text");
  assert.deepEqual(readdirSync(folder.path), ["file"]);
});

test("nothing is created to look for a folder, or in a home that does not exist", (t) => {
  const base = createSharedFolder(t);
  assert.deepEqual(openPrivateFolder(join(base, "a"), NAMES, "leave"), { kind: "absent" });
  assert.deepEqual(readdirSync(base), []);
  assert.equal(findCacheBase({ HOME: join(base, "nobody") }), undefined);
  assert.equal(findCacheBase({ HOME: base, XDG_CACHE_HOME: "relative" }), join(base, ".cache"));
});

test("a path that is relative, or leads through own links and sticky folders, is the same folder", (t) => {
  const base = createSharedFolder(t, 0o1777);
  const folder = createFolder(base);
  symlinkSync("../..", join(folder.path, "up"));
  const link = join(base, "link");
  symlinkSync(join(folder.path, "up"), link);
  for (const path of [relative(process.cwd(), base), link, `${link}/preflight/..`])
    assert.deepEqual(openPrivateFolder(path, NAMES, "leave"), folder, path);
});

type Refused = readonly [what: string, change: (base: string) => void, message: RegExp];
const refused: readonly Refused[] = [
  [
    "a cache that another user owns",
    (base) => chownSync(join(base, "preflight"), OTHER_USER, 0),
    /preflight belongs to user 12345: remove it$/,
  ],
  [
    "a level of the cache that another user owns",
    (base) => chownSync(join(base, "preflight/code"), OTHER_USER, 0),
    /code belongs to user 12345: remove it$/,
  ],
  [
    "a cache that a group can write to",
    (base) => chmodSync(join(base, "preflight"), 0o770),
    /others can write to .*preflight: remove it$/,
  ],
  [
    "a sticky cache that all can write to",
    (base) => chmodSync(join(base, "preflight"), 0o1777),
    /others can write to .*preflight: /,
  ],
  [
    "a level that all can write to",
    (base) => chmodSync(join(base, "preflight/code"), 0o702),
    /others can write to .*code: /,
  ],
  [
    "a parent that all can write to",
    (base) => chmodSync(base, 0o777),
    /others can write to .*base: run "chmod go-w .*base"$/,
  ],
  [
    "a parent that a group can write to",
    (base) => chmodSync(base, 0o770),
    /others can write to .*base: run "chmod go-w /,
  ],
  ["a parent that another user owns", (base) => chownSync(base, OTHER_USER, 0), /base belongs to user 12345$/],
  [
    "a sticky parent that another user owns",
    (base) => {
      chmodSync(base, 0o1777);
      chownSync(base, OTHER_USER, 0);
    },
    /base belongs to user 12345$/,
  ],
];

for (const [what, change, message] of refused)
  test(`${what} is refused`, needsRoot, (t) => {
    const base = join(createSharedFolder(t), "base");
    createFolder(base);
    change(base);
    for (const missing of ["leave", "create"] as const) assert.match(describe(base, missing), message);
  });

function describe(base: string, missing: "create" | "leave"): string {
  const result = openPrivateFolder(base, NAMES, missing);
  if (result.kind !== "refused") return result.kind;
  return result.remedy === undefined ? result.message : `${result.message}: ${result.remedy}`;
}

test("a link in place of a level is refused, whoever's folder it leads to", (t) => {
  const base = createSharedFolder(t);
  const own = createFolder(join(base, "own"));
  for (const level of ["preflight", "preflight/code"]) {
    const cache = join(base, level.replace("/", "-"));
    mkdirSync(join(cache, level, ".."), { recursive: true });
    symlinkSync(level === "preflight" ? join(own.path, "..") : own.path, join(cache, level));
    assert.match(describe(cache, "create"), /is a symbolic link: remove it$/);
  }
});

test("a link that another user has put above the cache is refused", needsRoot, (t) => {
  const shared = createSharedFolder(t, 0o1777);
  const own = createSharedFolder(t);
  createFolder(own);
  const link = join(shared, "link");
  symlinkSync(own, link);
  assert.equal(describe(link, "leave"), "private");
  lchownSync(link, OTHER_USER, OTHER_USER);
  assert.equal(describe(link, "create"), `${link} belongs to user 12345`);
});

test("links in a circle, and files in place of folders, are refused", (t) => {
  const base = createSharedFolder(t);
  symlinkSync("b", join(base, "a"));
  symlinkSync("a", join(base, "b"));
  assert.match(describe(join(base, "a"), "create"), /leads through more than 40 symbolic links$/);
  writeFileSync(join(base, "preflight"), "");
  assert.match(describe(base, "create"), /preflight is not a folder: remove it$/);
  assert.match(describe(join(base, "preflight"), "create"), /preflight is not a folder$/);
});

type Planted = readonly [what: string, change: (path: string, base: string) => void];
const planted: readonly Planted[] = [
  ["a file of another user", (path) => chownSync(path, OTHER_USER, 0)],
  ["a file that a group can write to", (path) => chmodSync(path, 0o620)],
  ["a file with a second name", (path, base) => linkSync(path, join(base, "name"))],
  ["a file that is too large", (path) => truncateSync(path, 2 ** 30)],
  ["a link", (path, base) => replace(path, () => symlinkSync(join(base, "own"), path))],
  ["a pipe", (path) => replace(path, () => execFileSync("mkfifo", [path]))],
  ["a device", (path) => replace(path, () => execFileSync("mknod", [path, "c", "1", "5"]))],
  ["a folder", (path) => replace(path, () => mkdirSync(path))],
];

function replace(path: string, create: () => void): void {
  removeFile(path);
  create();
}

function removeFile(path: string): void {
  execFileSync("rm", [path]);
}

for (const [what, change] of planted)
  test(`${what} is not read`, needsRoot, (t: TestContext) => {
    const base = createSharedFolder(t);
    writeFileSync(join(base, "own"), "code", { mode: 0o600 });
    const folder = createFolder(base);
    writePrivateFile(folder, "file", "code");
    assert.equal(readPrivateFile(folder, "file", 100)?.toString(), "code");
    change(join(folder.path, "file"), base);
    assert.equal(readPrivateFile(folder, "file", 100), undefined);
  });

test("a link is replaced, and not what it leads to", (t) => {
  const base = createSharedFolder(t);
  const folder = createFolder(base);
  writeFileSync(join(base, "file"), "kept");
  symlinkSync(join(base, "file"), join(folder.path, "file"));
  writePrivateFile(folder, "file", "new");
  assert.equal(readFileSync(join(base, "file"), "utf8"), "kept");
  assert.equal(readPrivateFile(folder, "file", 100)?.toString(), "new");
  symlinkSync(join(base, "file"), join(folder.path, `other.${process.pid}`));
  assert.throws(() => writePrivateFile(folder, "other", "new"), { code: "EEXIST" });
  assert.equal(readFileSync(join(base, "file"), "utf8"), "kept");
});

test("nothing outside of a folder is removed with it, and nothing of another user in it", needsRoot, (t) => {
  const base = createSharedFolder(t);
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside/file"), "");
  for (const name of ["mine/inner", "mine/theirs"]) mkdirSync(join(base, name), { recursive: true });
  for (const name of ["mine/inner/file", "mine/theirs/file"]) writeFileSync(join(base, name), "");
  symlinkSync(join(base, "outside"), join(base, "mine/link"));
  chownSync(join(base, "mine/theirs"), OTHER_USER, 0);
  removeFolder(join(base, "mine"));
  assert.deepEqual(readdirSync(join(base, "mine"), { recursive: true }), ["theirs", "theirs/file"]);
  assert.ok(existsSync(join(base, "outside/file")));
  chownSync(join(base, "mine/theirs"), process.geteuid?.() ?? 0, 0);
  symlinkSync(join(base, "mine"), join(base, "link"));
  removeFolder(join(base, "link"));
  assert.ok(existsSync(join(base, "mine")));
  removeFolder(join(base, "mine"));
  assert.ok(!existsSync(join(base, "mine")));
});

test("a subfolder counts by the same rules", (t) => {
  const folder = createFolder(createSharedFolder(t));
  mkdirSync(join(folder.path, "inner"));
  assert.equal(openSubfolder(folder, "inner").kind, "private");
  chmodSync(join(folder.path, "inner"), 0o777);
  assert.equal(openSubfolder(folder, "inner").kind, "refused");
  assert.equal(openSubfolder(folder, "absent").kind, "absent");
});
