import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseCertificates } from "../../../src/network/certificates.ts";
import { openCertificates } from "../../../src/release/image/registry/agents.ts";
import { noOpenssl } from "../../../verify/api-server/certificates.ts";
import { createTestAuthority, createTestFolder } from "../../support/registry.ts";

const DAMAGED = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

test("of a cluster's bundle, every certificate counts that is one", { skip: noOpenssl }, (t) => {
  const { cert } = createTestAuthority(t).ca;
  assert.deepEqual(parseCertificates(`# a\n${cert}\n${DAMAGED}${cert.trim()}-----BEGIN CERTIFICATE-----`), [
    cert.trim(),
    cert.trim(),
  ]);
  assert.deepEqual(parseCertificates(DAMAGED), []);
});

test("a bundle of beginnings without an end takes no time", () => {
  assert.deepEqual(parseCertificates("-----BEGIN CERTIFICATE-----".repeat(40_000)), []);
});

test("a damaged certificate in the file of --registry-ca is named", { skip: noOpenssl }, async (t) => {
  const file = join(createTestFolder(t), "ca.pem");
  writeFileSync(file, `${createTestAuthority(t).ca.cert}${DAMAGED}`);
  await assert.rejects(openCertificates({ env: {}, caFile: file }), {
    message: `--registry-ca ${file} has a damaged certificate: number 2 of 2`,
  });
});
