import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { readTextFile } from "../../src/files/named-file.ts";
import { FailedError } from "../../src/model/errors.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { createFolder } from "../support/cluster/mock-server.ts";
import { buildKubeconfig } from "../../verify/api-server/kubeconfig.ts";

function writeConfig(file: string, config: JsonObject | string): string {
  writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config));
  return file;
}

function buildServerConfig(name: string): JsonObject {
  return buildKubeconfig({ cluster: { server: `https://${name}:6443/` } }, name);
}

/** The message of the FailedError, which must be a single line. */
async function readFailureMessage(options: Parameters<typeof connect>[0]): Promise<string> {
  try {
    await connect(options);
  } catch (error) {
    assert.ok(error instanceof FailedError, String(error));
    assert.doesNotMatch(error.message, /\n/);
    return error.message;
  }
  return assert.fail("it connected");
}

test("prefers the flag's file, then KUBECONFIG, then ~/.kube/config, then the pod's service account", async (t) => {
  const dir = createFolder(t);
  mkdirSync(join(dir, ".kube"));
  const pod = join(dir, "pod");
  mkdirSync(pod);
  writeConfig(join(pod, "token"), "pod-token\n");
  const flag = writeConfig(join(dir, "flag"), buildServerConfig("flag"));
  const listed = writeConfig(join(dir, "listed"), buildServerConfig("listed"));
  const inPod = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const env = { ...inPod, HOME: dir, KUBECONFIG: listed };
  assert.equal((await connect({ kubeconfig: flag, env })).server, "https://flag:6443");
  assert.equal((await connect({ env })).server, "https://listed:6443");
  const account = { serviceAccountFolder: pod };
  const home = { ...env, KUBECONFIG: undefined };
  const inCluster = await connect({ env: home, ...account });
  assert.deepEqual([inCluster.server, inCluster.origin], ["https://[fd00::1]", "the pod's service account"]);
  assert.deepEqual((await inCluster.getAuth()).headers, { Authorization: "Bearer pod-token" });
  writeConfig(join(dir, ".kube", "config"), "");
  assert.equal((await connect({ env: home, ...account })).server, "https://[fd00::1]");
  writeConfig(join(dir, ".kube", "config"), buildServerConfig("home"));
  assert.equal((await connect({ env: home, ...account })).server, "https://home:6443");
  assert.match(
    await readFailureMessage({ kubeconfig: join(dir, "none"), env }),
    /none can't be read: no such file.*--kubeconfig/,
  );
});

test("merges the files in KUBECONFIG, where the first entry wins, and skips a missing file", async (t) => {
  const dir = createFolder(t);
  const a = writeConfig(join(dir, "a"), { ...buildServerConfig("a"), users: [] });
  const b = writeConfig(join(dir, "b"), {
    ...buildServerConfig("b"),
    users: [
      { name: "a-user", user: { token: "of-b" } },
      { name: "b-user", user: {} },
    ],
  });
  const again = writeConfig(join(dir, "again"), {
    clusters: [{ name: "a-cluster", cluster: { server: "https://other" } }],
  });
  const env = { KUBECONFIG: [join(dir, "missing"), a, b, again].join(delimiter) };
  const connection = await connect({ env });
  assert.deepEqual([connection.context, connection.server], ["a", "https://a:6443"]);
  assert.deepEqual((await connection.getAuth()).headers, { Authorization: "Bearer of-b" });
  assert.equal((await connect({ env, context: "b" })).server, "https://b:6443");
});

test("never contacts a server that is not configured", async (t) => {
  const dir = createFolder(t);
  assert.match(
    await readFailureMessage({ env: { HOME: dir } }),
    /No cluster to check.*\.kube\/config does not exist.*--kubeconfig/,
  );
  assert.match(await readFailureMessage({ env: {} }), /HOME is not set/);
  assert.match(await readFailureMessage({ env: { KUBECONFIG: join(dir, "x") } }), /x does not exist or is empty/);
});

const buildConfig = (cluster: JsonObject, user: JsonObject = { token: "t" }): JsonObject =>
  buildKubeconfig({ cluster, user });
const OK: JsonObject = { server: "https://a" };
const BASE64 = Buffer.from("no certificate").toString("base64");

const BAD: readonly (readonly [string, JsonObject | string, RegExp])[] = [
  ["invalid YAML", "a: [", /config is not YAML/],
  ["a list", "[]", /is not a kubeconfig: it holds no mapping/],
  ["contexts that are not a list", { contexts: {} }, /contexts is not a list/],
  ["an entry without a name", { clusters: [{ cluster: {} }] }, /clusters\[0\] has no name/],
  [
    "no current context",
    { ...buildConfig(OK), "current-context": "" },
    /sets no current context.*--context \(known: here\)/,
  ],
  ["an unknown context", { ...buildConfig(OK), "current-context": "there" }, /has no context there.*\(known: here\)/],
  [
    "a context without a cluster",
    { ...buildConfig(OK), contexts: [{ name: "here", context: { user: "here-user" } }] },
    /names no cluster/,
  ],
  [
    "a context without a user",
    { ...buildConfig(OK), contexts: [{ name: "here", context: { cluster: "here-cluster" } }] },
    /names no user/,
  ],
  ["a missing cluster", { ...buildConfig(OK), clusters: [] }, /names the cluster here-cluster, which does not exist/],
  ["a missing user", { ...buildConfig(OK), users: [] }, /names the user here-user, which does not exist/],
  ["no server", buildConfig({}), /not an http or https URL: ""/],
  [
    "a server that is not a URL",
    buildConfig({ server: "localhost:8080" }),
    /not an http or https URL: "localhost:8080"/,
  ],
  [
    "a missing CA",
    buildConfig({ ...OK, "certificate-authority": "ca.crt" }),
    /certificate authority \/.*\/ca.crt .*can't be read/,
  ],
  [
    "a missing client certificate",
    buildConfig(OK, { "client-certificate": "c.crt", "client-key-data": BASE64 }),
    /client certificate \/.*c.crt/,
  ],
  [
    "a missing client key",
    buildConfig(OK, { "client-certificate-data": BASE64, "client-key": "c.key" }),
    /client key \/.*c.key/,
  ],
  ["a missing token file", buildConfig(OK, { tokenFile: "tok" }), /token file \/.*tok/],
  [
    "a certificate without a key",
    buildConfig(OK, { "client-certificate-data": BASE64 }),
    /a client certificate without a key/,
  ],
  [
    "an invalid CA",
    buildConfig({ ...OK, "certificate-authority-data": BASE64 }),
    /certificates of the context here can't be used/,
  ],
  [
    "an invalid certificate",
    buildConfig(OK, { "client-certificate-data": BASE64, "client-key-data": BASE64 }),
    /can't be used/,
  ],
  [
    "an invalid proxy",
    buildConfig({ ...OK, "proxy-url": "ftp://x" }),
    /proxy-url of the context here is not an http, https or socks5 URL/,
  ],
];

for (const [what, config, expected] of BAD) {
  test(`explains in one line what is wrong with a kubeconfig that has ${what}`, async (t) => {
    const kubeconfig = writeConfig(join(createFolder(t), "config"), config);
    assert.match(await readFailureMessage({ kubeconfig, env: {} }), expected);
  });
}

test("rejects a pipe as a token file, and an empty pipe as a kubeconfig", async (t) => {
  const pipe = join(createFolder(t), "pipe");
  execFileSync("mkfifo", [pipe]);
  const kubeconfig = writeConfig(join(createFolder(t), "config"), buildConfig({ ...OK }, { tokenFile: pipe }));
  assert.match(
    await readFailureMessage({ kubeconfig, env: {} }),
    /token file .* can't be read, or is not a regular file/,
  );
  await assert.rejects(readTextFile(pipe, 10, { pipeTimeoutMs: 100 }), /nothing was written to the pipe in time/);
});

test("reads a kubeconfig from a pipe, as in the shell's <(command)", async (t) => {
  const pipe = join(createFolder(t), "pipe");
  execFileSync("mkfifo", [pipe]);
  const reading = connect({ kubeconfig: pipe, env: {} });
  const writing = writeFile(pipe, JSON.stringify(buildConfig(OK)));
  assert.equal((await reading).server, OK["server"]);
  await writing;
});

test("rejects a device, reads no more than the limit, and treats /dev/null as empty", async (t) => {
  assert.match(
    await readFailureMessage({ kubeconfig: "/dev/zero", env: {} }),
    /can't be read: it is not a regular file/,
  );
  assert.equal(await readTextFile("/dev/null", 10), "");
  const file = writeConfig(join(createFolder(t), "c"), "x".repeat((1 << 20) + 1));
  await assert.rejects(readTextFile(file, 1 << 20), /it has more than 1 MiB/);
});

test("detects a context that doesn't verify certificates", async (t) => {
  for (const [server, isInsecure] of [
    ["https://a:6443", true],
    ["http://a:6443", undefined],
  ] as const) {
    const config = buildConfig({ server, "insecure-skip-tls-verify": true });
    const kubeconfig = writeConfig(join(createFolder(t), "config"), config);
    assert.equal((await connect({ kubeconfig, env: {} })).isInsecure, isInsecure);
  }
});

test("rejects a kubeconfig that is a folder, and a --context that does not exist", async (t) => {
  const dir = createFolder(t);
  assert.match(await readFailureMessage({ kubeconfig: dir, env: {} }), /can't be read: it is a folder/);
  const kubeconfig = writeConfig(join(dir, "c"), buildConfig(OK));
  assert.match(await readFailureMessage({ kubeconfig, context: "x", env: {} }), /has no context x/);
});

test("requires no user for a plain HTTP server such as kubectl proxy", async (t) => {
  const context = { name: "here", context: { cluster: "here-cluster" } };
  const kubeconfig = writeConfig(join(createFolder(t), "c"), {
    ...buildConfig({ server: "http://127.0.0.1:8001" }),
    contexts: [context],
  });
  const connection = await connect({ kubeconfig, env: {} });
  assert.deepEqual([connection.server, (await connection.getAuth()).headers], ["http://127.0.0.1:8001", {}]);
});

test("sends credentials, and impersonates a user with groups and extra fields", async (t) => {
  const user = {
    username: "u",
    password: "p",
    as: "me",
    "as-uid": "7",
    "as-groups": ["a", "b"],
    "as-user-extra": { k: ["v"] },
  };
  const kubeconfig = writeConfig(join(createFolder(t), "c"), buildConfig(OK, user));
  assert.deepEqual((await (await connect({ kubeconfig, env: {} })).getAuth()).headers, {
    Authorization: `Basic ${Buffer.from("u:p").toString("base64")}`,
    "Impersonate-User": "me",
    "Impersonate-Uid": "7",
    "Impersonate-Group": ["a", "b"],
    "Impersonate-Extra-k": ["v"],
  });
});

test("escapes the keys of extra fields as client-go does, and sends texts as UTF-8", async (t) => {
  const extra = { "a(b)/c d": ["v"], "100%": ["v"], ä: ["v"], "\ud800": ["v"], constructor: ["v"] };
  const text = JSON.stringify(buildConfig(OK, { token: "t", as: "Jiří", "as-user-extra": extra }));
  const own = text.replace('"constructor":', '"__proto__":["v"],"constructor":');
  const kubeconfig = writeConfig(join(createFolder(t), "c"), own);
  const { headers } = await (await connect({ kubeconfig, env: {} })).getAuth();
  const names = Object.keys(headers).filter((name) => name.startsWith("Impersonate-Extra-"));
  assert.deepEqual(
    names.map((name) => name.slice("Impersonate-Extra-".length)).toSorted(),
    ["100%25", "%C3%A4", "%EF%BF%BD", "__proto__", "a%28b%29%2Fc%20d", "constructor"].toSorted(),
  );
  assert.deepEqual(headers["Impersonate-User"], Buffer.from("Jiří").toString("latin1"));
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    for (const one of [value].flat()) validateHeaderValue(name, one);
  }
});

const BROKEN: readonly JsonObject[] = [
  { token: "a\nb" },
  { token: "t", as: "me", "as-groups": ["a\r\nX: y"] },
  { token: "t", as: "me", "as-user-extra": { k: ["a\u0000"] } },
];
for (const user of BROKEN)
  test(`refuses a text that would end its header: ${JSON.stringify(user)}`, async (t) => {
    const kubeconfig = writeConfig(join(createFolder(t), "c"), buildConfig(OK, user));
    assert.match(
      await readFailureMessage({ kubeconfig, env: {} }),
      /^No credentials for the context \S+: (?:Authorization|Impersonate-\S+) would hold a control character$/,
    );
  });

test("reuses one agent while the certificates stay the same", async (t) => {
  const kubeconfig = writeConfig(join(createFolder(t), "c"), buildConfig(OK));
  const connection = await connect({ kubeconfig, env: {} });
  const one = await connection.getAuth();
  const two = await connection.getAuth();
  assert.ok(one !== two && one.agent === two.agent);
});
