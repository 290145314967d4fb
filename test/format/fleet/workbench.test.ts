import assert from "node:assert/strict";
import { test } from "node:test";
import { parseClusterResult, type FleetCluster } from "../../../src/format/fleet/cluster.ts";
import { buildFleet, buildMoment } from "../../../src/format/fleet/fleet.ts";
import { describeFixes } from "../../../src/format/fleet/fleet-overview.ts";
import { findGroup, groupClusters, type GroupRule } from "../../../src/format/fleet/groups.ts";
import { type Wave, buildTrend, findWave, orderFixes } from "../../../src/format/fleet/waves.ts";
import { FURTHER_RISKS, FURTHER_RISKS_URL } from "../../../src/model/document.ts";
import { context, NOW, readSample, TEXTS, writeDocument } from "../../../verify/pages/fleet-sample.ts";
import { check, createUnknown, risk } from "../../../verify/pages/sample.ts";

const CLEAR = { kind: "clear", notices: [] } as const;
const RISKY = { kind: "risk", findings: [], notices: [] } as const;
const INCOMPLETE = { kind: "unknown", findings: [], notices: [], unknowns: [createUnknown("nodes")] } as const;

/** A result with these risks, each of a check of its own, and a check that is clear. */
function write(names: readonly string[], more: object = {}): string {
  const checks = [...names.map((name) => check(name.toLowerCase(), RISKY)), check("zero", CLEAR)];
  return writeDocument({ checks, risks: names.map((name) => risk(name, { check: name.toLowerCase() })) }, more);
}

function parse(name: string, text: string): Promise<FleetCluster> {
  return parseClusterResult(name, text, context);
}

const WAVES: Readonly<Record<string, string>> = {
  "prod-refused": "afterTwo",
  "prod-broken": "afterOne",
  "edge-failed": "notSaid",
  "edge-invalid": "notSaid",
  "edge-page": "notSaid",
  "edge-expired": "notSaid",
  "edge-stale": "notSaid",
  "edge-running": "notSaid",
  "lab-incomplete": "notSaid",
  "prod-accepted": "now",
  "lab-clear": "now",
  "prod-updated": "updated",
};

test("each cluster is in one wave, and one without a whole result in none that becomes clear", async () => {
  const { columns, waves } = await readSample();
  assert.deepEqual(Object.fromEntries(columns.map((cluster) => [cluster.name, findWave(cluster)])), WAVES);
  assert.deepEqual(waves, { now: 2, afterOne: 1, afterTwo: 1, afterMore: 0, notSaid: 7, updated: 1 });
});

const UNSAID: readonly (readonly [title: string, text: string, reason: string, message: RegExp])[] = [
  [
    "beside whose risk a check is incomplete",
    writeDocument({ checks: [check("one", RISKY), check("two", INCOMPLETE)], risks: [risk("A", { check: "one" })] }),
    "NotComplete",
    /^Without a verdict: two\.$/,
  ],
  [
    "whose risk's own check is incomplete",
    writeDocument({ checks: [check("one", INCOMPLETE)], risks: [risk("A", { check: "one" })] }),
    "NotComplete",
    /^Without a verdict: one\.$/,
  ],
  ["that says that it is not complete", write(["A"], { complete: false }), "NotComplete", /names none/],
  ["that does not say whether it is complete", write(["A"], { complete: undefined }), "NotComplete", /./],
  [
    "that skips a minor",
    write(["A"], { complete: false, minorsBetween: ["4.18"], coverage: {} }),
    "SeveralUpdates",
    /^4\.18 lies between/,
  ],
  [
    "that has no room for all of its risks",
    JSON.stringify({
      ...JSON.parse(write(["A"])),
      risks: [
        ...JSON.parse(write(["A"])).risks,
        { ...JSON.parse(write([FURTHER_RISKS])).risks[0], url: FURTHER_RISKS_URL },
      ],
    }),
    "FurtherRisks",
    /no room/,
  ],
];
for (const [title, text, reason, message] of UNSAID)
  test(`nobody says that a fix makes a cluster clear ${title}`, async () => {
    const cluster = await parse("a", text);
    assert.equal(cluster.verdict, "risk");
    assert.ok(cluster.outlook.kind === "notSaid");
    assert.equal(cluster.outlook.problem.reason, reason);
    assert.match(cluster.outlook.problem.message, message);
    const { fixes, waves } = buildFleet({ clusters: [cluster, await parse("b", write([]))], target: "x", now: NOW });
    assert.deepEqual([waves.now, waves.afterOne, waves.notSaid], [1, 0, 1]);
    assert.ok(fixes.every(({ alone, gain, clear }) => alone === 0 && gain === 0 && clear === 1));
  });

async function parseAll(lists: Readonly<Record<string, readonly string[]>>): Promise<readonly FleetCluster[]> {
  return Promise.all(Object.entries(lists).map(([name, names]) => parse(name, write(names))));
}

test("what to mend is in the order in which most clusters become clear", async () => {
  const clusters = await parseAll({ a: ["B"], b: ["B"], c: ["A", "B"], d: ["A", "C"], e: ["A", "C"], f: ["A"], g: [] });
  const { fixes } = buildFleet({ clusters, target: "x", now: NOW });
  assert.deepEqual(
    fixes.map(({ risk: { name }, clusters: own, alone, gain, clear }) => [name, own, alone, gain, clear]),
    [
      ["B", 3, 2, 2, 3],
      ["A", 4, 1, 2, 5],
      ["C", 2, 0, 2, 7],
    ],
  );
  const fleet = buildFleet({ clusters, target: "x", now: NOW });
  assert.deepEqual(describeFixes(fleet), ["Mend B and 2 clusters become clear: 3 of 7 then."]);
  const reversed = orderFixes(clusters.toReversed(), fleet.risks.toReversed());
  assert.deepEqual(
    reversed.map(({ risk: { name } }) => name),
    ["B", "A", "C"],
    "whatever the order of the clusters",
  );
});

test("where no fix alone makes a cluster clear, the first fixes do so together", async () => {
  const clusters = await parseAll({ a: ["A", "B"], b: ["A", "C"], c: ["A", "B", "C"] });
  const fleet = buildFleet({ clusters, target: "x", now: NOW });
  assert.deepEqual(describeFixes(fleet), ["Mend A and B and 1 cluster becomes clear: 1 of 3 then."]);
  const none = buildFleet({ clusters: [await parse("a", TEXTS["lab-incomplete"] ?? "")], target: "x", now: NOW });
  assert.deepEqual([none.fixes, describeFixes(none)], [[], []]);
  const partial = writeDocument({ checks: [check("one", INCOMPLETE)], risks: [risk("A", { check: "one" })] });
  const unsaid = buildFleet({ clusters: [await parse("a", partial)], target: "x", now: NOW });
  assert.deepEqual(describeFixes(unsaid), ["No fix is known to make a cluster clear. It can't be said of 1 cluster."]);
});

test("an accepted risk is not to be mended", async () => {
  const cluster = await parse("a", write(["AcceptedRisk", "B"]));
  assert.deepEqual(cluster.outlook, { kind: "fixes", fixes: ["B"] });
});

test("of a result nothing is kept that grows with the cluster", async () => {
  const finding = { risk: "A", object: { apiVersion: "v1", kind: "Node", name: "worker-77" }, message: "m" };
  const value = JSON.parse(write(["A"]));
  const texts = [1, 1_000].map((count) => {
    const checks = value.checks.map((one: object) => ({
      ...one,
      findings: Array.from({ length: count }, () => finding),
    }));
    return JSON.stringify({ ...value, coverage: {}, checks });
  });
  const [few, many] = await Promise.all(texts.map((text) => parse("a", text)));
  assert.deepEqual(many, few);
  assert.ok(!JSON.stringify(many).includes("worker-77"), "no object");
});

const LIST: GroupRule = {
  kind: "list",
  groups: [
    { name: "late", patterns: ["prod-*"] },
    { name: "canary", patterns: ["lab-clear", "prod-updated"] },
    { name: "nobody", patterns: ["none"] },
  ],
};
const GROUPS: readonly (readonly [title: string, rule: GroupRule, groups: readonly (readonly [string?, number?])[]])[] =
  [
    [
      "a part of the name",
      { kind: "part", number: 1 },
      [
        ["edge", 6],
        ["lab", 2],
        ["prod", 4],
      ],
    ],
    [
      "a list, in its order",
      LIST,
      [
        ["late", 4],
        ["canary", 1],
        [undefined, 7],
      ],
    ],
    ["a part that no name has", { kind: "part", number: 9 }, [[undefined, 12]]],
  ];
for (const [title, rule, groups] of GROUPS)
  test(`clusters are grouped by ${title}`, async () => {
    const fleet = await readSample(TEXTS, { groupBy: rule });
    assert.deepEqual(
      fleet.groups.map(({ name, clusters }) => [name, clusters.length]),
      groups,
    );
    assert.equal(
      fleet.groups.reduce((sum, { waves }) => sum + Object.values(waves).reduce((a, b) => a + b), 0),
      12,
    );
  });

test("clusters are grouped by a label of the hub's", async () => {
  const cluster = await parse("a", TEXTS["lab-clear"] ?? "");
  const managed = { name: "a", labels: new Map([["region", "eu"]]) };
  const rule = { kind: "label", key: "region" } as const;
  assert.deepEqual([findGroup({ ...cluster, managed }, rule), findGroup(cluster, rule)], ["eu", undefined]);
  assert.deepEqual(groupClusters([cluster], undefined), []);
});

test("a trend says how many were how far, and what has changed since the last time", async () => {
  const clusters = await parseAll({ mended: [], worse: ["A"], same: [], added: ["A"] });
  const unread = await parse("unread", "<html>");
  const now = buildMoment([...clusters, unread], "2026-03-01T12:00:00Z");
  const earlier: readonly (readonly [string, Wave])[] = [
    ["mended", "afterOne"],
    ["worse", "now"],
    ["same", "updated"],
    ["unread", "afterMore"],
    ["gone", "now"],
  ];
  const before = { observedAt: "2026-02-01T00:00:00Z", clusters: earlier };
  const first = { observedAt: "2026-01-01T00:00:00Z", clusters: [] };
  const trend = buildTrend([before, first], now);
  assert.deepEqual(
    trend?.points.map(({ observedAt, waves: counts }) => [observedAt.slice(0, 10), counts.now, counts.notSaid]),
    [
      ["2026-01-01", 0, 0],
      ["2026-02-01", 2, 0],
      ["2026-03-01", 2, 1],
    ],
  );
  assert.deepEqual(trend?.changes, {
    ready: ["mended"],
    noLongerClear: ["worse"],
    noLongerSaid: ["unread"],
    added: ["added"],
    gone: ["gone"],
  });
  assert.equal(buildTrend([], now), undefined);
});

test("clusters of one name are counted, and neither is said to have become clear", () => {
  const before = { observedAt: "2026-02-01T00:00:00Z", clusters: [["a", "afterOne"]] as const };
  const now = {
    observedAt: "2026-03-01T00:00:00Z",
    clusters: [
      ["a", "afterOne"],
      ["a", "now"],
    ] as const,
  };
  const trend = buildTrend([before], now);
  assert.deepEqual([trend?.points[1]?.waves.now, trend?.changes.ready, trend?.changes.noLongerSaid], [1, [], ["a"]]);
});
