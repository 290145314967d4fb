import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { holdsCertificate } from "../../../../src/schema/crd/definition/certificates.ts";
import { createAuthority, noOpenssl } from "../../../../verify/api-server/certificates.ts";

describe("a caBundle", { skip: noOpenssl }, () => {
  let folder = "";
  let certificate = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "preflight-"));
    certificate = createAuthority(folder).ca.cert.trim();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const holds = (text: string): boolean => holdsCertificate(Buffer.from(text).toString("base64"));
  const garbled = (): string => certificate.replace(/\n[^-\n]+\n-----END/, "\n-----END");

  test("may hold other text, and malformed blocks beside a certificate", () => {
    assert.ok(holds(certificate));
    assert.ok(holds(`# our CA\n${certificate}\nand more`));
    assert.ok(holds(`${garbled()}\n${certificate}`));
    assert.ok(holds(certificate.replaceAll("\n", "\r\n")));
  });

  test("is refused without a certificate", () => {
    const named = certificate.replace("-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nName: value\n");
    const key = certificate.replaceAll("CERTIFICATE", "PRIVATE KEY");
    const withoutEnd = certificate.replace(/-----END.*$/, "");
    for (const text of ["", "\n", "text", garbled(), named, key, withoutEnd, `text${certificate}`])
      assert.equal(holds(text), false, text);
  });

  test("is refused if the signature names another algorithm than the certificate", () => {
    const der = Buffer.from(certificate.replaceAll(/-----[^-]*-----|\s/g, ""), "base64");
    const place = der.lastIndexOf(Buffer.from("06082a8648ce3d040302", "hex"));
    assert.ok(place > 0);
    der[place + 9] = 3;
    assert.equal(holds(`-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`), false);
  });
});
