import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { redact } from "../../src/cluster/recorded/redact.ts";
import type { Json } from "../../src/model/json.ts";

const JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzb21lb25lIn0.c2lnbmF0dXJl";
const PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----";
const CERT = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const base64 = (text: string | Buffer): string => Buffer.from(text).toString("base64");
const R = "REDACTED";

const REPLACED: readonly (readonly [what: string, before: Json, after: Json])[] = [
  [
    "values of sensitive keys",
    { password: "a", clientSecret: "b", api_key: "c", "x.dockerconfigjson": "d" },
    { password: R, clientSecret: R, api_key: R, "x.dockerconfigjson": R },
  ],
  ["lists under such keys", { tokens: ["a"], token: ["a", 1] }, { tokens: ["a"], token: [R, 1] }],
  [
    "variables with sensitive names",
    {
      env: [
        { name: "DB_PASSWORD", value: "a" },
        { name: "PORT", value: "1" },
      ],
    },
    {
      env: [
        { name: "DB_PASSWORD", value: R },
        { name: "PORT", value: "1" },
      ],
    },
  ],
  ["private keys", { a: `x ${PEM} ${CERT}` }, { a: `x ${R} ${CERT}` }],
  ["private keys in base64", { a: base64(PEM), b: base64(CERT) }, { a: R, b: base64(CERT) }],
  [
    "JWTs and bearer tokens",
    { a: `x ${JWT}`, b: "curl -H Bearer abcdefghijklmnopqrstuvwx" },
    { a: `x ${R}`, b: `curl -H Bearer ${R}` },
  ],
  [
    "credentials in URLs",
    { a: "see https://me:pw@host/x and https://host/a@b" },
    { a: `see https://${R}@host/x and https://host/a@b` },
  ],
  ["OAuth tokens", { a: "sha256~abcdefghijklmnopqrstuvwxyz012345" }, { a: R }],
  [
    "pull secrets",
    { a: '{"auths":{"r.io":{"auth":"dTpw","email":"a@b"}}}' },
    { a: `{"auths":{"r.io":{"auth":"${R}","email":"a@b"}}}` },
  ],
  [
    "assignments in texts",
    { a: "host: x\n  password: hunter2\nDB_TOKEN=abc\nport: 1\n" },
    { a: `host: x\n  password: ${R}\nDB_TOKEN=${R}\nport: 1\n` },
  ],
  [
    "arguments",
    { args: ["--token=abc", "--token-file=/x", "--v=2"] },
    { args: [`--token=${R}`, "--token-file=/x", "--v=2"] },
  ],
  [
    "files in MachineConfigs",
    { a: `data:;base64,${base64(PEM)}`, b: "data:,password%3A%20x", c: "data:,ok" },
    { a: `data:,${R}`, b: `data:,${R}`, c: "data:,ok" },
  ],
  [
    "compressed files",
    { a: `data:;base64,${base64(gzipSync(PEM))}`, b: `data:;base64,${base64(gzipSync("ok"))}` },
    { a: `data:,${R}`, b: `data:;base64,${base64(gzipSync("ok"))}` },
  ],
];

for (const [what, before, after] of REPLACED) {
  test(`replaces ${what}`, () => {
    assert.deepEqual(redact({ spec: before }), { spec: after });
  });
}

const KEPT: readonly Json[] = [
  {
    secretRef: { name: "s", key: "token" },
    secretName: "s",
    imagePullSecrets: [{ name: "p" }],
    credentialsMode: "Manual",
  },
  {
    tokenConfig: { accessTokenMaxAgeSeconds: 0 },
    token: 1,
    password: true,
    secret: null,
    credentials: "",
    tokenFile: "/x",
  },
  { serviceAccountToken: { path: "token", audience: "a" }, authorization: { type: "RBAC" }, auth: "none" },
  { "config.yaml": "enableUserWorkload: true\nprometheusK8s:\n  retention: 15d\n", ca: CERT },
  {
    image: "quay.io/a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    url: "https://a.b/c",
  },
  { rules: [{ rule: "self.token == oldSelf.token", message: "token is immutable" }] },
  { text: "password:\n  name: x\n", other: "secret: {name: x}\ntoken: |\n" },
];

for (const spec of KEPT) {
  test(`keeps ${JSON.stringify(spec).slice(0, 60)}`, () => {
    assert.deepEqual(redact({ spec }), { spec });
  });
}

test("drops managed fields and the last applied configuration, and only those", () => {
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "{}", a: "b" };
  const metadata = { name: "n", managedFields: [{ manager: "m" }], annotations };
  assert.deepEqual(redact({ metadata }), { metadata: { name: "n", annotations: { a: "b" } } });
});

test("leaves schemas unchanged", () => {
  const schema = { properties: { password: { default: "x", description: "Bearer abcdefghijklmnopqrstuvwxyz" } } };
  const crd = { kind: "CustomResourceDefinition", metadata: { name: "n" }, spec: { password: "x", schema } };
  assert.deepEqual(redact(crd), crd);
});

test("takes time proportional to a text's length", () => {
  const texts = ["-".repeat(300_000), "a-".repeat(150_000), `"${"a".repeat(300_000)}`, `eyJ${"a.".repeat(150_000)}`];
  const more = ["a+".repeat(150_000), "://".repeat(100_000), `${"\t ".repeat(150_000)}x`, `${"token".repeat(60_000)}`];
  for (const text of [...texts, ...more]) {
    const before = process.cpuUsage();
    redact({ a: text });
    const { user } = process.cpuUsage(before);
    assert.ok(user < 20_000_000, `${text.slice(0, 10)}: ${user} us`);
  }
});

test("replaces secrets in YAML flow mappings", () => {
  const texts = [
    [
      "remoteWrite: [{basicAuth: {username: u, password: hunter2 and more}}]",
      "remoteWrite: [{basicAuth: {username: u, password: REDACTED}}]",
    ],
    ['auth: {token: "a, b}", url: x}', "auth: {token: REDACTED, url: x}"],
    ["auth: {'password': 'it''s', other: 1}", "auth: {'password': REDACTED, other: 1}"],
    ["auth: {passwordFile: /etc/x, secretName: s}", "auth: {passwordFile: /etc/x, secretName: s}"],
  ];
  for (const [text = "", expected] of texts) {
    const redacted = redact({ apiVersion: "v1", kind: "ConfigMap", data: { "config.yaml": text } });
    assert.deepEqual(redacted["data"], { "config.yaml": expected });
  }
});
