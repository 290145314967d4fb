import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { textAt } from "../../../src/model/json.ts";
import {
  IMAGES,
  METADATA,
  addReleaseFiles,
  formatManifest,
  makeFolder,
  readOrThrow,
} from "../../support/release/payload/payload-folder.ts";

test("a manifest reads its object from its file, as long as that is the one that was read", async (t) => {
  const root = makeFolder(t, {
    "release-manifests/image-references": IMAGES,
    "release-manifests/release-metadata": METADATA,
    "release-manifests/b.yaml": `${formatManifest("Thing", "a")}\n---\n${formatManifest("Thing", "b")}`,
    "release-manifests/c.yaml": formatManifest("Thing", "c"),
    "release-manifests/d.yaml": formatManifest("Thing", "d"),
    "manifests/t.yaml": formatManifest("Thing", "t").replace('"t"', '"t","labels":{"image":"{{.ReleaseImage}}"}'),
    "manifests/s.yaml": formatManifest("Secret", "s"),
  });
  const { manifests } = await readOrThrow(root);
  const read = (name: string) => manifests.find((one) => one.name === name)?.read?.();
  assert.deepEqual(
    ["a", "b"].map((name) => textAt(read(name), "metadata", "name")),
    ["a", "b"],
  );
  assert.equal(textAt(read("t"), "metadata", "labels", "image"), "rendered");
  assert.equal(manifests.find(({ kind }) => kind === "Secret")?.read, undefined);
  writeFileSync(join(root, "release-manifests/c.yaml"), formatManifest("Other", "c"));
  rmSync(join(root, "release-manifests/d.yaml"));
  assert.deepEqual(["c", "d"].map(read), [undefined, undefined]);
});

test("objects of a folder that goes away are kept", async (t) => {
  const root = makeFolder(t, addReleaseFiles({ "a.yaml": formatManifest("Thing", "a") }));
  const [manifest] = (await readOrThrow(root, { isTemporary: true })).manifests;
  rmSync(root, { recursive: true });
  assert.equal(textAt(manifest?.read?.(), "metadata", "name"), "a");
});
