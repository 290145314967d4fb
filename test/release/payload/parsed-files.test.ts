import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createTestFolder } from "../../support/registry.ts";
import {
  addReleaseFiles,
  formatCrd,
  formatManifest,
  makeFolder,
  readOrThrow,
  withObjects,
} from "../../support/release/payload/payload-folder.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
/** So large that it is worth keeping. */
const PROSE = "Much to read for whoever opens it. ".repeat(30_000);

type Stage = {
  readonly folder: string;
  readonly kept: string;
  readonly place: { base: string; name: string; now: Date };
};

function createStage(t: TestContext): Stage {
  const folder = makeFolder(
    t,
    addReleaseFiles({
      "a.yaml": formatCrd("widgets"),
      "b.yaml": `${formatManifest("Thing", "b").slice(0, -1)},"data":{"text":"${PROSE}"}}`,
      "c.yaml": `apiVersion: v1\nkind: List\nitems:\n- ${formatManifest("Thing", "c")}\n`,
      "d.yaml": "kind: [",
      "e.yaml": "apiVersion: v1\nkind: Secret\n",
    }),
  );
  const base = createTestFolder(t);
  return { folder, kept: join(base, "preflight/parsed/key"), place: { base, name: "key", now: NOW } };
}

async function findKind(folder: string, parsedFiles: Stage["place"]): Promise<string | undefined> {
  const { manifests } = await readOrThrow(folder, { parsedFiles });
  return manifests.find(({ name }) => name === "b")?.kind;
}

test("what was kept gives the payload that the files give, problems too", async (t) => {
  const { folder, kept, place } = createStage(t);
  const parsed = await readOrThrow(folder);
  assert.equal(parsed.manifests.length, 3);
  assert.equal(parsed.problems.length, 2);
  assert.deepEqual(withObjects(await readOrThrow(folder, { parsedFiles: place })), withObjects(parsed));
  const text = readFileSync(kept, "utf8");
  assert.ok(text.length < 10_000, "it has what nobody reads");
  assert.deepEqual(withObjects(await readOrThrow(folder, { parsedFiles: place })), withObjects(parsed));
  assert.equal(readFileSync(kept, "utf8"), text);
});

test("what was kept is what is read, and a changed file is parsed again", async (t) => {
  const { folder, kept, place } = createStage(t);
  await readOrThrow(folder, { parsedFiles: place });
  const lines = readFileSync(kept, "utf8").replace('"kind":"Thing"', '"kind":"Kept"').split("\n").slice(1).join("\n");
  writeFileSync(kept, `${hash("sha256", lines)}\n${lines}`);
  assert.equal(await findKind(folder, place), "Kept");
  writeFileSync(join(folder, "b.yaml"), formatManifest("Other", "b"));
  assert.equal(await findKind(folder, place), "Other");
});

for (const [title, damage] of [
  ["damaged", (kept: string) => writeFileSync(kept, readFileSync(kept, "utf8").replace('"Thing"', '"Thigh"'))],
  ["open to others", (kept: string) => chmodSync(kept, 0o666)],
  ["cut", (kept: string) => writeFileSync(kept, readFileSync(kept).subarray(0, 100))],
] as const)
  test(`a file that is ${title} is not used, and is replaced`, async (t) => {
    const { folder, kept, place } = createStage(t);
    const parsed = await readOrThrow(folder, { parsedFiles: place });
    const before = readFileSync(kept, "utf8");
    damage(kept);
    assert.deepEqual(withObjects(await readOrThrow(folder, { parsedFiles: place })), withObjects(parsed));
    assert.equal(readFileSync(kept, "utf8"), before);
  });

test("a small target is not kept, and what was kept a month ago is removed", async (t) => {
  const { folder, kept, place } = createStage(t);
  rmSync(join(folder, "b.yaml"));
  await readOrThrow(folder, { parsedFiles: place });
  assert.deepEqual(readdirSync(place.base), []);
  mkdirSync(join(kept, ".."), { recursive: true, mode: 0o700 });
  const old = join(kept, "../old");
  writeFileSync(old, "");
  utimesSync(old, NOW, new Date(NOW.getTime() - 31 * 86_400_000));
  writeFileSync(join(folder, "b.yaml"), `# ${PROSE}\n${formatManifest("Thing", "b")}`);
  await readOrThrow(folder, { parsedFiles: place });
  assert.deepEqual(readdirSync(join(kept, "..")), ["key"]);
});
