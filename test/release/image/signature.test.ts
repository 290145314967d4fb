import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type SignatureVerdict, verifyRelease } from "../../../src/release/image/signature/release-signature.ts";
import {
  parseSignatureConfigMap,
  parseSignatureTrust,
} from "../../../src/release/image/signature/signature-config-maps.ts";
import { readSignatureStore } from "../../../src/release/image/signature/signature-stores.ts";
import { noOpenssl } from "../../../verify/api-server/certificates.ts";
import { serve } from "../../support/cluster/mock-server.ts";
import { buildClaim, createTestKey } from "../../../verify/signatures/openpgp.ts";
import { createTestAuthority, createTestFolder } from "../../support/registry.ts";
import * as gpg from "../../../verify/signatures/gpg-samples.ts";
import { buildOptions } from "../../support/release/image/release.ts";
import { readCpuSeconds } from "../../support/cpu-seconds.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
const DIGEST = gpg.SIGNED_DIGEST;
const key = createTestKey("Demo <demo@example.com>");
const other = createTestKey("Other <other@example.com>");

function verify(keyrings: readonly Buffer[], ...signatures: readonly Buffer[]): SignatureVerdict {
  const named = keyrings.map((bytes, index) => ({ name: `the cluster's verifier-public-key-${index}`, bytes }));
  const found = signatures.map((bytes, index) => ({ bytes, origin: `signature-${index + 1}` }));
  return verifyRelease(DIGEST, named, found, NOW);
}

function describe(verdict: SignatureVerdict): string {
  if (verdict.kind === "verified") return verdict.signers.map((signer) => signer.replace(/, \w+$/, "")).join("; ");
  return verdict.kind === "untrusted" ? `untrusted: ${verdict.signatures}` : verdict.why;
}

test("what gpg signs with a subkey is verified: compressed, as text, with an armored key", () => {
  const signers = ["Demo Releases <releases@example.com>, 5C2154673B7F820E4746C06CE3337EE786AAC623"];
  assert.deepEqual(verify([gpg.GPG_KEY], gpg.GPG_SIGNATURE), { kind: "verified", signers });
  assert.deepEqual(verify([gpg.GPG_KEY], gpg.GPG_TEXT_SIGNATURE), { kind: "verified", signers });
  assert.match(
    describe(verify([gpg.GPG_KEY], gpg.GPG_BZIP2_SIGNATURE)),
    /compressed in a way that is not supported \(3\)/,
  );
});

test("a megabyte that only begins like armor is read once, not once for each of its parts", () => {
  const before = readCpuSeconds();
  for (const part of [": ", "-----BEGIN PGP X-----\n\n", "x: -----BEGIN PGP X-----\n"]) {
    const text = `-----BEGIN PGP MESSAGE-----\n${part.repeat((1 << 20) / part.length)}`;
    assert.notEqual(verify([gpg.GPG_KEY], Buffer.from(text)).kind, "verified");
  }
  assert.ok(readCpuSeconds() - before < 10);
});

test("a revoked key does not count", () => {
  const why = "the cluster's verifier-public-key-0 has no RSA key that may sign";
  assert.equal(describe(verify([gpg.GPG_REVOKED_KEY], gpg.GPG_SIGNATURE)), why);
});

test("one changed byte anywhere in a signature or a key is never verified", () => {
  const plain = key.sign(buildClaim(DIGEST));
  for (const [keyring, signature] of [
    [key.keyring, plain],
    [gpg.GPG_KEY, gpg.GPG_TEXT_SIGNATURE],
  ] as const) {
    const verdicts = [...signature.keys()].map((index) => {
      const changed = Buffer.from(signature);
      changed[index] = (changed[index] ?? 0) ^ 0x01;
      return { index, verdict: verify([keyring], changed).kind };
    });
    // The message's time and file name, the one-pass packet and the unhashed parts are not signed; the verdict may only fall.
    const begin = signature.indexOf('{"critical"');
    const end = signature.indexOf("}}", signature.indexOf('"optional"')) + 2;
    assert.ok(begin >= 0 && end > begin + 100);
    const isSigned = (index: number): boolean => index >= begin && index < end;
    assert.deepEqual(
      verdicts.filter(({ index, verdict }) => isSigned(index) && verdict === "verified"),
      [],
    );
  }
});

test("one changed byte anywhere in a key, or a missing end, is a verdict and never an error", () => {
  const signature = key.sign(buildClaim(DIGEST));
  for (const index of key.keyring.keys()) {
    const changed = Buffer.from(key.keyring);
    changed[index] = (changed[index] ?? 0) ^ 0x01;
    // Only the bytes that preview the hash, and those of the issuer that nobody signed, may change without a trace.
    const verdict = verify([changed], signature);
    assert.ok(verdict.kind !== "verified" || index > key.keyring.length - 280, `${index}`);
    assert.notEqual(verify([key.keyring.subarray(0, index)], signature).kind, "verified");
  }
});

const keyText = (text: string): Buffer => key.sign(text);
const verdicts: readonly (readonly [string, readonly Buffer[], readonly Buffer[], RegExp])[] = [
  ["of a trusted key", [key.keyring], [key.sign(buildClaim(DIGEST))], /^Demo <demo@example.com>$/],
  ["with SHA-512", [key.keyring], [key.sign(buildClaim(DIGEST), { hash: "sha512" })], /^Demo/],
  ["of version 3", [key.keyring], [key.sign(buildClaim(DIGEST), { version: 3 })], /^Demo/],
  ["of another key", [key.keyring], [other.sign(buildClaim(DIGEST))], /^untrusted: 1$/],
  [
    "of another key and a trusted one",
    [key.keyring],
    [other.sign(buildClaim(DIGEST)), key.sign(buildClaim(DIGEST))],
    /^Demo/,
  ],
  [
    "of both keys, where both are required",
    [key.keyring, other.keyring],
    [key.sign(buildClaim(DIGEST)), other.sign(buildClaim(DIGEST))],
    /^Demo .*; Other/,
  ],
  [
    "of one key, where two are required",
    [key.keyring, other.keyring],
    [key.sign(buildClaim(DIGEST))],
    /^untrusted: 1$/,
  ],
  [
    "of either key of a keyring",
    [Buffer.concat([key.keyring, other.keyring])],
    [other.sign(buildClaim(DIGEST))],
    /^Other/,
  ],
  ["with SHA-1", [key.keyring], [key.sign(buildClaim(DIGEST), { hash: "sha1" })], /signature does not fit its content/],
  [
    "that has expired",
    [key.keyring],
    [key.sign(buildClaim(DIGEST), { lifetimeSeconds: 86_400 })],
    /signature has expired/,
  ],
  [
    "that has not expired yet",
    [key.keyring],
    [key.sign(buildClaim(DIGEST), { lifetimeSeconds: 2_000_000_000 })],
    /^Demo/,
  ],
  [
    "with an unknown critical part",
    [key.keyring],
    [key.sign(buildClaim(DIGEST), { criticalSubpacket: 99 })],
    /critical part that is not supported \(99\)/,
  ],
  ["that is a certification", [key.keyring], [key.sign(buildClaim(DIGEST), { type: 0x10 })], /not one over data/],
  ["of another image", [key.keyring], [key.sign(buildClaim(`sha256:${"b".repeat(64)}`))], /it is for another image/],
  [
    "of an image without a name",
    [key.keyring],
    [keyText(buildClaim(DIGEST).replace("quay.io/ocp/release:4.19.3", ""))],
    /it names no image/,
  ],
  [
    "of another kind",
    [key.keyring],
    [keyText(buildClaim(DIGEST).replace("atomic", "other"))],
    /not a container signature/,
  ],
  [
    "with a field that nobody knows",
    [key.keyring],
    [keyText(buildClaim(DIGEST, { more: 1 }))],
    /not a container signature/,
  ],
  ["of text", [key.keyring], [keyText("hello")], /not a container signature/],
  ["that is no message", [key.keyring], [Buffer.from("hello")], /not in the OpenPGP format/],
  ["that is empty", [key.keyring], [Buffer.alloc(0)], /not a message with one signature/],
  ["that ends early", [key.keyring], [key.sign(buildClaim(DIGEST)).subarray(0, -9)], /it ends early/],
  [
    "of a key that may only certify",
    [createTestKey("C", false).keyring],
    [key.sign(buildClaim(DIGEST))],
    /has no RSA key that may sign/,
  ],
  [
    "of a short key",
    [createTestKey("S", true, 1024).keyring],
    [key.sign(buildClaim(DIGEST))],
    /has no RSA key that may sign/,
  ],
  ["without a keyring", [Buffer.from("none")], [key.sign(buildClaim(DIGEST))], /verifier-public-key-0 can't be read/],
];

for (const [name, keyrings, signatures, outcome] of verdicts)
  test(`a signature ${name}: ${outcome.source}`, () => {
    assert.match(describe(verify(keyrings, ...signatures)), outcome);
  });

test("the cluster's ConfigMaps name keys and stores, and hold signatures", () => {
  const data = {
    "verifier-public-key-redhat": "KEY",
    "store-b": "https://b.example/ ",
    "store-a": "https://a.example",
    other: "x",
  };
  const { keyrings, stores } = parseSignatureTrust({ data });
  assert.deepEqual(keyrings, [{ name: "the cluster's verifier-public-key-redhat", bytes: Buffer.from("KEY") }]);
  assert.deepEqual(stores, ["https://a.example", "https://b.example/"]);
  const binaryData = { [`${DIGEST.replace(":", "-")}-1`]: "AAE=", "sha256-b-1": "AAE=" };
  const metadata = { namespace: "openshift-config-managed", name: "mirrored" };
  assert.deepEqual(parseSignatureConfigMap({ metadata, binaryData }, DIGEST), [
    {
      bytes: Buffer.from([0, 1]),
      origin: `${DIGEST.replace(":", "-")}-1 in ConfigMap openshift-config-managed/mirrored`,
    },
  ]);
});

test(
  "a store is a folder or a URL, read until the first number without a signature",
  { skip: noOpenssl },
  async (t) => {
    const folder = createTestFolder(t);
    const path = join(folder, DIGEST.replace(":", "="));
    mkdirSync(path);
    for (const number of [1, 2, 4]) writeFileSync(join(path, `signature-${number}`), `${number}`);
    const options = buildOptions();
    const local = await readSignatureStore(`${folder}/`, DIGEST, options);
    assert.deepEqual(
      local.signatures.map(({ bytes }) => bytes.toString()),
      ["1", "2"],
    );
    const authority = createTestAuthority(t);
    const { cert, key: secret } = authority.issue("store");
    const server = await serve(
      t,
      ({ url }, response) => {
        const isFirst = url === `/signatures/${DIGEST.replace(":", "=")}/signature-1`;
        response.writeHead(isFirst ? 200 : 404).end(isFirst ? "signed" : "none");
      },
      { cert, key: secret },
    );
    const remote = { ...options, caFile: authority.ca.certFile };
    const { signatures } = await readSignatureStore(`${server.url}/signatures`, DIGEST, remote);
    assert.deepEqual(
      signatures.map(({ bytes }) => bytes.toString()),
      ["signed"],
    );
    assert.deepEqual(await readSignatureStore("https://127.0.0.1:9", DIGEST, remote), {
      signatures: [],
      failure: "127.0.0.1:9 refused the connection",
    });
  },
);
