import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import type { JsonObject } from "../../../../src/model/json.ts";
import { startFleet } from "../../../../verify/fleet/clusters.ts";
import { readRecording } from "../../../../verify/fleet/recorded-cluster.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { buildGraphJson } from "../../../../verify/fuzz/graph-sample.ts";
import { writeDemoRelease } from "../../../support/cli/demo-release.ts";
import { TELLING } from "../../../support/format/outputs.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const PROMQL = { type: "PromQL", promql: { promql: "max(demo)" } };
const RISK = { name: "DemoRisk", message: "Pods of demo cards restart.", url: "https://example.com/demo-risk" };
const TARGET = ["--target", "demo/release"];
/** Nothing else decides on the exit code. */
const ONLY = ["--only", "conditional-updates", "--accept", "PreflightChecksLeftOut"];

const folder = createTemporaryFolder();
before(async () => {
  await writeGraph("promql", [PROMQL]);
  await writeGraph("always", [{ type: "Always" }]);
  const recommended = buildGraphJson([["4.17.20", "4.18.6"]]);
  await writeFile(join(folder, "recommended"), JSON.stringify(recommended));
  await writeDemoRelease(join(folder, "4.19.4"), "4.19.4");
});

/** A graph that offers 4.18.6 to the demo's 4.17.20, and 4.19.4 to that, with one condition each. */
async function writeGraph(name: string, matchingRules: readonly JsonObject[]): Promise<void> {
  const graph = buildGraphJson([["4.17.20", "4.17.30"]], [["4.18.6", "4.19.4"]]);
  const conditionalEdges = [
    { edges: [{ from: "4.17.20", to: "4.18.6" }], risks: [{ ...RISK, matchingRules }] },
    { edges: [{ from: "4.18.6", to: "4.19.4" }], risks: [{ ...RISK, name: "LaterRisk", matchingRules }] },
  ];
  await writeFile(join(folder, name), JSON.stringify({ ...graph, conditionalEdges }));
}

const withGraph = (name: string): readonly string[] => ["--graph", join(folder, name)];
const run = (command: string, ...args: readonly string[]) => runPreflight([command, "--recorded", "demo", ...args]);

type Judged = {
  readonly id: string;
  readonly outcome: string;
  readonly notices?: readonly string[];
  readonly unknowns?: readonly { readonly reason: string }[];
};

function findJudged({ checks }: { readonly checks: readonly Judged[] }): Judged {
  const judged = checks.find(({ id }) => id === "conditional-updates");
  assert.ok(judged);
  return judged;
}

async function judge(cluster: string, ...args: readonly string[]): Promise<Judged> {
  const { out } = await runPreflight(["check", "--recorded", cluster, ...TARGET, ...ONLY, "-o", "json", ...args]);
  return findJudged(JSON.parse(out));
}

/** The demo's cluster, whose ClusterVersion lists 4.18.6 with this risk. */
async function writeCluster(name: string, risk: JsonObject, recommended: JsonObject): Promise<string> {
  const cluster = JSON.parse(await readFile("demo/cluster.json", "utf8"));
  cluster[CLUSTER_VERSION].status.conditionalUpdates = [
    {
      release: { version: "4.18.6", image: "registry.example.com/release@sha256:1" },
      risks: [risk],
      conditions: [{ type: "Recommended", ...recommended }],
    },
  ];
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, "cluster.json"), JSON.stringify(cluster));
  return join(folder, name);
}

test("what a graph publishes, and nobody has evaluated, is unknown in every format", async () => {
  for (const format of TELLING) {
    const { code, out } = await run("check", ...TARGET, ...ONLY, ...withGraph("promql"), "-o", format);
    assert.equal(code, 4, format);
    const text = out.replaceAll(/\s+/g, " ");
    for (const part of Object.values(RISK)) assert.ok(text.includes(part.replace(/\.$/, "")), `${format}: ${part}`);
  }
});

test("the offer agrees with the verdict", async () => {
  const read = async (graph: string) => {
    const { out } = await run("check", ...TARGET, ...ONLY, ...withGraph(graph));
    return out.replaceAll(/\s+/g, " ");
  };
  assert.match(await read("promql"), /offers 4\.18\.6 with conditions: DemoRisk\. Whether all of them concern/);
  assert.match(await read("always"), /offers 4\.18\.6 with conditions: DemoRisk\. The check conditional-updates says/);
  assert.match(await read("recommended"), /The update service recommends 4\.18\.6\./);
});

test("what a graph publishes for every cluster is a risk, and the update is not recommended", async () => {
  const { code, out } = await run("check", ...TARGET, ...ONLY, ...withGraph("always"));
  assert.equal(code, 3, out);
  assert.match(out, /^not recommended {3}/m);
  assert.doesNotMatch(out, /^refused/m);
});

test("a folder that no graph was asked for is judged by ClusterVersion's list alone", async () => {
  assert.equal((await judge("demo")).outcome, "notApplicable");
  assert.equal((await judge("demo", ...withGraph("recommended"))).outcome, "clear");
  const { code, out } = await run("check", ...TARGET, ...ONLY, ...withGraph("recommended"));
  assert.equal(code, 0, out);
});

test("the operator's evaluation of the same rules counts, and a graph replaces what ClusterVersion lists", async () => {
  const rules = { ...RISK, matchingRules: [PROMQL] };
  const evaluated = await writeCluster("evaluated", rules, { status: "True", reason: "AsExpected", message: "" });
  assert.equal((await judge(evaluated, ...withGraph("promql"))).outcome, "clear");
  const others = { ...RISK, matchingRules: [{ ...PROMQL, promql: { promql: "min(demo)" } }] };
  const other = await writeCluster("other", others, { status: "True", reason: "AsExpected", message: "" });
  assert.equal((await judge(other, ...withGraph("promql"))).outcome, "unknown");
  const exposed = await writeCluster("exposed", rules, { status: "False", reason: RISK.name, message: "" });
  assert.equal((await judge(exposed)).outcome, "risk");
  const { outcome, notices } = await judge(exposed, ...withGraph("recommended"));
  assert.equal(outcome, "clear");
  assert.match(notices?.join() ?? "", /lists the risk DemoRisk for 4\.18\.6, but the update graph does not publish it/);
});

test("a graph that can't be read is an error, whatever names the target", async () => {
  await writeFile(join(folder, "page.html"), "<html>");
  const commands = [["check"], ["check", "--target", "demo/release"], ["playbook"], ["plan", "--to", "4.18.6"]];
  for (const [command = "", ...more] of commands)
    for (const name of ["missing.json", "page.html"]) {
      const target = command === "plan" ? [] : TARGET;
      const { code, out, err } = await run(command, ...target, ...more, ...withGraph(name));
      assert.deepEqual([code, out, err.split("\n").length], [1, "", 2], err);
      assert.match(err, /^preflight: .*(missing\.json|page\.html)/);
    }
});

test("several targets are each judged by what the graph publishes for them", async () => {
  const targets = [...TARGET, "--target", join(folder, "4.19.4")];
  const { out } = await run("check", ...targets, ...ONLY, ...withGraph("promql"), "-o", "json");
  const results: readonly { readonly result: { readonly checks: readonly Judged[] } }[] = JSON.parse(out).targets;
  assert.deepEqual(
    results.map(({ result }) => findJudged(result).outcome),
    ["unknown", "notApplicable"],
  );
});

test("a plan counts the conditions of its first update, and shows those of later ones", async () => {
  const releases = ["--release", "demo/release", "--release", join(folder, "4.19.4")];
  const args = ["--to", "4.19", ...releases, ...ONLY, ...withGraph("promql")];
  const { code, out } = await run("plan", ...args, "-o", "json");
  assert.equal(code, 4);
  const [first, second] = JSON.parse(out).steps;
  assert.equal(findJudged(first.result).unknowns?.[0]?.reason, "RuleNotEvaluated");
  assert.deepEqual([second.pending[0].id, second.publishedRisks[0].name], ["conditional-updates", "LaterRisk"]);
  const always = await run("plan", ...args.slice(0, -2), ...withGraph("always"));
  assert.equal(always.code, 3, always.out);
  assert.match(always.out, /LaterRisk/);
});

test("a playbook has the conditions of the graph as work to do", async () => {
  const { out } = await run("playbook", ...TARGET, ...ONLY, ...withGraph("promql"));
  assert.match(out, /#### Could not be checked\n[^#]*\n- \[ \] conditional-updates: risk DemoRisk of 4\.18\.6: /);
  assert.match(out, /--allow-not-recommended/);
});

test("a fleet and a recording are judged by the graph too", async (t) => {
  const fleet = await startFleet(folder, 1, readRecording("demo/cluster.json"));
  t.after(() => fleet.close());
  const flags = [...TARGET, ...ONLY, ...withGraph("promql")];
  const kubeconfig = join(fleet.kubeconfigs, "cluster-0001");
  const results = join(folder, "results");
  const given = ["fleet", ...flags, "--kubeconfig", kubeconfig, "--results", results, "-o", "json"];
  const { code, out, err } = await runPreflight(given);
  assert.equal(code, 4, err + out);
  assert.match(out, /"ConditionalUpdatesUnknown"/);
  const noGraph = given.map((word) => (word === join(folder, "promql") ? join(folder, "missing.json") : word));
  const failed = await runPreflight(noGraph);
  assert.deepEqual([failed.code, failed.out, /missing\.json/.test(failed.err)], [1, "", true], failed.err);
  const missing = ["record", ...TARGET, "--graph", join(folder, "missing.json"), "--kubeconfig", kubeconfig];
  const recorded = await runPreflight([...missing, "--dest-dir", join(folder, "recorded")]);
  assert.deepEqual([recorded.code, /missing\.json/.test(recorded.err)], [1, true], recorded.err);
});
