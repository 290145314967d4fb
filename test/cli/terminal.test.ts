import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { CLUSTER_VERSION, HISTORY, REQUEST, RESULT } from "../../src/controller/api/api-paths.ts";
import { type JsonObject, objectAt } from "../../src/model/json.ts";
import { toVisibleText } from "../../src/model/visible-text.ts";
import { clusterVersion } from "../../verify/operator/status-sample.ts";
import { type ProcessResult, runPreflight } from "../../verify/shared/preflight.ts";
import { buildFailure, startFakeCluster } from "../support/cli/fake-cluster.ts";
import { createTestIo } from "../support/cli/test-io.ts";

/** Escape sequences, C1 and DEL, a direction override, a line separator, and an injected line. */
const HOSTILE = "x\u001b]0;owned\u0007\u001b[31m\u009b2J\u007f\u202e\u2028\u0000\rNo risk is known.\ny";
const CONTROLS = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

function assertHarmless({ out, err }: Pick<ProcessResult, "out" | "err">): void {
  assert.doesNotMatch(out, CONTROLS);
  assert.doesNotMatch(err, CONTROLS);
  assert.doesNotMatch(`${out}\n${err}`, /^(?:No risk is known\.|y)/m, "no text begins a line of its own");
}

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "preflight-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function configMap(name: string): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "openshift-cluster-version", name } };
}

/** A status in which every text from outside is hostile. */
function buildHostileCluster(): ReadonlyMap<string, JsonObject> {
  const base = clusterVersion({ source: "5.0.3" });
  const conditions = ["PreflightRunning", "PreflightCompleted"].map((type) => ({
    type,
    status: HOSTILE,
    reason: HOSTILE,
    message: HOSTILE,
    lastTransitionTime: HOSTILE,
  }));
  const risk = { name: HOSTILE, message: HOSTILE, url: HOSTILE, matchingRules: [{ type: "Always" }] };
  const held = { source: "5.0.3", target: HOSTILE, observedAt: HOSTILE, risks: [risk] };
  const entry = { preflightID: "a", observedAt: HOSTILE, source: HOSTILE, target: HOSTILE, risks: [HOSTILE] };
  const document = { executionStatus: HOSTILE, observedAt: HOSTILE, validUntil: HOSTILE };
  const proposal = { problems: [{ reason: "NoRoom", message: HOSTILE }] };
  const data = {
    "held.json": JSON.stringify(held),
    "document.json": JSON.stringify(document),
    "proposal.json": JSON.stringify(proposal),
  };
  return new Map<string, JsonObject>([
    [CLUSTER_VERSION, { ...base, status: { ...objectAt(base, "status"), conditions } }],
    [
      REQUEST,
      { ...configMap("preflight-request"), data: { "to-image": `example.com/${"a"}@sha256:${"0".repeat(64)}` } },
    ],
    [RESULT, { ...configMap("preflight-result"), data }],
    [HISTORY, { ...configMap("preflight-history"), data: { "history.json": JSON.stringify([entry]) } }],
  ]);
}

test("status prints no control characters or injected lines from ClusterVersion and ConfigMaps", async (t) => {
  const objects = buildHostileCluster();
  const kubeconfig = await startFakeCluster(t, (path) => {
    const body = objects.get(path);
    return body === undefined ? undefined : { code: 200, body };
  });
  const text = await runPreflight(["status", "--kubeconfig", kubeconfig]);
  assert.equal(text.code, 3, text.err);
  assert.match(text.out, /U\+001B\]0;owned/);
  assertHarmless(text);
  const json = await runPreflight(["status", "-o", "json", "--kubeconfig", kubeconfig]);
  assertHarmless(json);
  assert.equal(JSON.parse(json.out).history[0].source, toVisibleText(HOSTILE), "the value itself is visible");
});

test("status prints no control characters from an invalid request", async (t) => {
  const request = { ...configMap("preflight-request"), data: { to: HOSTILE } };
  const kubeconfig = await startFakeCluster(t, (path) => {
    if (path === CLUSTER_VERSION) return { code: 200, body: clusterVersion() };
    return path === REQUEST ? { code: 200, body: request } : undefined;
  });
  const result = await runPreflight(["status", "--kubeconfig", kubeconfig]);
  assert.equal(result.code, 1);
  assertHarmless(result);
});

for (const command of ["status", "check --target-version 4.18.6", "check --target-version 4.18.6 -o json"]) {
  test(`'${command}' prints no control characters from a server's refusal`, async (t) => {
    const kubeconfig = await startFakeCluster(t, () => ({ code: 403, body: buildFailure(403, "Forbidden", HOSTILE) }));
    const result = await runPreflight([...command.split(" "), "--kubeconfig", kubeconfig]);
    assert.equal(result.code, 1, result.err);
    assert.match(result.err, /owned/);
    assertHarmless(result);
  });
}

test("validate prints no control characters from the file or its name", async (t) => {
  const folder = await makeFolder(t);
  for (const text of [`${HOSTILE}{`, JSON.stringify({ format: HOSTILE, [HOSTILE]: 1 })]) {
    const file = join(folder, "document\u001b[31m\u202e.json");
    await writeFile(file, text);
    const result = await runPreflight(["validate", file]);
    assert.equal(result.code, 1, result.err);
    assertHarmless(result);
  }
  assertHarmless(await runPreflight(["validate", join(folder, "\u001b]0;owned\u0007")]));
});

test("check prints no control characters from a kubeconfig", async (t) => {
  const kubeconfig = join(await makeFolder(t), "config");
  const context = { name: HOSTILE, context: { cluster: HOSTILE, user: HOSTILE } };
  await writeFile(kubeconfig, JSON.stringify({ kind: "Config", contexts: [context], "current-context": HOSTILE }));
  for (const more of [[], ["--context", "\u001b[31mother"]]) {
    const result = await runPreflight(["check", "--target-version", "4.18.6", "--kubeconfig", kubeconfig, ...more]);
    assert.notEqual(result.code, 0);
    assertHarmless(result);
  }
});

test("check prints no control characters from an object, not in the values of its JSON either", async (t) => {
  const folder = await makeFolder(t);
  await cp("demo", folder, { recursive: true });
  const recording = await readFile(join(folder, "cluster.json"), "utf8");
  const namespace = "bil\u009b2Jling\u202e\u2028";
  await writeFile(join(folder, "cluster.json"), recording.replaceAll('"billing"', JSON.stringify(namespace)));
  const args = ["check", "--recorded", folder, "--target", "demo/release", "--only", "crd-skew"];
  assertHarmless(await runPreflight(args));
  for (const format of ["json", "preflight-v1-json"]) {
    const result = await runPreflight([...args, "-o", format]);
    assertHarmless(result);
    const { checks } = JSON.parse(result.out);
    assert.ok(format !== "json" || JSON.stringify(checks).includes("bilU+009B2JlingU+202EU+2028"));
  }
});

test("only table colours reach a terminal", () => {
  const written: string[] = [];
  const io = createTestIo(written, true);
  io.out("\u001b[31mred\u001b[0m\n");
  io.outStyled("\u001b[31mred\u001b[0m \u001b[2J\u009b31m\n");
  io.err("\u001b[31m\n");
  io.progress("a\u001b[31mb\r");
  assert.deepEqual(written, [
    "U+001B[31mredU+001B[0m\n",
    "\u001b[31mred\u001b[0m U+001B[2JU+009B31m\n",
    "U+001B[31m\n",
    "\r\u001b[2KaU+001B[31mb ",
  ]);
});
