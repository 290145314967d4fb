import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { isObject, objectAt, parseObject, textAt } from "../../../../src/model/json.ts";
import { buildVariants, readRecording } from "../../../../verify/fleet/recorded-cluster.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();
const TARGET = ["--target", "demo/release"];
const MIXED = join(folder, "mixed");
const RESULTS = join(folder, "results");

/** Recordings of a clear cluster, of one with an incomplete check and of one with risks; results of the first two, and a must-gather of nothing. */
before(async () => {
  const [demo = {}, clear = {}, forbidden = {}] = buildVariants(readRecording("demo/cluster.json"));
  for (const [name, recording] of Object.entries({ "prod-1": clear, "prod-2": forbidden, "lab-1": demo })) {
    mkdirSync(join(MIXED, "recorded", name), { recursive: true });
    writeFileSync(join(MIXED, "recorded", name, "cluster.json"), JSON.stringify(recording));
  }
  mkdirSync(RESULTS, { recursive: true });
  for (const name of ["prod-1", "prod-2"]) {
    const recorded = join(MIXED, "recorded", name);
    const { out } = await runPreflight(["check", "--recorded", recorded, ...TARGET, "-o", "json"]);
    writeFileSync(join(RESULTS, `${name}.json`), out);
  }
  mkdirSync(join(MIXED, "results"));
  // It has the name of a recording, and is a result.
  cpSync(join(RESULTS, "prod-1.json"), join(MIXED, "results", "cluster.json"));
  mkdirSync(join(MIXED, "archives", "edge-1", "must-gather.local.7", "image-sha256-0f", "cluster-scoped-resources"), {
    recursive: true,
  });
});

async function run(...args: readonly string[]) {
  const { code, out, err } = await runPreflight(["fleet", ...args, "-o", "json"]);
  const value = parseObject(out);
  const clusters = new Map(
    (Array.isArray(value?.["clusters"]) ? value["clusters"] : [])
      .filter(isObject)
      .map((one) => [textAt(one, "name") ?? "", one]),
  );
  const waves = Object.fromEntries([...clusters].map(([name, one]) => [name, textAt(one, "wave")]));
  return { code, err, value, clusters, waves };
}

test("results, recordings and must-gathers of folders are one fleet, and those without a whole result clear in no wave", async () => {
  const { code, err, value, clusters, waves } = await run("--from", MIXED, ...TARGET, "--results", join(folder, "own"));
  assert.equal(code, 3, err);
  assert.deepEqual(waves, {
    "archives/edge-1": "notSaid",
    "recorded/lab-1": "notSaid",
    "recorded/prod-1": "now",
    "recorded/prod-2": "notSaid",
    "results/cluster": "now",
  });
  assert.equal(textAt(clusters.get("recorded/lab-1"), "verdict"), "risk");
  assert.equal(textAt(clusters.get("archives/edge-1"), "verdict"), "failed");
  assert.match(textAt(clusters.get("recorded/lab-1"), "notSaid", "message") ?? "", /^Without a verdict: crd-skew\.$/);
  assert.equal(textAt(value, "target"), "demo/release");
});

test("the same input gives the same output", async () => {
  const args = ["fleet", "--from", `${MIXED}/recorded,${RESULTS}`, ...TARGET, "--results", join(folder, "same")];
  const first = await runPreflight(args);
  const second = await runPreflight(args);
  assert.equal(first.out, second.out);
  assert.match(first.out, /^5 clusters to demo\/release: /);
});

test("one recorded cluster is named after its folder", async () => {
  const own = ["--results", join(folder, "one")];
  const { waves } = await run("--from", join(MIXED, "recorded", "prod-1"), ...TARGET, ...own);
  assert.deepEqual(waves, { "prod-1": "now" });
});

const HUB = {
  items: [
    ["prod-1", "eu"],
    ["prod-2", "us"],
    ["edge-9", "us"],
  ],
};

test("a hub says the labels, and which clusters have no result", async () => {
  const hub = join(folder, "hub.json");
  const items = HUB.items.map(([name, region]) => ({ kind: "ManagedCluster", metadata: { name, labels: { region } } }));
  writeFileSync(hub, JSON.stringify({ kind: "List", items }));
  const { value, clusters, waves } = await run("--from", `${RESULTS},${hub}`, "--group-by", "label=region");
  assert.deepEqual(waves, { "edge-9": "notSaid", "prod-1": "now", "prod-2": "notSaid" });
  assert.deepEqual(objectAt(clusters.get("prod-1"), "managedCluster"), { name: "prod-1", labels: { region: "eu" } });
  assert.equal(textAt(clusters.get("edge-9"), "problem", "reason"), "NoResult");
  const groups = Array.isArray(value?.["groups"]) ? value["groups"] : [];
  assert.deepEqual(
    groups.map((group) => textAt(group, "name")),
    ["eu", "us"],
  );
});

test("a file of one's own groups by names and patterns, and says which no cluster has", async () => {
  const file = join(folder, "groups.yaml");
  writeFileSync(file, "canary: [prod-1]\nothers: ['prod-*', lba-1]\n");
  const { err, clusters } = await run("--from", RESULTS, "--group-by", file);
  assert.match(err, /No cluster is called lba-1, as --group-by says/);
  assert.deepEqual(
    [...clusters].map(([name, one]) => [name, textAt(one, "group")]),
    [
      ["prod-2", "others"],
      ["prod-1", "canary"],
    ],
  );
});

test("a trend is of a folder of earlier results, or of what an earlier fleet wrote", async () => {
  const earlier = join(folder, "earlier.json");
  const { value, waves } = await run("--from", RESULTS);
  assert.deepEqual(waves, { "prod-1": "now", "prod-2": "notSaid" });
  const clusters = (Array.isArray(value?.["clusters"]) ? value["clusters"] : []).filter(isObject);
  const before = clusters.map((one) => ({ ...one, wave: "afterTwo" }));
  writeFileSync(earlier, JSON.stringify({ ...value, observedAt: "2026-01-01T00:00:00Z", clusters: before }));
  const since = await run("--from", RESULTS, "--since", `${RESULTS},${earlier}`);
  const points = since.value?.["trend"];
  assert.ok(isObject(points) && Array.isArray(points["points"]));
  assert.deepEqual(
    points["points"].map((point) => objectAt(point, "waves")["now"]),
    [0, 1, 1],
    "the oldest first, whatever the order of the flags",
  );
  const changed = await runPreflight(["fleet", "--from", RESULTS, "--since", earlier]);
  assert.match(changed.out, /1 became clear or was updated \(prod-1\); 1 can no longer be judged\s\(prod-2\)\./);
});

const REFUSED: readonly (readonly [title: string, code: number, args: readonly string[], fault: RegExp])[] = [
  ["a recording without a target", 2, ["--from", MIXED], /holds a cluster's objects and no result: .* --to VERSION/],
  [
    "monitoring of a recording",
    2,
    ["--from", MIXED, ...TARGET, "--promql", "route"],
    /--promql asks the monitoring of a live cluster/,
  ],
  ["a label without a hub", 2, ["--from", RESULTS, "--group-by", "label=region"], /oc get managedclusters -o json/],
  ["an unfinished group", 2, ["--from", RESULTS, "--group-by", "name=first"], /is incomplete: write label=KEY, name=1/],
  ["a file that is not there", 2, ["--from", RESULTS, "--group-by", "none.yaml"], /none\.yaml can't be read: .* write/],
  ["earlier results that are none", 1, ["--from", RESULTS, "--since", "demo/release"], /demo\/release has no result/],
];
for (const [title, code, args, fault] of REFUSED)
  test(`is refused with what to write: ${title}`, async () => {
    const { code: own, err } = await run(...args);
    assert.equal(own, code, err);
    assert.match(err, fault);
  });
