import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { at, isObject, type JsonObject, listAt, numberAt, textAt } from "../../../../src/model/json.ts";
import { assertVisible, assertVisibleValue, HOSTILE } from "../../../../verify/shared/hostile-text.ts";
import { spawnPreflight } from "../../../../verify/shared/preflight.ts";
import { buildGraphJson } from "../../../../verify/fuzz/graph-sample.ts";
import { writeDemoRelease } from "../../../support/cli/demo-release.ts";
import { connect } from "../../../support/cli/mcp-client.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";
import { nightly } from "../../../support/cases/sample.ts";

const folder = createTemporaryFolder();
let client: Client;

before(async () => {
  await writeDemoRelease(join(folder, "4.19.4"), "4.19.4");
  const releases = ["--release", "demo/release", "--release", join(folder, "4.19.4")];
  client = await connect(["--recorded", "demo", ...releases]);
});
after(async () => {
  await client.close();
});

/** The structured result, which the client has held to the tool's outputSchema. */
async function call(name: string, given: Record<string, unknown>): Promise<JsonObject> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: given });
  assert.notEqual(isError, true, JSON.stringify(content));
  const [first] = content;
  assert.ok(first?.type === "text" && isObject(structuredContent));
  assert.deepEqual(JSON.parse(first.text), structuredContent);
  return structuredContent;
}

async function fail(name: string, given: Record<string, unknown>): Promise<string> {
  const { isError, content } = await client.callTool({ name, arguments: given });
  const [first] = content;
  assert.ok(isError === true && first?.type === "text" && content.length === 1);
  assert.doesNotMatch(first.text, /\n/);
  return first.text;
}

test("every tool only reads, and describes its arguments and its result", async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["check", "plan", "explain", "compare"],
  );
  for (const { annotations, inputSchema, outputSchema, description } of tools) {
    assert.equal(annotations?.readOnlyHint, true);
    assert.equal(annotations.destructiveHint, false);
    assert.deepEqual([inputSchema["type"], outputSchema?.["type"]], ["object", "object"]);
    assert.ok(description !== undefined && description.length > 40);
  }
});

test("check lists the risks of an update in the order of work", async () => {
  const result = await call("check", { to: "4.18", maxObjects: 2 });
  assert.deepEqual(
    [textAt(result, "verdict"), textAt(result, "sourceVersion"), textAt(result, "targetVersion")],
    ["risks", "4.17.20", "4.18.6"],
  );
  const risks = listAt(result, "risks");
  assert.deepEqual(
    risks.map((risk) => textAt(risk, "name")),
    [
      "OperatorIncompatibleWithNextMinor",
      "DrainBlockedByDisruptionBudget",
      "OVNSeveralClusterNetworksBreakPods",
      "CrdServedVersionRemoved",
      "CustomResourceFieldsFrozen",
    ],
  );
  const frozen = risks.at(-1) ?? null;
  assert.deepEqual([listAt(frozen, "objects").length, numberAt(frozen, "omittedObjects")], [2, 3]);
  assert.match(textAt(risks[1], "objects", 0, "fix", 0) ?? "", /^oc -n shop patch poddisruptionbudget/);
  assert.equal(textAt(result, "unknowns", 0, "check"), "crd-skew");
});

test("what is accepted does not decide, and what could not be checked is not clear", async () => {
  const accept = ["DrainBlockedByDisruptionBudget"];
  const narrow = await call("check", { to: "4.18.6", only: ["drain-blocked"], accept });
  assert.equal(textAt(narrow, "verdict"), "incomplete", "the other checks were left out");
  assert.equal(textAt(narrow, "unknowns", 0, "reason"), "LeftOut");
  const all = [...accept, "PreflightChecksLeftOut"];
  const accepted = await call("check", { to: "4.18.6", only: ["drain-blocked"], accept: all });
  assert.deepEqual([textAt(accepted, "verdict"), at(accepted, "risks", 0, "accepted")], ["clear", true]);
  const unread = await call("check", {
    to: "4.18.6",
    only: ["crd-skew"],
    accept: ["CrdServedVersionRemoved", "CustomResourceFieldsFrozen"],
  });
  assert.equal(textAt(unread, "verdict"), "incomplete");
});

test("plan checks each step with its own release", { skip: nightly }, async () => {
  const plan = await call("plan", { to: "4.19", only: ["drain-blocked", "admin-acks", "etcd-health"] });
  assert.deepEqual([textAt(plan, "verdict"), textAt(plan, "basis")], ["risks", "rule"]);
  const steps = listAt(plan, "steps");
  assert.deepEqual(
    steps.map((step) => [textAt(step, "targetVersion"), textAt(step, "risks", 0, "name")]),
    [
      ["4.18.6", "DrainBlockedByDisruptionBudget"],
      ["4.19.4", "AdminAckMissingOnTheWay"],
    ],
  );
  assert.equal(textAt(steps[1], "pending", 0, "id"), "admin-acks");
});

test("explain has the text that people read", async () => {
  const { out } = await spawnPreflight(["explain", "DrainBlockedByDisruptionBudget"]);
  assert.equal(textAt(await call("explain", { name: "DrainBlockedByDisruptionBudget" }), "text"), out);
});

test("compare takes results of the session and files", { skip: nightly }, async () => {
  const all = await call("check", { to: "4.18.6" });
  const some = await call("check", { to: "4.18.6", skip: ["dual-stack"] });
  const comparison = await call("compare", { old: textAt(all, "resultId"), new: textAt(some, "resultId") });
  assert.deepEqual([at(comparison, "isWorse"), at(comparison, "isLessKnown")], [false, true]);
  const { out } = await spawnPreflight(["check", "--recorded", "demo", "--target", "demo/release", "-o", "json"]);
  const file = join(folder, "result.json");
  await writeFile(file, out);
  const same = await call("compare", { old: file, new: textAt(all, "resultId") });
  assert.deepEqual([at(same, "isWorse"), at(same, "isLessKnown")], [false, false]);
});

const FAULTS: readonly (readonly [name: string, given: Record<string, unknown>, fault: RegExp])[] = [
  ["check", {}, /^give the argument to, or targetVersion$/],
  ["check", { to: "4.18", target: "/etc" }, /^no argument is called "target"/],
  ["check", { to: 4.18 }, /^the argument to must be a text$/],
  ["check", { to: "next" }, /^--to "next" is not a version: use a form such as 4\.20\.8, 4\.20 or latest$/],
  // A value is never a flag.
  ["check", { to: "4.18", only: ["--kubeconfig=/etc/passwd"] }, /^no check has the id "--kubeconfig=\/etc\/passwd"/],
  ["check", { to: "--help" }, /^--to "--help" is not a version/],
  ["check", { to: "4.18", context: "other" }, /^no argument is called "context"/],
  ["plan", {}, /^the argument to is missing$/],
  ["explain", { name: "DrainBlok" }, /^no check or risk is called "DrainBlok": did you mean/],
  ["explain", { name: "--help" }, /^no check or risk is called "--help"/],
  ["compare", { old: "check-99", new: "-" }, /^reading check-99: it does not exist/],
  ["accept", { name: "A" }, /^no tool is called "accept"$/],
];
for (const [name, given, fault] of FAULTS)
  test(`${name} ${JSON.stringify(given)} is an error in one line`, async () => {
    assert.match(await fail(name, given), fault);
  });

test("what the server's graph publishes, and nobody has evaluated, is not clear", async (context) => {
  const graph = join(folder, "graph.json");
  const rules = [{ type: "PromQL", promql: { promql: "max(demo)" } }];
  const risks = [{ name: "DemoRisk", message: "Pods restart.", url: "https://example.com/", matchingRules: rules }];
  const conditionalEdges = [{ edges: [{ from: "4.17.20", to: "4.18.6" }], risks }];
  const whole = {
    ...buildGraphJson([
      ["4.17.20", "4.17.30"],
      ["4.18.6", "4.18.7"],
    ]),
    conditionalEdges,
  };
  await writeFile(graph, JSON.stringify(whole));
  const server = await connect(["--recorded", "demo", "--release", "demo/release", "--graph", graph]);
  context.after(() => server.close());
  const only = ["conditional-updates"];
  const { structuredContent } = await server.callTool({ name: "check", arguments: { to: "4.18.6", only } });
  assert.ok(isObject(structuredContent));
  const { verdict, complete, recommendation, unknowns } = structuredContent;
  assert.deepEqual([verdict, complete, recommendation], ["incomplete", false, "conditional"]);
  assert.match(JSON.stringify(unknowns), /risk DemoRisk of 4\.18\.6.*Pods restart.*https:\/\/example\.com\//);
});

test("the server outlives a check that runs out of memory", { timeout: 60_000, skip: nightly }, async (context) => {
  const huge = join(folder, "huge.json");
  await writeFile(huge, `{"/api/v1/pods":{"items":[${"{},".repeat(4_000_000)}{}]}}`);
  const server = await connect(["--recorded", huge], { NODE_OPTIONS: "--max-old-space-size=48" });
  context.after(() => server.close());
  const { isError, content } = await server.callTool({ name: "check", arguments: { targetVersion: "4.18.6" } });
  assert.equal(isError, true);
  assert.match(JSON.stringify(content), /"out of memory: 48 MiB of heap are not enough\./);
  const explained = await server.callTool({ name: "explain", arguments: { name: "drain-blocked" } });
  assert.notEqual(explained.isError, true);
});

test("the server ends with its stdin", { timeout: 60_000 }, async () => {
  const { code, out, err } = await spawnPreflight(["mcp", "--recorded", "demo"]);
  assert.deepEqual([code, out, err], [0, "", ""]);
});

test("a client of an earlier protocol is served", { timeout: 60_000, skip: nightly }, async (context) => {
  const earlier = await connect(["--recorded", "demo"], {}, { supportedProtocolVersions: ["2025-03-26"] });
  context.after(() => earlier.close());
  assert.equal((await earlier.listTools()).tools.length, 4);
});

test("an assistant reads nothing that a person can't see", async (t) => {
  const recorded = join(folder, "hostile");
  await cp("demo", recorded, { recursive: true });
  const recording = await readFile(join(recorded, "cluster.json"), "utf8");
  await writeFile(join(recorded, "cluster.json"), recording.replaceAll('"billing"', JSON.stringify(HOSTILE)));
  const hostile = await connect(["--recorded", recorded, "--release", "demo/release"]);
  t.after(() => hostile.close());
  for (const name of ["check", "plan"]) {
    const result = await hostile.callTool({ name, arguments: { to: "4.18.6", only: ["crd-skew"] } });
    assert.match(JSON.stringify(result), /U\+E0041/, name);
    assertVisibleValue(JSON.parse(JSON.stringify(result.structuredContent)), name);
    for (const one of result.content) if (one.type === "text") assertVisible(one.text, name);
  }
});
