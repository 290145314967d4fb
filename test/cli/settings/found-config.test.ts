import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { COMMANDS } from "../../../src/cli/commands/index.ts";
import { isObject, type JsonObject, textAt } from "../../../src/model/json.ts";
import { type ProcessResult, START, START_ENV, runPreflight } from "../../../verify/shared/preflight.ts";
import { sampleEach } from "../../support/cases/sample.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const CLUSTER = ["--recorded", join(ROOT, "demo")];
const RELEASE = ["--target", join(ROOT, "demo", "release")];
const DEMO = ["check", ...CLUSTER, ...RELEASE];
const RISKS = [
  "CrdServedVersionRemoved",
  "CustomResourceFieldsFrozen",
  "DrainBlockedByDisruptionBudget",
  "OVNSeveralClusterNetworksBreakPods",
  "OperatorIncompatibleWithNextMinor",
];
const ACCEPT = JSON.stringify(RISKS.map((risk) => ({ risk, reason: "r" })));

/** A folder in which somebody else left a configuration. */
function createFolder(t: TestContext, config?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "preflight-found-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  if (config !== undefined) writeFileSync(join(folder, ".preflight.yaml"), config);
  return folder;
}

/** A kubeconfig whose credential plugin leaves a mark. */
function writeKubeconfig(folder: string): { readonly path: string; readonly hasRun: () => boolean } {
  const mark = join(folder, "mark");
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "touch", args: [mark] };
  const config = {
    "current-context": "x",
    clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:9" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    users: [{ name: "u", user: { exec: { ...exec, interactiveMode: "Never" } } }],
  };
  const path = join(folder, "kubeconfig.json");
  writeFileSync(path, JSON.stringify(config));
  return { path, hasRun: () => existsSync(mark) };
}

function assertRefused({ code, out, err }: ProcessResult, problem: string): void {
  assert.deepEqual([code, out], [2, ""], err);
  assert.ok(err.startsWith(`preflight: .preflight.yaml ${problem}: a file that was only found may accept risks`), err);
  assert.ok(err.endsWith("name it with --config .preflight.yaml; --no-config leaves it out\n"), err);
}

const READING = [
  ["check", ...RELEASE],
  ["plan", "--to", "4.18.6", "--release", join(ROOT, "demo", "release")],
  ["playbook", ...RELEASE],
  ["fleet", ...RELEASE],
];
for (const words of sampleEach(READING, 3))
  test(`${words[0]}: a kubeconfig in a found file is not used, and its plugin does not run`, async (t) => {
    const folder = createFolder(t);
    const { path, hasRun } = writeKubeconfig(folder);
    writeFileSync(join(folder, ".preflight.yaml"), `settings: {kubeconfig: ${path}}\n`);
    assertRefused(await runPreflight(words, {}, { cwd: folder }), 'sets "kubeconfig"');
    assert.equal(hasRun(), false);
    const named = await runPreflight([...words, "--config", ".preflight.yaml"], {}, { cwd: folder });
    assert.notEqual(named.code, 2, named.err);
    assert.equal(hasRun(), true, "the user has named the file");
  });

test("mcp uses no file that it only found, and the one that it is started with", async (t) => {
  const folder = createFolder(t);
  const { path, hasRun } = writeKubeconfig(folder);
  const config = { settings: { kubeconfig: path, skip: ["drain-blocked"] }, accept: JSON.parse(ACCEPT) };
  writeFileSync(join(folder, ".preflight.yaml"), JSON.stringify(config));
  const found = await callCheck(t, folder, [...CLUSTER]);
  assert.equal(textAt(found, "verdict"), "risks");
  assert.doesNotMatch(JSON.stringify(found), /"accepted":true|preflight\.yaml|LeftOut/);
  assert.equal(hasRun(), false);
  writeFileSync(join(folder, "own.yaml"), JSON.stringify({ accept: config.accept }));
  const named = await callCheck(t, folder, [...CLUSTER, "--config", "own.yaml"]);
  assert.deepEqual([textAt(named, "verdict"), named["warnings"]], ["incomplete", []]);
});

async function callCheck(t: TestContext, cwd: string, args: readonly string[]): Promise<JsonObject> {
  const release = ["--release", join(ROOT, "demo", "release")];
  const [command = "", ...start] = START;
  const transport = new StdioClientTransport({
    command,
    args: [...start, "mcp", ...args, ...release],
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...START_ENV },
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  t.after(() => client.close());
  const { structuredContent, content } = await client.callTool({ name: "check", arguments: { to: "4.18.6" } });
  assert.ok(isObject(structuredContent), JSON.stringify(content));
  return structuredContent;
}

test("outputs in a found file are not written", async (t) => {
  const folder = createFolder(t);
  const profile = join(folder, "profile");
  writeFileSync(join(folder, ".preflight.yaml"), `settings: {output: ["csv=${profile}"]}\n`);
  assertRefused(await runPreflight(DEMO, {}, { cwd: folder }), 'sets "output"');
  assert.equal(existsSync(profile), false);
});

const LIMITS = ["check-timeout", "cluster-timeout", "concurrency", "cycle-timeout", "parallel"];

test("of all settings, a found file may set these", () => {
  const allowed = COMMANDS.flatMap(({ settings }) =>
    Object.entries(settings).flatMap(([flag, setting]) =>
      "foundRange" in setting || "range" in setting ? [flag] : [],
    ),
  );
  assert.deepEqual([...new Set(allowed)].toSorted(), LIMITS);
});

const FORBIDDEN: readonly (readonly [text: string, problem: string])[] = [
  ["settings: {fail-on: never}", 'sets "fail-on"'],
  ["settings: {skip: [nodes]}", 'sets "skip"'],
  ["settings: {only: nodes}", 'sets "only"'],
  ["settings: {accept: [CrdRefused]}", 'sets "accept"'],
  ["settings: {unknown-risks: false}", 'sets "unknown-risks"'],
  ["settings: {concurrency: 4, graph: 'http://127.0.0.1:9'}", 'sets "graph"'],
  ["settings: {max-age: 24h}", 'sets "max-age"'],
  ["settings: {check-timeout: 1ms}", 'sets "check-timeout" to 1ms, which is not between 1m and 10m'],
  ["settings: {check-timeout: 400h}", 'sets "check-timeout" to 400h, which is not between 1m and 10m'],
  ["settings: {cycle-timeout: 0}", 'sets "cycle-timeout" to 0, which is not between 5m and 1h'],
  ["settings: {cluster-timeout: 9m}", 'sets "cluster-timeout" to 9m, which is not between 10m and 2h'],
  ["settings: {concurrency: 0}", 'sets "concurrency" to 0, which is not between 1 and 32'],
  ["settings: {parallel: 65}", 'sets "parallel" to 65, which is not between 1 and 64'],
  ["settings: {concurrency: many}", 'sets "concurrency" to what is no number'],
  ["settings: {checks-from: operators}", 'sets "checks-from"'],
  ["checks: [{origin: olm/shop, reads: [v1/nodes]}]", "lets the checks of olm/shop read more"],
  ["accept: [{check: nodes, reason: r}]", "accepts that the check nodes is left out"],
  ...["PreflightChecksLeftOut", "PreflightMinorsBetween", "PreflightNothingChecked", "NodesUnknown", "AnyUnknown"].map(
    (risk) => [`accept: [{risk: ${risk}, reason: r}]`, `accepts ${risk}, which stands for what was not seen`] as const,
  ),
];
for (const [text, problem] of sampleEach(FORBIDDEN, 3))
  test(`a found file is refused: ${text}`, async (t) => {
    assertRefused(await runPreflight(DEMO, {}, { cwd: createFolder(t, text) }), problem);
  });

test("a found file accepts risks and sets limits, and one line says so", async (t) => {
  const folder = createFolder(t, `accept: ${ACCEPT}\nsettings: {check-timeout: 2m, concurrency: 2}\n`);
  const line =
    "preflight: .preflight.yaml of this folder accepts 5 risks (CrdServedVersionRemoved, CustomResourceFieldsFrozen, DrainBlockedByDisruptionBudget and 2 more) and sets check-timeout to 2m and concurrency to 2; --no-config leaves it out\n";
  for (const flags of [[], ["--quiet"], ["-o", "json"]]) {
    const { code, err } = await runPreflight([...DEMO, "--fail-on", "risk", ...flags], {}, { cwd: folder });
    assert.deepEqual([code, err], [0, line]);
  }
  const { code, err } = await runPreflight(
    [...DEMO, "--fail-on", "risk", "--config", ".preflight.yaml"],
    {},
    { cwd: folder },
  );
  assert.deepEqual([code, err], [0, ""], "the user knows the file that he named");
});

test("an entry whose last day is over is not among what the file accepts, unless what is judged is older", async (t) => {
  const lapsed = "{risk: CrdRefused, reason: r, until: 2020-01-31}";
  const both = createFolder(t, `accept: [${lapsed}, {risk: CustomResourceFieldsFrozen, reason: r}]\n`);
  const { err } = await runPreflight(DEMO, {}, { cwd: both });
  assert.match(
    err,
    /^preflight: \.preflight\.yaml of this folder accepts 1 risk \(CustomResourceFieldsFrozen\); --no-config/,
  );
  const alone = await runPreflight(DEMO, {}, { cwd: createFolder(t, `accept: [${lapsed}]\n`) });
  assert.doesNotMatch(alone.err, /of this folder/);
  const archive = ["check", "--must-gather", "/nonexistent", "--target-version", "4.18.6"];
  assert.match(
    (await runPreflight(archive, {}, { cwd: both })).err,
    /of this folder accepts 2 risks \(CrdRefused and Custom/,
  );
});

test("fleet says it once, whatever the number of its processes", async (t) => {
  const folder = createFolder(t, "accept: [{risk: CrdRefused, reason: r}]\n");
  const { path } = writeKubeconfig(folder);
  const { err } = await runPreflight(["fleet", ...RELEASE, "--kubeconfig", path], {}, { cwd: folder });
  assert.equal(err.split("\n").filter((line) => line.includes("of this folder")).length, 1, err);
});

test("a found file that holds nothing needs no line", async (t) => {
  for (const text of ["", "accept: []\n", "# nothing\n"])
    assert.equal((await runPreflight(DEMO, {}, { cwd: createFolder(t, text) })).err, "");
});

test("--no-config leaves out the found file, and the one of the variable", async (t) => {
  const folder = createFolder(t, `accept: ${ACCEPT}\nsettings: {fail-on: never}\n`);
  const variable = { PREFLIGHT_CONFIG: ".preflight.yaml" };
  for (const env of [{}, variable]) {
    const { code, err } = await runPreflight([...DEMO, "--no-config"], env, { cwd: folder });
    assert.deepEqual([code, err], [3, ""]);
  }
  assert.equal((await runPreflight(DEMO, variable, { cwd: folder })).code, 0);
  const both = await runPreflight([...DEMO, "--no-config", "--config", "a"], {}, { cwd: folder });
  assert.deepEqual([both.code, both.err], [2, "preflight: --config is given more than once\n"]);
});

test("no other setting that takes a value can be turned off", async () => {
  const { code, err } = await runPreflight([...DEMO, "--no-kubeconfig"]);
  assert.deepEqual([code, err], [2, "preflight: --no-kubeconfig is not an option: leave --kubeconfig out\n"]);
});

test("a found link is not followed, so that nothing it leads to is shown", async (t) => {
  const folder = createFolder(t);
  writeFileSync(join(folder, "id"), "-----BEGIN PRIVATE KEY-----\nsecret\n");
  symlinkSync(join(folder, "id"), join(folder, ".preflight.yaml"));
  const { code, err } = await runPreflight(DEMO, {}, { cwd: folder });
  const remedy = "name a file with --config, or use --no-config";
  assert.deepEqual([code, err], [2, `preflight: .preflight.yaml is a symbolic link: ${remedy}\n`]);
});

const NO_FILES: readonly (readonly [what: string, make: (path: string) => void, problem: RegExp])[] = [
  ["a pipe", (path) => void execFileSync("mkfifo", [path]), /is not a regular file/],
  ["a folder", (path) => mkdirSync(path), /is not a regular file/],
  ["of 2 MiB", (path) => writeFileSync(path, "#".repeat(2 << 20)), /has more than 1 MiB/],
  ["deep", (path) => writeFileSync(path, "[".repeat(1 << 19)), /is not valid YAML/],
  ["with an alias bomb", (path) => writeFileSync(path, buildAliasBomb()), /expand to more than 32 MiB/],
];
for (const [what, make, problem] of NO_FILES)
  test(`a found file that is ${what} ends the command at once`, async (t) => {
    const folder = createFolder(t);
    make(join(folder, ".preflight.yaml"));
    const { code, out, err } = await runPreflight(DEMO, {}, { cwd: folder });
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, problem);
    assert.ok(err.length < 400, err);
    assert.equal((await runPreflight([...DEMO, "--no-config"], {}, { cwd: folder })).code, 3);
  });

function buildAliasBomb(): string {
  const lines = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`);
  return ["a0: &a0 [x]", ...lines].join("\n");
}

test("a configuration in a pipe is read once", async (t) => {
  const script = `printf '%s' "$CONFIG" | "$@" --config /dev/stdin`;
  const words = ["-c", script, "sh", ...START, ...DEMO, "--fail-on", "risk"];
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...START_ENV, CONFIG: `accept: ${ACCEPT}` };
  const out = execFileSync("sh", words, { cwd: createFolder(t), env, encoding: "utf8" });
  assert.match(out, /5 of them accepted/);
});
