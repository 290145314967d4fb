import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { parseImageManifest } from "../../../src/release/image/image-manifest.ts";
import { type Layer, buildImage, buildLayer, computeDigest, toBlob } from "../../support/image-builder.ts";
import { writeLayout } from "../../support/oci-layout.ts";
import { createTestFolder } from "../../support/registry.ts";
import {
  OPERATOR_FILES,
  RELEASE_FILES,
  buildReleaseLayers,
  read,
  readManifests,
} from "../../support/release/image/release.ts";

/** The files that a release image with these layers gives, from the lowest layer to the topmost. */
async function listFiles(t: TestContext, layers: readonly Layer[]): Promise<readonly string[]> {
  const folder = writeLayout(createTestFolder(t), { release: buildImage(layers, "oci") });
  const { manifests, problems } = await readManifests(await read(t, `oci:${folder}`));
  assert.deepEqual(problems, []);
  return manifests.map(({ file, name }) => `${file} ${name}`);
}

const MANIFEST = (name: string): string => JSON.stringify({ apiVersion: "v1", kind: "A", metadata: { name } });
const [CRD = "", DEPLOYMENT = ""] = Object.keys(OPERATOR_FILES);

test("the operator's manifests may be in two layers, below others", async (t) => {
  const files = await listFiles(t, [
    await buildLayer({ [DEPLOYMENT]: OPERATOR_FILES[DEPLOYMENT] ?? "" }),
    await buildLayer({ [CRD]: OPERATOR_FILES[CRD] ?? "" }, "none"),
    await buildLayer({ "bootstrap/pod.yaml": MANIFEST("pod") }),
    await buildLayer(RELEASE_FILES, "zstd"),
  ]);
  assert.ok(files.some((file) => file.startsWith(CRD)) && files.some((file) => file.startsWith(DEPLOYMENT)));
});

test("an upper layer replaces files, and its whiteouts hide those of lower ones", async (t) => {
  const files = await listFiles(t, [
    await buildLayer({ "manifests/gone.yaml": MANIFEST("gone"), "release-manifests/old.yaml": MANIFEST("old") }),
    await buildLayer({ "manifests/both.yaml": MANIFEST("lower"), "manifests/.wh.gone.yaml": "" }),
    await buildLayer({
      "manifests/both.yaml": MANIFEST("upper"),
      "release-manifests/.wh..wh..opq": "",
      ...RELEASE_FILES,
    }),
  ]);
  assert.deepEqual(files, [
    "release-manifests/0000_10_demo_01_boxes.crd.yaml boxes.example.com",
    "manifests/both.yaml upper",
  ]);
});

test("names with ./ are read, and files that lead elsewhere or lie deeper are not", async (t) => {
  const files = await listFiles(t, [
    await buildLayer({
      ...RELEASE_FILES,
      "./manifests/a.yaml": MANIFEST("a"),
      "manifests/deeper/b.yaml": MANIFEST("b"),
      "../manifests/c.yaml": MANIFEST("c"),
      "manifests/notes.txt": "none",
    }),
  ]);
  assert.deepEqual(files.slice(1), ["manifests/a.yaml a"]);
});

test("a link where a manifest should be is refused", async (t) => {
  const header = { name: "manifests/a.yaml", size: 0, type: "symlink", linkname: "/etc/passwd" } as const;
  const tar = Buffer.from(await packTar([{ header }]));
  const link = { digest: computeDigest(gzipSync(tar)), bytes: gzipSync(tar), diffId: computeDigest(tar) };
  const folder = writeLayout(createTestFolder(t), { release: buildImage([link, await buildLayer(RELEASE_FILES)]) });
  await assert.rejects(read(t, `oci:${folder}`), {
    message: `layer ${link.digest.slice(0, 19)} from oci:${folder} can't be used: its manifests/a.yaml is a link`,
  });
});

test("a layer that is no tar, or ends early, is damaged", async (t) => {
  const [, operator, top] = await buildReleaseLayers();
  assert.ok(operator && top);
  const half = top.bytes.subarray(0, top.bytes.length / 2);
  for (const [bytes, why] of [
    [half, /is damaged: .*unexpected end of file/],
    [Buffer.alloc(2048, "x"), /is damaged: Invalid tar/],
  ] as const) {
    const image = buildImage([operator, { digest: computeDigest(bytes), bytes, diffId: top.diffId }]);
    await assert.rejects(read(t, `oci:${writeLayout(createTestFolder(t), { release: image })}`), { message: why });
  }
});

test("an OCI layout gives the image of a name", async (t) => {
  const folder = createTestFolder(t);
  const image = buildImage(await buildReleaseLayers(), "oci");
  writeLayout(folder, { "4.19.3": image, other: buildImage([await buildLayer({ a: "b" })], "oci") });
  assert.equal((await read(t, `oci:${folder}:4.19.3`)).digest, image.manifest.digest);
  await assert.rejects(read(t, `oci:${folder}`), {
    message: `oci:${folder} has 2 images: name one as oci:${folder}:NAME`,
  });
  await assert.rejects(read(t, `oci:${folder}:x`), {
    message: `oci:${folder} has no image of the name x: name one as oci:${folder}:NAME`,
  });
});

test("an archive of an OCI layout is read", async (t) => {
  const folder = createTestFolder(t);
  const image = buildImage(await buildReleaseLayers(), "oci");
  writeLayout(join(folder, "layout"), { "4.19.3": image });
  execFileSync("tar", ["-cf", join(folder, "release.tar"), "-C", join(folder, "layout"), "."]);
  const release = await read(t, `oci-archive:${folder}/release.tar`);
  assert.equal(release.digest, image.manifest.digest);
  assert.deepEqual((await readManifests(release)).problems, []);
  await assert.rejects(read(t, `oci-archive:${folder}/absent.tar`), {
    message: `oci-archive:${folder}/absent.tar is not a file that can be read`,
  });
});

test("an archive of docker save is read, with links between its layers, and has no digest that could be signed", async (t) => {
  const folder = createTestFolder(t);
  const content = join(folder, "content");
  const layers = await buildReleaseLayers("none");
  const { config } = buildImage(layers);
  mkdirSync(content);
  const names = layers.map(({ bytes }, index) => {
    mkdirSync(join(content, `layer${index}`));
    writeFileSync(join(content, `layer${index}`, "layer.tar"), bytes);
    return `layer${index}/layer.tar`;
  });
  mkdirSync(join(content, "linked"));
  symlinkSync("../layer1/layer.tar", join(content, "linked", "layer.tar"));
  const Layers = names.map((name, index) => (index === 1 ? "linked/layer.tar" : name));
  writeFileSync(join(content, "config.json"), config.bytes);
  writeFileSync(
    join(content, "manifest.json"),
    JSON.stringify([{ Config: "config.json", RepoTags: ["ocp/release:4.19.3"], Layers }]),
  );
  execFileSync("tar", ["-cf", join(folder, "release.tar"), "-C", content, "."]);
  const release = await read(t, `docker-archive:${folder}/release.tar:ocp/release:4.19.3`);
  assert.equal(release.digest, undefined);
  assert.deepEqual((await readManifests(release)).problems, []);
  writeFileSync(join(content, "layer1", "layer.tar"), layers[0]?.bytes ?? "");
  execFileSync("tar", ["-cf", join(folder, "changed.tar"), "-C", content, "."]);
  await assert.rejects(read(t, `docker-archive:${folder}/changed.tar`), {
    message: /^layer sha256:\w{12} from docker-archive:\S+ is damaged: it(?:s content has the digest| has)/,
  });
});

test("manifests that mean nothing, or two things, are refused", () => {
  const descriptor = { digest: `sha256:${"0".repeat(64)}`, size: 1 };
  for (const [value, why] of [
    [{ schemaVersion: 1 }, "a has a manifest of schema 1, which can't be read: push or mirror the image again"],
    [{ schemaVersion: 2, layers: [], manifests: [] }, "a is neither an image nor a list of images"],
    [
      { schemaVersion: 2, config: descriptor, layers: [{ ...descriptor, digest: "../x" }] },
      "a has a manifest with an invalid layer or config",
    ],
  ] as const)
    assert.throws(() => parseImageManifest(toBlob(value).bytes.toString(), "a"), { message: why });
});
