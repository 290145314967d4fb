import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, linkSync, openSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import { parseManifests } from "../../../src/manifests/files/parse-manifests.ts";
import { packFiles } from "../../../src/encoding/tar-writer.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";
import { describeManifest, readAll, writeFiles } from "../../support/manifests/files.ts";

const A = "apiVersion: v1\nkind: A\n";
const B = "apiVersion: v1\nkind: B\n";
const NO_OBJECT = "NotAnObject: it has no apiVersion and no kind";

async function describe(folder: string, paths: readonly string[], stdin?: string): Promise<readonly string[]> {
  const items = await readAll(
    paths.map((path) => (path === "-" ? path : join(folder, path))),
    stdin,
  );
  return items.map((item) => describeManifest(item, folder));
}

suite("paths", () => {
  const folder = createTemporaryFolder("manifests");
  writeFiles(folder, {
    "b.yaml": B,
    "a/z.json": '{"apiVersion":"v1","kind":"Z"}',
    "a/a.yml": A,
    "a/.b.yaml": B,
    "a/c.txt": A,
  });
  writeFiles(folder, { "a/values.yaml": "x: 1\n", "a/none.yaml": "# nothing\n" });

  test("a folder has the files of its sub-folders, in order; no hidden ones, and none of another kind", async () => {
    const other = "a/values.yaml:1:1 OtherContent: it has no apiVersion";
    assert.deepEqual(await describe(folder, ["."]), ["a/a.yml:1:1 A", other, "a/z.json:1:2 Z", "b.yaml:1:1 B"]);
  });

  test("files come in the order in which they are given, each once, whatever their names", async () => {
    assert.deepEqual(await describe(folder, ["b.yaml", "a/c.txt", "a/values.yaml", ".", "b.yaml"]), [
      "b.yaml:1:1 B",
      "a/c.txt:1:1 A",
      `a/values.yaml:1:1 ${NO_OBJECT}`,
      "a/a.yml:1:1 A",
      "a/z.json:1:2 Z",
    ]);
  });

  test("the standard input has a text or an archive", async () => {
    assert.deepEqual(await describe(folder, ["-"], `${A}---\n${B}`), ["stdin:1:1 A", "stdin:4:1 B"]);
    assert.deepEqual(await describe(folder, ["-"], ""), []);
  });

  test("what does not exist is told", async () =>
    assert.deepEqual(await describe(folder, ["none"]), ["none:1:1 NotAFile: it does not exist"]));
});

suite("archives", () => {
  const folder = createTemporaryFolder("manifests");
  const files = { "d/b.yaml": B, "d/a.yaml": A, "d/README.md": "x", "d/.git/c.yaml": A };

  for (const [name, pack] of [
    ["a.tar", (tar: Uint8Array) => tar],
    ["a.tgz", gzipSync],
    ["named", gzipSync],
  ] as const)
    test(`${name} has its files in order`, async () => {
      const packed = Object.entries(files).map(([file, text]) => ({ name: file, bytes: Buffer.from(text) }));
      writeFiles(folder, { [name]: pack(await packFiles(packed)) });
      assert.deepEqual(await describe(folder, [name]), [`${name}/d/a.yaml:1:1 A`, `${name}/d/b.yaml:1:1 B`]);
    });

  test("one that is damaged, and a zip, are one line each", async () => {
    writeFiles(folder, { "bad.tgz": gzipSync("no tar"), "a.zip": "PK\u0003\u0004..." });
    const [damaged, zip] = await describe(folder, ["bad.tgz", "a.zip"]);
    assert.match(damaged ?? "", /^bad\.tgz:1:1 NotUnderstood: it is damaged: /);
    assert.equal(zip, "a.zip:1:1 NotAFile: it is a zip archive: unpack it, and give the folder");
  });
});

suite("bounds", () => {
  const folder = createTemporaryFolder("manifests");
  writeFiles(folder, { "in/ok.yaml": A, "secret.yaml": B });
  for (const name of ["in/big.yaml", "big.tar"]) {
    closeSync(openSync(join(folder, name), "w"));
    truncateSync(join(folder, name), 2 ** 30 + 1);
  }
  execFileSync("mkfifo", [join(folder, "in/fifo.yaml")]);
  symlinkSync("..", join(folder, "in/up"));
  symlinkSync("loop.yaml", join(folder, "in/loop.yaml"));
  symlinkSync("../secret.yaml", join(folder, "in/out.yaml"));
  symlinkSync("ok.yaml", join(folder, "in/same.yaml"));
  symlinkSync("/dev/zero", join(folder, "in/zero.yaml"));
  linkSync(join(folder, "in/ok.yaml"), join(folder, "in/twin.yaml"));
  const bomb = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map((name, i, all) => {
    const before = all[i - 1];
    return `${name}: &${name} [${Array(9)
      .fill(before === undefined ? "x" : `*${before}`)
      .join(", ")}]`;
  });
  writeFiles(folder, {
    "in/bomb.yaml": `${A}${bomb.join("\n")}\n`,
    "in/binary.yaml": Buffer.from([1, 0, 2]),
    "in/latin.yaml": Buffer.from(`${A}x: \xe9\n`, "latin1"),
    "in/utf16.yaml": Buffer.from(`\ufeff${A}`, "utf16le"),
    "in/deep.yaml": `${A}x: ${"[".repeat(5_000)}`,
    "in/mark.yaml": `\ufeff${A}`,
  });

  test("what can't be read is one line each, and hides nothing else", async () => {
    assert.deepEqual(await describe(folder, ["in"]), [
      "in/big.yaml:1:1 TooLarge: it has more than 64 MiB",
      "in/binary.yaml:1:1 NotUnderstood: it is not a text",
      "in/bomb.yaml:1:1 TooLarge: its aliases expand to more than 32 MiB",
      "in/deep.yaml:3:203 NotUnderstood: it is not valid YAML: nesting exceeded maxDepth (200)",
      "in/fifo.yaml:1:1 NotAFile: it is not a regular file",
      "in/latin.yaml:1:1 NotUnderstood: it is not UTF-8",
      "in/loop.yaml:1:1 NotAFile: its links lead in a circle",
      "in/mark.yaml:1:1 A",
      "in/ok.yaml:1:1 A",
      "in/out.yaml:1:1 NotAFile: it leads out of the folder",
      "in/twin.yaml:1:1 A",
      "in/up:1:1 NotAFile: it leads out of the folder",
      "in/utf16.yaml:1:1 NotUnderstood: it is UTF-16: write it as UTF-8",
      "in/zero.yaml:1:1 NotAFile: it leads out of the folder",
    ]);
  });

  test("also where it is named", async () => {
    assert.deepEqual(await describe(folder, ["in/big.yaml", "big.tar", "in/zero.yaml"]), [
      "in/big.yaml:1:1 TooLarge: it has more than 64 MiB",
      "big.tar:1:1 TooLarge: it has more than 1 GiB",
      "in/zero.yaml:1:1 NotAFile: it is not a regular file",
    ]);
  });
});

test("a text with too many values is told before its places are looked for, which would take more memory", () => {
  const text = `apiVersion: v1\nkind: List\nitems:\n${"- a: 1\n".repeat(200_001)}`;
  const read = [...parseManifests(text, { file: "a", isNamed: true }, () => assert.fail("its places are looked for"))];
  assert.deepEqual(
    read.map((item) => describeManifest(item, "")),
    ["a:1:1 TooLarge: it has more than 400000 values"],
  );
});
