import { strict as assert } from "node:assert";
import { test } from "node:test";
import { parseCertificate } from "../../../src/encoding/certificates.ts";
import { testFunction } from "../../support/data-checks/function-cases.ts";
import SAMPLES from "../../support/data-checks/certificates.json" with { type: "json" };

for (const { pem, ...said } of SAMPLES) {
  test(`says of a certificate with ${said.keyType} and ${said.signatureAlgorithm} what Go's crypto/x509 says`, () => {
    assert.deepEqual(parseCertificate(pem.join("\n")), said);
  });
}

const [authority, , leaf] = SAMPLES.map(({ pem }) => `${pem.join("\n")}\n`);
const OBJECT = {
  bundle: `# a comment\n${authority}\n${leaf}`,
  encoded: Buffer.from(leaf ?? "").toString("base64"),
  key: `${leaf}-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n`,
  cut: `${leaf}${leaf?.slice(0, 200)}`,
  damaged: `${leaf}${leaf?.replace("MII", "MIA")}`,
};

testFunction(
  "certificates",
  [
    ["certificates(object.bundle).map(c, c.keyType)", '["RSA 2048", "RSA 1024"]'],
    ["certificates(object.bundle).map(c, c.isCA)", "[true, false]"],
    ["certificates(object.bundle)[1].names", '["a.example.com", "10.0.0.1", "2001:db8::1"]'],
    ["certificates(object.bundle)[1].notAfter", 'timestamp("2027-01-01T00:00:00Z")'],
    ["certificates(object.bundle).exists(c, c.notAfter - c.notBefore > duration('9000h'))", "true"],
    ["certificates(base64.decode(object.encoded)).map(c, c.signatureAlgorithm)", '["SHA256-RSA"]'],
    ["certificates(string(base64.decode(object.encoded)))[0].subject", '"O=Example\\\\, Inc, CN=a.example.com"'],
    ["certificates('')", "[]"],
    ["certificates('\\n')", "[]"],
    ["certificates(object.key)", "error: the text holds a private key"],
    ["certificates(object.cut)", "error: certificate 2 of the text can't be read"],
    ["certificates(object.damaged)", "error: certificate 2 of the text can't be read"],
    ["certificates(object.encoded)", "error: the text holds no certificate in PEM"],
    ["certificates(dyn(1))", "error: no such overload"],
    ["certificates(1)", "fault: certificates does not accept (int)"],
  ],
  OBJECT,
);
