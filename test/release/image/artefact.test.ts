import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { ARTEFACT_TYPE, type ArtefactFile, packArtefact } from "../../../src/release/image/artefact.ts";
import { readArtefact } from "../../../src/release/image/read-artefact.ts";
import type { ImageOptions } from "../../../src/release/image/image-options.ts";
import { parseImageReference } from "../../../src/release/image/reference.ts";
import { createTemporaryCache } from "../../../src/release/image/image-cache.ts";
import { computeDigest, pushImage, toBlob, type Layer, type TestImage } from "../../support/image-builder.ts";
import { writeLayout } from "../../support/oci-layout.ts";
import { createTestAuthority, createTestFolder, noRegistry, startRegistry } from "../../support/registry.ts";
import { buildOptions } from "../../support/release/image/release.ts";

const FILES: readonly ArtefactFile[] = [
  { path: "bugs.yaml", text: "- {id: one}\n" },
  { path: "list.yaml", text: `# ${"x".repeat(200_000)}\nkind: KnownBugs\n` },
  { path: "some/cases/risk-one.yaml", text: "source: 4.20.1\n" },
];
const CONFIG = { name: "test", date: "2026-11-01" };

async function read(t: TestContext, reference: string, more: Partial<ImageOptions> = {}) {
  const cache = createTemporaryCache();
  t.after(() => cache.close());
  return readArtefact(parseImageReference(reference), reference, cache, buildOptions(more));
}

function write(t: TestContext, bytes: Uint8Array, name = "bugs.tar"): string {
  const path = join(createTestFolder(t), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

test("an artefact is read as it was packed, and the same files give the same bytes", async (t) => {
  const packed = await packArtefact(FILES, CONFIG, "2026-11-01");
  assert.deepEqual(await packArtefact(FILES.toReversed(), CONFIG, "2026-11-01"), packed);
  const { digest, config, files } = await read(t, `oci-archive:${write(t, packed.tar)}`);
  assert.deepEqual({ digest, config, files }, { digest: packed.digest, config: CONFIG, files: FILES });
  assert.equal(packed.digest, "sha256:8500a5df49814834e1c2c5cb86710e70696e589b20120bfef267c00360612d46");
});

test("no byte of an artefact can change unseen", async (t) => {
  const { tar, digest } = await packArtefact(FILES.slice(0, 1), CONFIG, "2026-11-01");
  const path = write(t, tar);
  // One byte of each stretch: the headers, the index, and each blob.
  let refused = 0;
  for (let i = 7; i < tar.length; i += 211) {
    const changed = Buffer.from(tar);
    changed[i] = (changed[i] ?? 0) ^ 1;
    writeFileSync(path, changed);
    const result = await read(t, `oci-archive:${path}`).catch(() => undefined);
    if (result === undefined) refused += 1;
    else assert.deepEqual([result.digest, result.files], [digest, FILES.slice(0, 1)], `byte ${i}`);
  }
  assert.ok(refused > 10, `${refused} refused`);
});

/** An image of one layer, of the artefact's type unless another is given. */
function buildImage(layer: Buffer, artifactType: string | undefined = ARTEFACT_TYPE): TestImage {
  const blob: Layer = { digest: computeDigest(layer), bytes: layer, diffId: computeDigest(layer) };
  const config = toBlob(CONFIG);
  const describe = (one: { readonly digest: string; readonly bytes: Buffer }) => ({
    mediaType: "application/octet-stream",
    digest: one.digest,
    size: one.bytes.length,
  });
  const manifestType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = toBlob({
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType,
    config: describe(config),
    layers: [describe(blob)],
  });
  return { manifest, manifestType, config, layers: [blob] };
}

type Entry = { readonly name: string; readonly type?: "file" | "symlink" | "link"; readonly linkname?: string };

async function buildLayer(entries: readonly Entry[], size = 0): Promise<Buffer> {
  const body = Buffer.alloc(size);
  const tar = await packTar(entries.map((entry) => ({ header: { size, mtime: new Date(0), ...entry }, body })));
  return gzipSync(tar, { level: 1 });
}

const HOSTILE: readonly (readonly [what: string, layer: () => Promise<Buffer>, message: RegExp])[] = [
  ["a path out of the folder", () => buildLayer([{ name: "../bugs.yaml" }]), /its entry "\.\.\/bugs\.yaml" is a path/],
  ["an absolute path", () => buildLayer([{ name: "/etc/bugs.yaml" }]), /is a path that leads elsewhere/],
  ["a hidden file", () => buildLayer([{ name: ".bugs.yaml" }]), /is a path that leads elsewhere/],
  [
    "a link",
    () => buildLayer([{ name: "bugs.yaml", type: "symlink", linkname: "/etc/passwd" }]),
    /its entry "bugs\.yaml" is no regular file/,
  ],
  ["a hard link", () => buildLayer([{ name: "b.yaml", type: "link", linkname: "a.yaml" }]), /is no regular file/],
  ["the same file twice", () => buildLayer([{ name: "a.yaml" }, { name: "a.yaml" }]), /has the file a\.yaml twice/],
  ["endless zeros", async () => gzipSync(await buildZeros()), /unpacks to more than 16 MiB/],
  [
    "thousands of files",
    () => buildLayer(Array.from({ length: 5_001 }, (_, i) => ({ name: `bug-${i}.yaml` }))),
    /has more than 5000 files/,
  ],
  ["no tar", async () => gzipSync("bugs"), /is damaged/],
];

/** More than an artefact may unpack to; what is left of it is never read. */
async function buildZeros(): Promise<Uint8Array> {
  return packTar([{ header: { name: "bugs.yaml", size: 20 << 20 }, body: new Uint8Array(20 << 20) }]);
}

for (const [what, build, message] of HOSTILE)
  test(`an artefact with ${what} is refused`, async (t) => {
    const folder = writeLayout(createTestFolder(t), { latest: buildImage(await build()) });
    await assert.rejects(read(t, `oci:${folder}`), message);
  });

test("another image, and content that is too large, are refused before they are read", async (t) => {
  const layer = await buildLayer([{ name: "bugs.yaml" }]);
  const other = writeLayout(createTestFolder(t), { latest: buildImage(layer, "application/x-other") });
  await assert.rejects(read(t, `oci:${other}`), /its type is application\/x-other/);
  const large = writeLayout(createTestFolder(t), { latest: buildImage(Buffer.alloc((4 << 20) + 1)) });
  await assert.rejects(read(t, `oci:${large}`), /has a layer of more than 4 MiB/);
  const archive = write(t, await buildZeros());
  await assert.rejects(read(t, `oci-archive:${archive}`), /unpacks to more than 16 MiB/);
});

test("in a registry the digest decides, whatever a tag or a mirror names", { skip: noRegistry }, async (t) => {
  const authority = createTestAuthority(t);
  const { host, push, blobFile } = await startRegistry(t, { authority });
  const images = await Promise.all(
    ["one.yaml", "two.yaml"].map(async (name) => buildImage(await buildLayer([{ name }]))),
  );
  for (const image of images) await pushImage(push, "lists/bugs", "latest", image);
  const [first, second] = images;
  assert.ok(first && second);
  const options = { caFile: authority.ca.certFile };
  const named = await read(t, `${host}/lists/bugs:latest@${first.manifest.digest}`, options);
  assert.deepEqual([named.digest, named.files.map(({ path }) => path)], [first.manifest.digest, ["one.yaml"]]);
  const mirrors = [{ source: "quay.io/team", mirror: `${host}/lists`, for: "all" as const, isSourceForbidden: true }];
  const mirrored = await read(t, `quay.io/team/bugs@${second.manifest.digest}`, { ...options, mirrors });
  assert.deepEqual(
    mirrored.files.map(({ path }) => path),
    ["two.yaml"],
  );
  const [layer] = second.layers;
  assert.ok(layer);
  writeFileSync(blobFile(layer.digest), Buffer.from(readFileSync(blobFile(layer.digest)).map((byte) => byte ^ 1)));
  await assert.rejects(read(t, `${host}/lists/bugs@${second.manifest.digest}`, options), /layer sha256:\w+ .*damaged/);
});

test("what was read once needs no registry any more", async (t) => {
  const cache = createTemporaryCache();
  const { tar, digest } = await packArtefact(FILES, CONFIG, "2026-11-01");
  const path = write(t, tar);
  const local = await readArtefact(parseImageReference(`oci-archive:${path}`), path, cache, buildOptions());
  const away = parseImageReference(`registry.example.com/bugs@${digest}`);
  assert.deepEqual(await readArtefact(away, "away", cache, buildOptions()), local);
  cache.close();
});
