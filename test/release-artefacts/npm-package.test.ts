import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, suite, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { packArchive } from "../../tools/release/archive.ts";
import { buildNpmPackage } from "../../tools/release/npm-package.ts";
import { readProject } from "../../tools/release/project.ts";
import { embedProgram, ESCAPED_END, PLACE, splitExecutable } from "../../tools/embedding.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const DIST = join(import.meta.dirname, "..", "..", "dist");

suite("the npm package", () => {
  const folder = createTemporaryFolder("package");
  let packed: Buffer = Buffer.alloc(0);

  before(async () => {
    packed = await buildNpmPackage(await readProject(), DIST);
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await mkdir(join(folder, "package"));
    for (const { header, data } of await unpackTar(gunzipSync(packed)))
      await writeFile(join(folder, header.name), data ?? "", { mode: header.mode ?? 0o644 });
    await symlink("package/preflight", join(folder, "kubectl-preflight_update"));
    await symlink(process.execPath, join(folder, "node"));
  });

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
    assert.match(help.stdout, /\n {2}kubectl preflight-update check --target DIR\n/);
    const wrong = runFile("kubectl-preflight_update", "check", "--nope");
    assert.equal(
      wrong.stderr,
      "kubectl preflight-update: unknown option --nope; see 'kubectl preflight-update help check'\n",
    );
  });
});

test("archives don't depend on the order of their files", async () => {
  const [a, b] = ["a", "b"].map((name) => ({ name, bytes: Buffer.from(name) }));
  assert.ok(a && b);
  assert.ok((await packArchive([a, b])).equals(await packArchive([b, a])));
});

test("the program in an executable is a function in ASCII, in a comment", () => {
  const { text, linesBefore } = embedProgram(`#!/bin/sh\nplace = "${PLACE}";\n`, 'exports.unit = "µ */";\n');
  const program = '(function (exports, require, module, __filename, __dirname) {\nexports.unit = "\\u00b5 */";\n})';
  const { launcher, program: found } = splitExecutable(text);
  assert.equal(found, program);
  assert.deepEqual([/place = "(.*)"/.exec(launcher)?.[1], linesBefore], ["3", 4]);
  assert.equal(text.split("\n")[linesBefore]?.replace(ESCAPED_END, "*/"), 'exports.unit = "\\u00b5 */";');
  assert.equal(text.split("*/").length, 2);
});
