import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { readManifestsAt } from "../../../src/manifests/files/read-manifests.ts";
import { splitBySince } from "../../../src/manifests/files/since.ts";
import type { PlacedFinding } from "../../../src/model/manifest.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";
import { collect, writeFiles } from "../../support/manifests/files.ts";

function build(name: string, field: string, line: number, message = "m"): PlacedFinding {
  return {
    risk: "R",
    effect: "refused",
    path: ["spec", field],
    message,
    remedy: "r",
    object: { apiVersion: "v1", kind: "A", name },
    place: { file: "a.yaml", line, column: 1 },
  };
}

test("a finding is a former one wherever it stands, once for each that was there", () => {
  const before = [build("a", "x", 1), build("b", "x", 2)];
  const moved = build("a", "x", 9);
  const again = build("a", "x", 12);
  const others = [build("a", "y", 3), build("c", "x", 4), build("b", "x", 5, "another fault")];
  assert.deepEqual(splitBySince([moved, again, ...others], before), { added: [again, ...others], former: [moved] });
});

suite("a commit", () => {
  const folder = createTemporaryFolder("since");
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      stdio: "pipe",
    });
  const object = (name: string): string => `apiVersion: v1\nkind: A\nmetadata: {name: ${name}}\n`;
  writeFiles(folder, { "d/a.yaml": object("old"), "d/in/b.yaml": object("gone"), "c.txt": object("text") });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
  writeFiles(folder, { "d/a.yaml": object("new"), "n/e.yaml": object("added") });
  rmSync(join(folder, "d/in/b.yaml"));

  async function listNames(ref: string, ...paths: readonly string[]): Promise<readonly unknown[]> {
    const manifests = await collect(
      readManifestsAt(
        ref,
        paths.map((path) => join(folder, path)),
      ),
    );
    return manifests.map((manifest) => Object(manifest.object["metadata"]).name);
  }

  test("has the manifests as they were, and nothing where a path was not", async () => {
    assert.deepEqual(await listNames("HEAD", "d"), ["old", "gone"]);
    assert.deepEqual(await listNames("HEAD", "d/a.yaml", "c.txt", "n"), ["old", "text"]);
  });

  test("that git does not know, and a flag, are refused", async () => {
    await assert.rejects(listNames("none", "d"), /d at none can't be read by git: .*not a valid object name.*none/);
    await assert.rejects(listNames("--output=x", "d"), /"--output=x" is no commit/);
  });
});
