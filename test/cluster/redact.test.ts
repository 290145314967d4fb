import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { redact } from "../support/recording-redaction.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";

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
  ["lists under such keys", { tokens: ["a"], token: ["a", 1] }, { tokens: [R], token: [R, 1] }],
  [
    "variables, except the one that preflight reads",
    {
      env: [
        { name: "PORT", value: "1" },
        { name: "CLUSTER_PROFILE", value: "self-managed-high-availability" },
        { name: "DB", valueFrom: { secretKeyRef: { name: "db", key: "token" } } },
      ],
    },
    {
      env: [
        { name: "PORT", value: R },
        { name: "CLUSTER_PROFILE", value: "self-managed-high-availability" },
        { name: "DB", valueFrom: { secretKeyRef: { name: "db", key: "token" } } },
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
    { a: `{"auths":{"r.io":{"auth":"${R}","email":"${R}"}}}` },
  ],
  [
    "assignments in texts",
    { a: "host: x\n  password: hunter2\nDB_TOKEN=abc\nport: 1\n" },
    { a: `host: x\n  password: ${R}\nDB_TOKEN=${R}\nport: 1\n` },
  ],
  [
    "arguments",
    { args: ["--token=abc", "-p", "hunter2"], command: ["sh", "-c", "login me hunter2"], arguments: ["--token=abc"] },
    { args: [R, R, R], command: [R, R, R], arguments: [R] },
  ],
  [
    "files in MachineConfigs",
    { a: `data:;base64,${base64(PEM)}`, b: "data:,password%3A%20x", c: "data:,ok" },
    { a: `data:,${R}`, b: `data:,${R}`, c: "data:,ok" },
  ],
  [
    "settings with sensitive names",
    {
      settings: [
        { name: "DB_PASSWORD", value: "a" },
        { name: "PORT", value: "1" },
      ],
    },
    {
      settings: [
        { name: "DB_PASSWORD", value: R },
        { name: "PORT", value: "1" },
      ],
    },
  ],
  [
    "headers",
    { headers: { "X-Key": "a" }, httpHeaders: [{ name: "X-Key", value: "a" }] },
    { headers: { "X-Key": R }, httpHeaders: [{ name: "X-Key", value: R }] },
  ],
  [
    "what stands below a sensitive key, except references",
    { credentials: { user: "me", name: "s", key: "k" }, dbPass: "a", bypass: "b" },
    { credentials: { user: R, name: "s", key: "k" }, dbPass: R, bypass: "b" },
  ],
  [
    "files, users and hashes of MachineConfigs, except what checks read",
    {
      passwd: { users: [{ name: "core", passwordHash: "x" }] },
      files: [
        { path: "/var/lib/kubelet/config.json", contents: { source: "data:,plain" } },
        { path: "/etc/crio/crio.conf.d/a", contents: { source: "data:,plain" } },
      ],
    },
    {
      passwd: { users: [{ name: R, passwordHash: R }] },
      files: [
        { path: "/var/lib/kubelet/config.json", contents: { source: R } },
        { path: "/etc/crio/crio.conf.d/a", contents: { source: "data:,plain" } },
      ],
    },
  ],
  [
    "credentials in queries and addresses of databases",
    { a: "https://h/p?x=1&access_token=abc&y=2", b: "me:pw@tcp(db:3306)/x" },
    { a: `https://h/p?x=1&access_token=${R}&y=2`, b: `${R}@tcp(db:3306)/x` },
  ],
  [
    "annotations below spec",
    { template: { metadata: { annotations: { a: "b", "machineconfiguration.openshift.io/state": "Done" } } } },
    { template: { metadata: { annotations: { a: R, "machineconfiguration.openshift.io/state": "Done" } } } },
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
  { "ack-5.0-token": "true", password: "false" },
  { text: "password:\n  name: x\n", other: "secret: {name: x}\ntoken: |\n" },
];

for (const spec of KEPT) {
  test(`keeps ${JSON.stringify(spec).slice(0, 60)}`, () => {
    assert.deepEqual(redact({ spec }), { spec });
  });
}

test("keeps the writers of fields, the applied type, the keys of annotations and the values that checks read", () => {
  const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
  const applied = { apiVersion: "batch/v1beta1", kind: "CronJob", spec: { note: "hunter2" } };
  const managedFields = [{ manager: "m", time: "2026-01-01T00:00:00Z", fieldsV1: { "f:spec": { ".": {} } } }];
  const common = { name: "n", labels: { app: "a" }, managedFields, deletionTimestamp: "2026-01-01T00:00:00Z" };
  const annotations = {
    a: "b",
    time: "2026-01-01T00:00:00Z",
    "olm.properties": '[{"value":{"token":"x"}}]',
    [LAST_APPLIED]: JSON.stringify(applied),
  };
  assert.deepEqual(redact({ metadata: { ...common, selfLink: "/x", annotations } }), {
    metadata: {
      ...common,
      managedFields: [{ manager: "m", time: "2026-01-01T00:00:00Z", fieldsV1: { "f:spec": {} } }],
      annotations: {
        a: R,
        time: "2026-01-01T00:00:00Z",
        "olm.properties": `[{"value":{"token":"${R}"}}]`,
        [LAST_APPLIED]: '{"apiVersion":"batch/v1beta1","kind":"CronJob"}',
      },
    },
  });
});

test("keeps only the fields of Kubernetes' own kinds that checks read", () => {
  const container = { name: "c", image: "i", env: [{ name: "A", value: "x" }], args: ["x"], workingDir: "/x" };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [container], hostAliases: [{ ip: "1" }], volumes: [{ name: "v", configMap: { name: "m" } }] },
    status: { phase: "Running", podIP: "10.0.0.1" },
  };
  assert.deepEqual(redact(pod), {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "i", env: [{ name: "A", value: R }] }], volumes: [{ name: "v" }] },
    status: { phase: "Running" },
  });
});

test("keeps the keys of a ConfigMap, and only the values that checks read", () => {
  const data = { "config.yaml": "a: b", notes: "hunter2" };
  const build = (namespace: string, values: Json): JsonObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name: "cluster-monitoring-config" },
    data: values,
  });
  assert.deepEqual(
    redact(build("openshift-monitoring", data)),
    build("openshift-monitoring", { "config.yaml": `a: ${R}`, notes: R }),
  );
  assert.deepEqual(redact(build("mine", data)), build("mine", { "config.yaml": R, notes: R }));
});

test("keeps what judges objects of a CRD's schemas, and redacts what people wrote", () => {
  const rules = {
    pattern: "^eyJ[a-z]+$",
    enum: ["token=abc123"],
    "x-kubernetes-validations": [{ rule: "self.token=='x'" }],
  };
  const build = (password: string, description: string, example: Json, url: string): JsonObject => ({
    kind: "CustomResourceDefinition",
    metadata: { name: "n" },
    spec: {
      conversion: { webhook: { clientConfig: { url } } },
      schema: {
        properties: {
          password: { default: password, description },
          default: { type: "string", example },
          authorization: { default: "None", ...rules },
          proxy: {
            default: { authorization: "None", password },
            properties: { authorization: { enum: ["None", "UserToken"] } },
          },
        },
      },
    },
  });
  assert.deepEqual(
    redact(build("x", "Bearer abcdefghijklmnopqrstuvwxyz", { password: "y" }, "https://me:pw@h/x")),
    build(R, `Bearer ${R}`, { password: R }, `https://${R}@h/x`),
  );
});

/** Beginnings of what is looked for, without an end. */
const ENDLESS =
  '- a- "a eyJa.eyJ a+ http://a https://a/b token token= "token":" me:pw ?a_ # MII $1$ -u: mysql-p \' password=\' a:{ -a\\n A= &amp;a= a:b@ SG.a';

test("takes time proportional to a text's length", () => {
  for (const part of [
    ...ENDLESS.split(" "),
    "\t ",
    "a: {",
    "machine a login ",
    "echo a ",
    "--password ",
    "-----BEGIN PRIVATE KEY-----",
  ]) {
    const before = process.cpuUsage();
    redact({ a: `${part.repeat(Math.ceil(250_000 / part.length))}x` });
    const { user } = process.cpuUsage(before);
    assert.ok(user < 7_500_000, `${part}: ${user} us`);
  }
});

test("takes time proportional to the number of a map's keys", () => {
  const before = process.cpuUsage();
  redact({ a: `{"a": 1, ${'"val",'.repeat(90_000)}"x"}` });
  const { user } = process.cpuUsage(before);
  assert.ok(user < 15_000_000, `${user} us`);
});

const TEXTS: readonly (readonly [what: string, before: string, after: string])[] = [
  [
    "flow mappings",
    "remoteWrite: [{basicAuth: {username: u, password: hunter2 and more}}]",
    "remoteWrite: [{basicAuth: {username: u, password: REDACTED}}]",
  ],
  ["quoted values", 'auth: {token: "a, b", url: x}', 'auth: {token: "REDACTED", url: x}'],
  ["quoted keys", "auth: {'password': 'it''s', other: 1}", "auth: {'password': 'REDACTED', other: 1}"],
  ["numbers", "a: 1\npassword: 1234\n", "a: 1\npassword: REDACTED\n"],
  ["blocks, with their lines", "token: |\n  one\n  two\nb: 1\nb: 2\n", "token: |\n  REDACTED\n\nb: 1\nb: 2\n"],
  ["plain values of several lines", "token: one\n  two\nb: 1\n", "token: REDACTED\n\nb: 1\n"],
  ["lists", "tokens:\n- secret: [a, b]\n", "tokens:\n- secret: [REDACTED, REDACTED]\n"],
  [
    "variables and arguments",
    "env:\n- name: A\n  value: x\nargs: [x]\n",
    "env:\n- name: A\n  value: REDACTED\nargs: [REDACTED]\n",
  ],
  ["URLs", "url: https://me:pw@h/x\na: b\n", "url: https://REDACTED@h/x\na: b\n"],
  ["texts within", "a: |\n  {password: x}\nb: 1\n", "a: |\n  REDACTED\nb: 1\n"],
  ["JSON, also indented with tabs", '{\n\t"a": {"clientSecret": "x"}\n}', '{\n\t"a": {"clientSecret": "REDACTED"}\n}'],
  ["comments", "a: 1\n# password: x\n", "a: 1\n# password: REDACTED\n"],
  ["aliases", "a: &p hunter2\npassword: *p\n", "REDACTED"],
  ["texts that can't be parsed", "a: {b\npassword: x\n", "a: {b\npassword: REDACTED\n"],
  ["texts that can be parsed only without a secret", "a {b} credential: c: d", "a {b} credential: REDACTED"],
  ["texts with too many values", `{${"a: b,".repeat(60_000)}}`, "REDACTED"],
];

for (const [what, before, after] of TEXTS) {
  test(`replaces secrets in embedded YAML or JSON: ${what}`, () => {
    assert.deepEqual(redact({ spec: { text: before } }), { spec: { text: after } });
  });
}

test("leaves embedded YAML without secrets as it is", () => {
  for (const text of [
    "auth: {passwordFile: /etc/x, secretName: s}",
    "remoteWrite:\n- basicAuth:\n    password: {name: s, key: password}\n",
    "a: 'b'   # c\na: c\n",
  ])
    assert.deepEqual(redact({ spec: { text } }), { spec: { text } });
});
