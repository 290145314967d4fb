import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { parseImageManifest } from "../../../src/release/image/image-manifest.ts";
import { createCredentialFinder } from "../../../src/release/image/registry/credential-files.ts";
import { readSignatureStore } from "../../../src/release/image/signature/signature-stores.ts";
import { noOpenssl } from "../../../verify/api-server/certificates.ts";
import { serve } from "../../support/cluster/mock-server.ts";
import { createTestAuthority, createTestFolder } from "../../support/registry.ts";
import { buildOptions, read } from "../../support/release/image/release.ts";

const DIGEST = `sha256:${"0".repeat(64)}`;

function formatManifest(sizes: readonly number[]): string {
  const describe = (size: number) => ({ digest: DIGEST, size });
  return JSON.stringify({ schemaVersion: 2, config: describe(1), layers: sizes.map(describe) });
}

test("an image with more than 4 GiB of layers is refused before any of them is read", () => {
  assert.equal(parseImageManifest(formatManifest([2 ** 31, 2 ** 31]), "a").kind, "image");
  assert.throws(() => parseImageManifest(formatManifest([2 ** 31, 2 ** 31, 1]), "a"), {
    message: "a has layers of more than 4 GiB, unlike any release image",
  });
});

test("a manifest that is nested without end is no image", () => {
  const deep = `{"schemaVersion": 2, "config": ${"[".repeat(100_000)}${"]".repeat(100_000)}, "layers": []}`;
  assert.throws(() => parseImageManifest(deep, "a"), { message: "a has a manifest with an invalid layer or config" });
});

test("an archive with more files than images have is refused", async (t) => {
  const entries = Array.from({ length: 10_001 }, (_, i) => ({ header: { name: `ignored ${i}`, size: 0 } }));
  const path = join(createTestFolder(t), "image.tar.gz");
  writeFileSync(path, gzipSync(await packTar(entries), { level: 1 }));
  for (const form of ["oci-archive", "docker-archive"])
    await assert.rejects(read(t, `${form}:${path}`), { message: `${form}:${path} has more than 10000 files` });
});

test("devices among credentials and signatures are refused", async () => {
  const find = createCredentialFinder({ env: {}, authFile: "/dev/zero", signal: new AbortController().signal });
  await assert.rejects(find("a", "b"), {
    message: "the credentials in /dev/zero can't be read (it is not a regular file)",
  });
});

test("a signature store as a folder may hold neither devices nor pipes", async (t) => {
  const store = createTestFolder(t);
  const folder = join(store, DIGEST.replace(":", "="));
  mkdirSync(folder);
  symlinkSync("/dev/zero", join(folder, "signature-1"));
  const { failure } = await readSignatureStore(store, DIGEST, buildOptions());
  assert.match(failure ?? "", /signature-1 can't be read \(it is not a regular file\)/);
});

test("of a long challenge for a login, an error quotes the beginning", { skip: noOpenssl }, async (t) => {
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("server");
  const challenge = `Negotiate ${"x".repeat(12_000)}`;
  const { port } = await serve(
    t,
    (_request, response) => void response.writeHead(401, { "www-authenticate": challenge }).end(),
    { cert, key },
  );
  await assert.rejects(read(t, `127.0.0.1:${port}/a/b:c`, { caFile: authority.ca.certFile }), {
    message: /^127\.0\.0\.1:\d+ asks for a way to log in that is not supported: Negotiate x{110}\.\.\.$/,
  });
});
