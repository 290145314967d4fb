import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { parseMirror } from "../../../src/release/image/mirrors.ts";
import type { CertificateAuthority } from "../../../verify/api-server/certificates.ts";
import { METADATA } from "../../support/release/payload/payload-folder.ts";
import { buildImage, buildImageList, buildLayer, pushImage, pushImageList } from "../../support/image-builder.ts";
import {
  type Registry,
  createTestAuthority,
  createTestFolder,
  noRegistry,
  startRegistry,
} from "../../support/registry.ts";
import {
  OPERATOR_FILES,
  RELEASE_FILES,
  buildReleaseLayers,
  read,
  readManifests,
} from "../../support/release/image/release.ts";

const options = { skip: noRegistry };

async function start(
  t: TestContext,
): Promise<Registry & { readonly authority: CertificateAuthority; readonly caFile: string }> {
  const authority = createTestAuthority(t);
  return { ...(await startRegistry(t, { authority })), authority, caFile: authority.ca.certFile };
}

/** The files of a cache, which hold nothing but what is whole. */
function listCache(folder: string): readonly string[] {
  return readdirSync(join(folder, "preflight"), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.parentPath.includes("/releases/"))
    .map(({ name }) => name);
}

test("a release image is read by its tag, over TLS with an authority of its own", options, async (t) => {
  const { host, push, caFile } = await start(t);
  const image = buildImage(await buildReleaseLayers());
  await pushImage(push, "ocp/release", "4.19.3", image);
  const release = await read(t, `${host}/ocp/release:4.19.3`, { caFile });
  assert.equal(release.pullSpec, `${host}/ocp/release@${image.manifest.digest}`);
  const { version, kind, manifests, problems } = await readManifests(release);
  assert.deepEqual([version.text, kind, problems], ["4.19.3", "payload", []]);
  assert.deepEqual(
    manifests.map(({ file }) => file),
    [
      "release-manifests/0000_10_demo_01_boxes.crd.yaml",
      "manifests/0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml",
      "manifests/0000_00_cluster-version-operator_30_deployment.yaml",
    ],
  );
});

test("an image that was read by its digest needs no registry any more", options, async (t) => {
  const { host, push, caFile } = await start(t);
  const image = buildImage(await buildReleaseLayers("zstd"), "oci");
  await pushImage(push, "ocp/release", "4.19.3", image);
  const cache = createTestFolder(t);
  const first = await read(t, `${host}/ocp/release@${image.manifest.digest}`, { caFile, cache });
  const again = await read(t, `127.0.0.1:9/ocp/release@${image.manifest.digest}`, { cache });
  assert.equal(again.folder, first.folder);
  writeFileSync(join(first.folder, "release-manifests", "image-references"), "{}");
  const renewed = await read(t, `${host}/ocp/release@${image.manifest.digest}`, { caFile, cache });
  assert.deepEqual((await readManifests(renewed)).problems, []);
});

test("a list of images gives the one for --arch, and its own digest is what a signature signs", options, async (t) => {
  const { host, push, caFile } = await start(t);
  const build = async (architecture: string, name: string) => {
    const [base, operator] = await buildReleaseLayers();
    const top = await buildLayer({
      ...RELEASE_FILES,
      [`release-manifests/${name}.yaml`]: "{kind: A, apiVersion: v1, metadata: {name: a}}",
    });
    const image = buildImage([...(base ? [base] : []), ...(operator ? [operator] : []), top], "docker", architecture);
    await pushImage(push, "ocp/release", image.manifest.digest, image);
    return image;
  };
  const list = buildImageList({ amd64: await build("amd64", "intel"), arm64: await build("arm64", "arm") });
  await pushImageList(push, "ocp/release", "multi", list);
  const reference = `${host}/ocp/release:multi`;
  for (const [arch, name] of [
    ["aarch64", "arm"],
    [undefined, "intel"],
  ] as const) {
    const release = await read(t, reference, { caFile, ...(arch ? { arch } : {}) });
    const { manifests } = await readManifests(release);
    assert.equal(release.digest, list.digest);
    assert.ok(manifests.some(({ file }) => file === `release-manifests/${name}.yaml`));
  }
  await assert.rejects(read(t, reference, { caFile, arch: "s390x" }), {
    message: `${reference} has images for amd64 and arm64 only, and none for --arch s390x`,
  });
});

test("layers below those with manifests are not fetched", options, async (t) => {
  const { host, push, caFile, blobFile } = await start(t);
  const image = buildImage(await buildReleaseLayers());
  await pushImage(push, "ocp/release", "4.19.3", image);
  rmSync(blobFile(image.layers[0]?.digest ?? ""));
  assert.deepEqual((await readManifests(await read(t, `${host}/ocp/release:4.19.3`, { caFile }))).problems, []);
});

test("what a registry lacks is named, and nothing of the image stays in the cache", options, async (t) => {
  const { host, push, caFile, blobFile } = await start(t);
  const image = buildImage(await buildReleaseLayers());
  await pushImage(push, "ocp/release", "4.19.3", image);
  const cache = createTestFolder(t);
  const name = `${host}/ocp/release`;
  const absent = `sha256:${"0".repeat(64)}`;
  await assert.rejects(read(t, `${name}:4.19.4`, { caFile, cache }), {
    message: `${name} does not have the tag 4.19.4`,
  });
  await assert.rejects(read(t, `${name}@${absent}`, { caFile, cache }), {
    message: `${name} does not have the image ${absent}`,
  });
  const operator = image.layers[1]?.digest ?? "";
  rmSync(blobFile(operator));
  await assert.rejects(read(t, `${name}:4.19.3`, { caFile, cache }), {
    message: `${name} lacks the layer ${operator.slice(0, 19)} of the image: push or mirror the image again`,
  });
  assert.deepEqual(listCache(cache), []);
});

test("a layer with other content is refused, and another mirror's is taken", options, async (t) => {
  const { host, push, caFile, blobFile, authority } = await start(t);
  const mirror = await startRegistry(t, { authority });
  const image = buildImage(await buildReleaseLayers());
  for (const one of [push, mirror.push]) await pushImage(one, "ocp/release", "4.19.3", image);
  const operator = image.layers[1]?.digest ?? "";
  const changed = await buildLayer({ ...OPERATOR_FILES, "manifests/planted.yaml": METADATA });
  writeFileSync(blobFile(operator), changed.bytes);
  const cache = createTestFolder(t);
  const reference = `${host}/ocp/release@${image.manifest.digest}`;
  await assert.rejects(read(t, reference, { caFile, cache }), {
    message: new RegExp(`^layer ${operator.slice(0, 19)} from ${host}/ocp/release is damaged: it has `),
  });
  assert.deepEqual(listCache(cache), []);
  const release = await read(t, reference, { caFile, cache, mirrors: [parseMirror(`${host}/ocp=${mirror.host}/ocp`)] });
  assert.equal(release.digest, image.manifest.digest);
  assert.ok(!listCache(cache).includes("planted.yaml"));
});

test("a manifest with other content is refused", options, async (t) => {
  const { host, push, caFile, blobFile } = await start(t);
  const image = buildImage(await buildReleaseLayers());
  await pushImage(push, "ocp/release", "4.19.3", image);
  writeFileSync(
    blobFile(image.manifest.digest),
    image.manifest.bytes.toString().replace('"schemaVersion":2', '"schemaVersion": 2'),
  );
  await assert.rejects(read(t, `${host}/ocp/release@${image.manifest.digest}`, { caFile }), {
    message:
      /^the manifest of the image sha256:\w{64} from [\d.:]+\/ocp\/release is damaged: its content has the digest/,
  });
});

test("a mirror comes first; its failure and the source's are both named", options, async (t) => {
  const { host, push, caFile } = await start(t);
  const image = buildImage(await buildReleaseLayers());
  await pushImage(push, "mirror/release", "4.19.3", image);
  const mirrors = [parseMirror(`127.0.0.1:9/ocp=${host}/mirror`)];
  const release = await read(t, "127.0.0.1:9/ocp/release:4.19.3", { caFile, mirrors });
  assert.equal(release.digest, image.manifest.digest);
  await assert.rejects(read(t, "127.0.0.1:9/ocp/release:4.19.4", { caFile, mirrors }), {
    message: `${host}/mirror/release does not have the tag 4.19.4; 127.0.0.1:9 refused the connection`,
  });
});

test("a registry whose certificate is not trusted is not read", options, async (t) => {
  const { host } = await start(t);
  await assert.rejects(read(t, `${host}/ocp/release:4.19.3`), {
    message: /: its certificate is not trusted \(\w+\): give its certificate authority with --registry-ca$/,
  });
});

test("an image without a release's manifests is refused", options, async (t) => {
  const { host, push, caFile } = await start(t);
  await pushImage(push, "ocp/other", "1", buildImage([await buildLayer(OPERATOR_FILES)]));
  await assert.rejects(read(t, `${host}/ocp/other:1`, { caFile }), {
    message: `${host}/ocp/other:1 is not a release image: none of its layers has release-manifests/release-metadata`,
  });
});
