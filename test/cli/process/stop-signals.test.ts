import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually } from "../../../verify/shared/eventually.ts";
import { nightly, sampleEach } from "../../support/cases/sample.ts";
import { type PreflightProcess, startPreflight } from "../../../verify/shared/preflight.ts";

const SIGNALS = [
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const;
const VERSION = ["--target-version", "4.20.3"];

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "preflight-stop-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A kubeconfig of an API server that takes requests and answers none, and how many it has taken. */
async function startStalledServer(t: TestContext, user: object = { token: "t" }) {
  let requests = 0;
  const server = createServer(() => (requests += 1));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = parseAddress(server.address());
  const kubeconfig = join(createFolder(t), "kubeconfig");
  const config = {
    "current-context": "x",
    clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${port}` } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    users: [{ name: "u", user }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  return { kubeconfig, waitForRequest: () => eventually(async () => assert.ok(requests > 0)) };
}

function parseAddress(address: AddressInfo | string | null): AddressInfo {
  assert.ok(address !== null && typeof address !== "string");
  return address;
}

/** Starts a command; a test that fails leaves none behind. */
function start(t: TestContext, args: readonly string[], env: Readonly<Record<string, string>> = {}): PreflightProcess {
  const running = startPreflight(args, env);
  t.after(() => running.kill("SIGKILL"));
  return running;
}

for (const [signal, expected] of SIGNALS) {
  // Both signals take the same way: for each change, the second ends one command of each kind.
  const ofOther = signal === "SIGINT" && nightly;
  for (const words of [["check", ...VERSION], ["plan", "--to", "4.20.3"], ["status"], ["fleet", ...VERSION]])
    test(
      `${signal} ends ${words[0]} while the API server is silent`,
      { skip: words[0] !== "check" && ofOther },
      async (t) => {
        const { kubeconfig, waitForRequest } = await startStalledServer(t);
        const results = words[0] === "fleet" ? ["--results", join(createFolder(t), "results")] : [];
        const running = start(t, [...words, ...results, "--kubeconfig", kubeconfig]);
        await waitForRequest();
        running.kill(signal);
        const { code, signal: name, out, err } = await running.result;
        assert.deepEqual([code, name, out], [expected, null, ""], err);
        assert.match(err, /^preflight: [^\n]+\n$/);
      },
    );

  test(`${signal} ends a check and the credential plugin that it waits for`, { skip: ofOther }, async (t) => {
    const mark = join(createFolder(t), "pid");
    const exec = { command: "sh", args: ["-c", `echo $$ >${mark}; exec sleep 60`] };
    const { kubeconfig } = await startStalledServer(t, { exec });
    const running = start(t, ["check", ...VERSION, "--kubeconfig", kubeconfig]);
    await eventually(async () => assert.match(readFileSync(mark, "utf8"), /\n$/));
    running.kill(signal);
    const { code, err } = await running.result;
    assert.deepEqual([code, err], [expected, `preflight: stopped by ${signal}\n`]);
    await eventually(async () => assert.throws(() => process.kill(Number(readFileSync(mark, "utf8")), 0)));
  });

  test(`${signal} ends a check that waits for a pipe`, { skip: ofOther }, async (t) => {
    const { path, waitForReader } = createPipe(t);
    const running = start(t, ["check", ...VERSION, "--kubeconfig", path]);
    await waitForReader();
    running.kill(signal);
    const { code, err } = await running.result;
    assert.deepEqual([code, err], [expected, `preflight: stopped by ${signal}\n`]);
  });

  test(`${signal} is the normal end of what runs until it is stopped`, async (t) => {
    const document = join(createFolder(t), "document.json");
    const services = [
      ["--format=preflight-v1-json", ...VERSION, "--document", document],
      ["controller", "--image", "example.com/a:1"],
      ["update-status-controller"],
    ];
    for (const words of sampleEach(services, signal === "SIGINT" ? services.length : 1)) {
      const { kubeconfig, waitForRequest } = await startStalledServer(t);
      const running = start(t, [...words, "--kubeconfig", kubeconfig]);
      await waitForRequest();
      running.kill(signal);
      const { code, signal: name, err } = await running.result;
      assert.deepEqual([code, name], [0, null], err);
    }
  });
}

/** A pipe that stays open without a word, so that who reads it waits. */
function createPipe(t: TestContext) {
  const path = join(createFolder(t), "pipe");
  execFileSync("mkfifo", [path]);
  let writer: FileHandle | undefined;
  t.after(() => writer?.close());
  // It can't be opened for writing without a reader.
  const waitForReader = () =>
    eventually(async () => (writer ??= await open(path, constants.O_WRONLY | constants.O_NONBLOCK)));
  return { path, waitForReader };
}

test("a second signal ends a command at once", async (t) => {
  const { path, waitForReader } = createPipe(t);
  const running = start(t, ["check", ...VERSION, "--kubeconfig", path]);
  await waitForReader();
  running.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 200));
  running.kill("SIGINT");
  const { code, err } = await running.result;
  assert.deepEqual([code, err], [130, ""], "it does not even say so");
});

/** A module for --require that has a signal arrive while the program is loaded. */
const PRELOAD = `
const { Script } = require("node:vm");
const run = Script.prototype.runInThisContext;
Script.prototype.runInThisContext = function (...options) {
  process.kill(process.pid, "SIGTERM");
  return run.apply(this, options);
};
`;

test("a signal that arrives while the program is loaded is obeyed", async (t) => {
  const { kubeconfig } = await startStalledServer(t);
  const preload = join(createFolder(t), "preload.cjs");
  writeFileSync(preload, PRELOAD);
  const env = { NODE_OPTIONS: `--require=${preload}` };
  const runner = ["--format=preflight-v1-json", ...VERSION, "--document", join(createFolder(t), "document.json")];
  for (const [words, expected] of [
    [runner, 0],
    [["status"], 143],
    [["check", ...VERSION], 143],
  ] as const) {
    const { code, signal, err } = await start(t, [...words, "--kubeconfig", kubeconfig], env).result;
    assert.deepEqual([code, signal], [expected, null], err);
  }
});
