import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { packArchive } from "../../tools/release/archive.ts";
import { buildNpmPackage } from "../../tools/release/npm-package.ts";
import { readProject } from "../../tools/release/project.ts";
import { wrapBundle } from "../../tools/release/single-executable.ts";

const DIST = join(import.meta.dirname, "..", "..", "dist");

suite("the npm package", () => {
  let folder = "";
  let packed: Buffer = Buffer.alloc(0);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "preflight-package-"));
    packed = await buildNpmPackage(await readProject(), DIST);
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await mkdir(join(folder, "package"));
    for (const { header, data } of await unpackTar(gunzipSync(packed)))
      await writeFile(join(folder, header.name), data ?? "", { mode: header.mode ?? 0o644 });
    await symlink("package/preflight", join(folder, "kubectl-preflight_update"));
    await symlink(process.execPath, join(folder, "node"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function runFile(name: string, ...args: readonly string[]) {
    return spawnSync(join(folder, name), args, { encoding: "utf8", env: { PATH: `${folder}:/usr/bin:/bin` } });
  }

  test("runs below a package.json of ES modules", async () => {
    const { version } = await readProject();
    const { stdout, stderr } = runFile("package/preflight", "--version");
    assert.deepEqual([stdout, stderr], [`preflight ${version}\n`, ""]);
  });

  test("has the same bytes each time", async () => {
    assert.ok(packed.equals(await buildNpmPackage(await readProject(), DIST)));
  });

  test("names itself as the plugin of kubectl by the name of its file", () => {
    const help = runFile("kubectl-preflight_update", "check", "--help");
    assert.match(help.stdout, /^kubectl preflight-update check\n/);
    assert.match(help.stdout, /\n {2}kubectl preflight-update check --target DIR /);
    const wrong = runFile("kubectl-preflight_update", "check", "--nope");
    assert.equal(wrong.stderr, "preflight: Unknown argument: nope; see 'kubectl preflight-update --help'\n");
  });
});

test("archives don't depend on the order of their files", async () => {
  const [a, b] = ["a", "b"].map((name) => ({ name, bytes: Buffer.from(name) }));
  assert.ok(a && b);
  assert.ok((await packArchive([a, b])).equals(await packArchive([b, a])));
});

test("the bundle in a single executable is a function in ASCII", () => {
  assert.equal(
    wrapBundle('#!/bin/sh\nexports.unit = "µ";'),
    '(function (exports, require, module, __filename, __dirname) {\nexports.unit = "\\u00b5";\n})',
  );
});
