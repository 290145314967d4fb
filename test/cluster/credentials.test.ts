import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { dirname, join } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";
import { eventually } from "../../verify/shared/eventually.ts";
import { connect } from "../../src/cluster/access/connect.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { parseResource } from "../../src/model/resource.ts";
import {
  createFolder,
  writeKubeconfig,
  neverAborted,
  openReader,
  serve,
  buildStatus,
} from "../support/cluster/mock-server.ts";
import { buildKubeconfig } from "../../verify/api-server/kubeconfig.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";

const PLACE = { resource: parseResource("v1/nodes"), name: "a" };
const FOUND = { kind: "found" };

/** Answers 401 to every bearer token except one. */
function allowToken(token: () => string): RequestListener {
  return (request, response) => {
    if (request.headers.authorization === `Bearer ${token()}`) {
      return sendJson(response, { apiVersion: "v1", kind: "Node", metadata: { name: "a" } });
    }
    return sendJson(response, buildStatus(401, "Unauthorized", "Unauthorized"), 401);
  };
}

/** A credential plugin that returns "token-N" on its Nth run and logs its input. */
function writePlugin(t: TestContext): { readonly exec: JsonObject; readonly log: string } {
  const dir = createFolder(t);
  const log = join(dir, "log");
  writeFileSync(log, "");
  const script = join(dir, "plugin.sh");
  writeFileSync(
    script,
    `#!/bin/sh
echo "$KUBERNETES_EXEC_INFO" >>${log}
n=$(wc -l <${log} | tr -d ' ')
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"token-'$n'"}}'
`,
  );
  chmodSync(script, 0o755);
  return { exec: { apiVersion: "client.authentication.k8s.io/v1", command: script, interactiveMode: "Never" }, log };
}

test("runs a credential plugin once for many reads, and again if its token is rejected", async (t) => {
  const { exec, log } = writePlugin(t);
  let wanted = "token-1";
  const mock = await serve(
    t,
    allowToken(() => wanted),
  );
  const cluster = {
    server: mock.url,
    extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "x" } }],
  };
  const user = { exec: { ...exec, provideClusterInfo: true } };
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster, user }));
  const runs = (): readonly string[] => readFileSync(log, "utf8").trim().split("\n");
  const many = await Promise.all([1, 2, 3, 4].map(() => reader.get(PLACE, neverAborted)));
  assert.ok(many.every((got) => got.kind === "found"));
  assert.equal(runs().length, 1);
  const info: JsonObject = JSON.parse(runs()[0] ?? "");
  assert.deepEqual(info, {
    apiVersion: "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    spec: { interactive: false, cluster: { server: mock.url, config: { audience: "x" } } },
  });
  wanted = "token-2";
  const again = await Promise.all([1, 2, 3, 4].map(() => reader.get(PLACE, neverAborted)));
  assert.ok(again.every((got) => got.kind === "found"));
  assert.equal(runs().length, 2);
  wanted = "nobody's";
  const before = mock.requests.length;
  const refused = await reader.get(PLACE, neverAborted);
  assert.partialDeepStrictEqual(refused, { kind: "failed", reason: "Unauthorized" });
  assert.deepEqual([runs().length, mock.requests.length - before], [3, 2]);
});

test("re-reads a token file if its token is rejected", async (t) => {
  let wanted = "old";
  const mock = await serve(
    t,
    allowToken(() => wanted),
  );
  const tokenFile = join(createFolder(t), "token");
  writeFileSync(tokenFile, "old\n");
  const file = writeKubeconfig(t, { cluster: { server: mock.url }, user: { tokenFile, token: "stale" } });
  const { reader } = await openReader(t, file);
  assert.partialDeepStrictEqual(await reader.get(PLACE, neverAborted), FOUND);
  writeFileSync(tokenFile, "new\n");
  assert.partialDeepStrictEqual(await reader.get(PLACE, neverAborted), FOUND);
  wanted = "new";
  assert.partialDeepStrictEqual(await reader.get(PLACE, neverAborted), FOUND);
  assert.equal(mock.requests.length, 4);
});

test("picks up new credentials in its original context, but never switches to another server", async (t) => {
  const mock = await serve(
    t,
    allowToken(() => "fresh"),
  );
  const file = writeKubeconfig(t, { cluster: { server: mock.url }, user: { token: "expired" } });
  const { reader } = await openReader(t, file);
  const fresh = buildKubeconfig({ cluster: { server: mock.url }, user: { token: "fresh" } });
  writeFileSync(file, JSON.stringify({ ...fresh, "current-context": "elsewhere" }));
  assert.partialDeepStrictEqual(await reader.get(PLACE, neverAborted), FOUND);
  const other = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url }, user: { token: "expired" } }));
  assert.partialDeepStrictEqual(await other.reader.get(PLACE, neverAborted), { reason: "Unauthorized" });
  const moving = writeKubeconfig(t, { cluster: { server: mock.url }, user: { token: "expired" } });
  const moved = await openReader(t, moving);
  writeFileSync(moving, JSON.stringify(buildKubeconfig({ cluster: { server: "http://127.0.0.1:1" } })));
  const got = await moved.reader.get(PLACE, neverAborted);
  assert.ok(got.kind === "failed" && got.reason === "Unauthorized" && got.message.includes("now names another server"));
});

const NO_CREDENTIAL = /plugin \w+ failed: it printed no ExecCredential with a status$/;

const PLUGINS: readonly (readonly [string, JsonObject, RegExp])[] = [
  [
    "isn't installed",
    { command: "no-such-plugin", installHint: "Get it\nfrom there" },
    /plugin no-such-plugin is not installed: Get it from there$/,
  ],
  ["fails", { command: "sh", args: ["-c", "echo log in first >&2; exit 1"] }, /plugin sh failed: log in first$/],
  ["prints no JSON", { command: "echo", args: ["hello"] }, NO_CREDENTIAL],
  ["prints an empty object", { command: "echo", args: ["{}"] }, NO_CREDENTIAL],
  ["prints a list", { command: "echo", args: ["[]"] }, NO_CREDENTIAL],
  ["prints null", { command: "echo", args: ["null"] }, NO_CREDENTIAL],
  ["returns no status", { command: "echo", args: ['{"status":null}'] }, NO_CREDENTIAL],
  ["prints nothing", { command: "true" }, NO_CREDENTIAL],
  [
    "returns an empty status",
    { command: "echo", args: ['{"status":{"token":5}}'] },
    /neither a token nor a certificate$/,
  ],
  [
    "returns half a certificate",
    { command: "echo", args: ['{"status":{"clientKeyData":"x"}}'] },
    /a certificate without its key, or a key without its certificate$/,
  ],
  ["never ends to print", { command: "yes" }, /plugin yes failed: it printed more than 1 MiB$/],
  ["has no command", { args: ["a"] }, /names no command$/],
  [
    "returns two lines",
    { command: "echo", args: ['{"status":{"token":"a\\nb"}}'] },
    /Authorization would hold a control/,
  ],
];

for (const [what, exec, expected] of PLUGINS) {
  test(`reports a credential plugin that ${what}`, async (t) => {
    const file = writeKubeconfig(t, { cluster: { server: "http://127.0.0.1:1" }, user: { exec } });
    const { reader } = await openReader(t, file);
    const got = await reader.get(PLACE, neverAborted);
    assert.ok(got.kind === "failed" && got.reason === "Unauthorized", JSON.stringify(got));
    assert.match(got.message, expected);
  });
}

test("runs a credential plugin with a relative path beside its kubeconfig, and not from PATH", async (t) => {
  const mock = await serve(
    t,
    allowToken(() => "token-1"),
  );
  const { exec } = writePlugin(t);
  const folder = dirname(textAt(exec, "command") ?? "");
  const user = { exec: { ...exec, command: "./plugin.sh" } };
  writeFileSync(join(folder, "kubeconfig"), JSON.stringify(buildKubeconfig({ cluster: { server: mock.url }, user })));
  const here = process.cwd();
  process.chdir(folder);
  t.after(() => process.chdir(here));
  const { reader } = await openReader(t, "kubeconfig");
  process.chdir(here);
  assert.partialDeepStrictEqual(await reader.get(PLACE, neverAborted), FOUND);
});

test("ends a credential plugin that still runs when the connection is closed", async (t) => {
  const folder = createFolder(t);
  const mark = join(folder, "pid");
  const exec = { command: "sh", args: ["-c", `echo $$ >${mark}; exec sleep 60`] };
  const file = writeKubeconfig(t, { cluster: { server: "http://127.0.0.1:1" }, user: { exec } });
  const connection = await connect({ kubeconfig: file, env: {} });
  const got = connection.getAuth();
  await eventually(async () => assert.match(readFileSync(mark, "utf8"), /\n$/));
  const pid = Number(readFileSync(mark, "utf8"));
  connection.close();
  await assert.rejects(got, { message: /plugin sh failed: it was stopped$/ });
  await eventually(async () => assert.throws(() => process.kill(pid, 0)));
});

test("waits for a credential plugin no longer than the read timeout", async (t) => {
  const exec = { command: "sleep", args: ["60"] };
  const { reader } = await openReader(
    t,
    writeKubeconfig(t, { cluster: { server: "http://127.0.0.1:1" }, user: { exec } }),
  );
  assert.partialDeepStrictEqual(await reader.get(PLACE, AbortSignal.timeout(30)), {
    kind: "failed",
    reason: "TimedOut",
  });
});
