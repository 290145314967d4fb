import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type FileText, readYamlFiles } from "../../src/files/yaml-files.ts";
import { withTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const LIMITS = { maxBytes: 64 * 1024, maxFiles: 4, leaveOut: "cases" };

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** "name: text", or "name! why". */
async function read(folder: string, path = folder): Promise<readonly string[] | undefined> {
  const files = await readYamlFiles(path, LIMITS);
  return files?.map((file) => describe(file).replaceAll(`${folder}/`, ""));
}

function describe(file: FileText): string {
  return file.kind === "read" ? `${file.name}: ${file.text}` : `${file.name}! ${file.message}`;
}

test("a folder has the files *.yaml below it, sorted, without cases, hidden files and others", () =>
  withTemporaryFolder("yaml", async (folder) => {
    write(folder, {
      "b.yaml": "b",
      "a/z.yaml": "z",
      "a/y.yml": "y",
      "a/cases/c.yaml": "c",
      ".hidden.yaml": "h",
      "README.md": "r",
    });
    assert.deepEqual(await read(folder), ["a/y.yml: y", "a/z.yaml: z", "b.yaml: b"]);
    assert.deepEqual(await read(folder, join(folder, "README.md")), ["README.md: r"]);
    assert.equal(await read(folder, join(folder, "absent")), undefined);
    assert.equal(await read(folder, join(folder, "b.yaml", "absent")), undefined);
  }));

/** As the kubelet writes a ConfigMap. */
function mount(folder: string, version: string, files: Readonly<Record<string, string>>): void {
  write(join(folder, `..${version}`), files);
  symlinkSync(`..${version}`, join(folder, "..data_tmp"));
  renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
  for (const name of Object.keys(files)) {
    rmSync(join(folder, name), { force: true });
    symlinkSync(join("..data", name), join(folder, name));
  }
}

test("a mounted ConfigMap has each of its keys once, and the new ones after an edit", () =>
  withTemporaryFolder("yaml", async (folder) => {
    mount(folder, "2026_1", { "a.yaml": "1", "b.yaml": "2" });
    assert.deepEqual(await read(folder), ["a.yaml: 1", "b.yaml: 2"]);
    mount(folder, "2026_2", { "a.yaml": "3" });
    rmSync(join(folder, "b.yaml"));
    rmSync(join(folder, "..2026_1"), { recursive: true });
    assert.deepEqual(await read(folder), ["a.yaml: 3"]);
  }));

test("a link leads to nothing outside of its folder, and to nothing twice", () =>
  withTemporaryFolder("yaml", (outer) =>
    withTemporaryFolder("yaml", async (folder) => {
      write(outer, { "secret.yaml": "canary" });
      write(folder, { "sub/a.yaml": "a" });
      symlinkSync(join(outer, "secret.yaml"), join(folder, "out.yaml"));
      symlinkSync(outer, join(folder, "outer"));
      symlinkSync("sub", join(folder, "again"));
      symlinkSync("..", join(folder, "sub", "loop"));
      symlinkSync("nowhere", join(folder, "gone.yaml"));
      const files = (await read(folder)) ?? [];
      assert.deepEqual(files, [
        "gone.yaml! there is no such file",
        "out.yaml! it leads out of the folder",
        "outer! it leads out of the folder",
        "sub/a.yaml: a",
      ]);
    }),
  ));

test("what can't be read says why, and leaves the others as they are", () =>
  withTemporaryFolder("yaml", async (folder) => {
    write(folder, { "a.yaml": "a", "large.yaml": "x".repeat(LIMITS.maxBytes + 1), "z.yaml/inner.yaml": "inner" });
    assert.deepEqual(await read(folder), [
      "a.yaml: a",
      "large.yaml! it has more than 64 KiB",
      "z.yaml/inner.yaml: inner",
    ]);
    for (const i of [1, 2, 3]) write(folder, { [`more${i}.yaml`]: "" });
    assert.deepEqual(await readYamlFiles(folder, LIMITS), [
      { kind: "unread", name: folder, message: "it has more than 4 files *.yaml" },
    ]);
  }));
