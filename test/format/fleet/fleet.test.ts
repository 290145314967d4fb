import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { getExitCode } from "../../../src/cli/session/result.ts";
import { parseClusterResult } from "../../../src/format/fleet/cluster.ts";
import { type FleetFormatOptions, fleetFormats } from "../../../src/format/fleet/index.ts";
import { buildFleet, type Fleet } from "../../../src/format/fleet/fleet.ts";
import { getCell } from "../../../src/format/result/risk-table.ts";
import { check, createUnknown, risk, version } from "../../../verify/pages/sample.ts";
import { context, NOW, readSample, TEXTS, writeDocument } from "../../../verify/pages/fleet-sample.ts";

const GOLDEN = join(import.meta.dirname, "..", "golden");
const formatAs: Readonly<Record<keyof typeof fleetFormats, (matrix: Fleet, options: FleetFormatOptions) => string>> =
  fleetFormats;
const OPTIONS = { colour: false, width: 80, runnerVersion: "0.1.0" };

const VERDICTS: readonly (readonly [name: string, verdict: string, reason: string | undefined])[] = [
  ["prod-refused", "risk", undefined],
  ["prod-broken", "risk", undefined],
  ["edge-failed", "failed", "Unauthorized"],
  ["edge-invalid", "invalid", "InvalidDocument"],
  ["edge-page", "invalid", "InvalidDocument"],
  ["edge-expired", "stale", "Stale"],
  ["edge-stale", "stale", "Stale"],
  ["edge-running", "running", "Running"],
  ["lab-incomplete", "incomplete", undefined],
  ["prod-accepted", "clear", undefined],
  ["lab-clear", "clear", undefined],
  ["prod-updated", "updated", undefined],
];

test("each result is shown as what it is, the worst first", async () => {
  const { columns: clusters } = await readSample();
  assert.deepEqual(
    clusters.map(({ name, verdict, problem }) => [name, verdict, problem?.reason]),
    VERDICTS,
  );
});

test("a cell is clear only if the check of the risk was completed", async () => {
  const matrix = await readSample();
  const row = (name: string): readonly string[] => {
    const cluster = matrix.columns.find((one) => one.name === name);
    return matrix.risks.map((one) => (cluster ? getCell(cluster, one).kind : ""));
  };
  assert.deepEqual(
    matrix.risks.map(({ name }) => name),
    ["RefusedRisk", "BrokenRisk", "AcceptedRisk", "ThreeUnknown"],
  );
  assert.deepEqual(row("prod-refused"), ["risk", "risk", "clear", "notRun"]);
  assert.deepEqual(row("prod-accepted"), ["clear", "notRun", "accepted", "notRun"]);
  assert.deepEqual(row("lab-incomplete"), ["clear", "clear", "clear", "unknown"]);
  for (const name of ["edge-failed", "edge-stale"])
    assert.deepEqual(row(name), ["notRun", "notRun", "notRun", "notRun"], name);
});

test("a risk of a check that is incomplete elsewhere is unknown there, and not clear", async () => {
  const incomplete = { kind: "unknown", unknowns: [createUnknown("nodes")], findings: [], notices: [] } as const;
  const matrix = await readSample({
    a: TEXTS["prod-broken"] ?? "",
    b: writeDocument({ checks: [check("one", incomplete)] }),
  });
  const [broken] = matrix.risks;
  assert.deepEqual(
    matrix.columns.map((cluster) => broken && getCell(cluster, broken).kind),
    ["risk", "unknown"],
  );
});

test("a result that names minors between is incomplete even if nothing was found, and a runner's names none", async () => {
  const text = writeDocument({ source: version("4.18.8") }, { complete: true });
  const runner = await parseClusterResult("a", text, context);
  assert.deepEqual([runner.verdict, runner.problem], ["clear", undefined]);
  const named = { ...JSON.parse(text), complete: false, minorsBetween: ["4.19"], coverage: {} };
  const cluster = await parseClusterResult("a", JSON.stringify(named), context);
  assert.deepEqual([cluster.verdict, cluster.problem?.reason], ["incomplete", "SeveralUpdates"]);
  assert.match(cluster.problem?.message ?? "", /^4\.19 lies between 4\.18\.8 and 4\.20\.3/);
});

test("a cluster that runs the target is counted apart, in all formats, and has no risk", async () => {
  const matrix = await readSample({ a: TEXTS["prod-updated"] ?? "", b: TEXTS["lab-clear"] ?? "" });
  assert.deepEqual([matrix.counts.updated, matrix.counts.clear, matrix.risks], [1, 1, []]);
  const verdicts = matrix.columns.map(({ verdict }) => verdict);
  assert.deepEqual([getExitCode(verdicts, "incomplete"), getExitCode(verdicts, "risk")], [0, 0]);
  assert.match(
    formatAs.table(matrix, OPTIONS),
    /^2 clusters to 4\.20: 1 clear, 1 already updated\n[^]*already \(1\)\n {2}a\n$/,
  );
  assert.match(formatAs.csv(matrix, OPTIONS), /^a,updated,4\.20\.3,4\.20\.3,/m);
  assert.match(formatAs.html(matrix, OPTIONS), /found on any cluster that does not run the target yet\./);
  const { complete, counts } = JSON.parse(formatAs.json(matrix, OPTIONS));
  assert.deepEqual([complete, counts.updated], [true, 1]);
  const all = await readSample({ a: TEXTS["prod-updated"] ?? "" });
  assert.match(formatAs.html(all, OPTIONS), /Every cluster runs the target already\./);
});

test("CRDs that are checked with the cluster's own version are no update that is done", async () => {
  const parts = { source: version("4.20.3"), checks: [check("crd-skew", CLEAR)] };
  assert.equal((await parseClusterResult("a", writeDocument(parts), context)).verdict, "clear");
});

test("a result from before the update is stale, whatever the cluster ran", async () => {
  const old = writeDocument({ source: version("4.20.3") }, { observedAt: "2026-02-20T00:00:00Z" });
  assert.equal((await parseClusterResult("a", old, context)).verdict, "stale");
});

for (const complete of [false, undefined]) {
  test(`a result whose complete is ${complete} is not clear, also if none of its checks is unknown`, async () => {
    const cluster = await parseClusterResult("a", writeDocument({}, { complete }), context);
    assert.deepEqual([cluster.verdict, cluster.problem?.reason], ["incomplete", "NotComplete"]);
  });
}

test("a fleet without a cluster is not clear in any format, and its exit code says so", async () => {
  const matrix = buildFleet({ clusters: [], target: "4.20", now: NOW });
  assert.equal(JSON.parse(formatAs.json(matrix, OPTIONS)).complete, false);
  for (const name of ["html", "markdown"] as const)
    assert.match(formatAs[name](matrix, OPTIONS), /No cluster was checked\./);
  assert.equal(formatAs.table(matrix, OPTIONS), "No cluster was checked for the update to 4.20: none is selected\n");
});

test("an accepted incomplete check leaves a cluster clear", async () => {
  const accepting = { ...context, acceptances: [{ risk: "ThreeUnknown" }] };
  const cluster = await parseClusterResult("a", TEXTS["lab-incomplete"] ?? "", accepting);
  assert.equal(cluster.verdict, "clear");
});

test("an acceptance of certain objects does not hold for a document, which names none", async () => {
  const text = TEXTS["prod-broken"] ?? "";
  const accept = (objects?: readonly string[]) => ({
    ...context,
    acceptances: [{ risk: "BrokenRisk", reason: "why", ...(objects ? { objects } : {}) }],
  });
  assert.equal((await parseClusterResult("a", text, accept())).verdict, "clear");
  assert.equal((await parseClusterResult("a", text, accept(["Node cluster"]))).verdict, "risk");
});

test("a result with an outcome that nobody knows is invalid", async () => {
  const value = JSON.parse(TEXTS["lab-clear"] ?? "");
  const text = JSON.stringify({ ...value, coverage: {}, checks: [{ id: "one", outcome: "fine" }] });
  const { verdict, problem } = await parseClusterResult("a", text, context);
  assert.deepEqual([verdict, problem?.message?.split(":")[0]], ["invalid", "checks[0].outcome"]);
});

const EXTENSIONS = { table: "txt", markdown: "md", csv: "csv", html: "html", json: "json" } as const;
const NAMES = ["table", "markdown", "csv", "html", "json"] as const;
for (const name of NAMES) {
  test(`the fleet as ${name} is as recorded`, async () => {
    const text = formatAs[name](await readSample(), OPTIONS);
    const path = join(GOLDEN, `fleet.${EXTENSIONS[name]}`);
    if (process.env["UPDATE"]) writeFileSync(path, text);
    assert.equal(text, readFileSync(path, "utf8"));
  });
}

test("the JSON matches its schema", async () => {
  const path = join(import.meta.dirname, "../../../schemas/preflight-fleet-v1.schema.json");
  const validate = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(path, "utf8")));
  const value: unknown = JSON.parse(formatAs.json(await readSample(), OPTIONS));
  assert.ok(validate(value), JSON.stringify(validate.errors));
});

test("no name of a cluster is markup in the page, and no formula in a spreadsheet", async () => {
  const name = "=1+1<script>";
  const texts = { [name]: writeDocument({ checks: [check("one", RISKY)], risks: [risk("<b>", { check: "one" })] }) };
  const matrix = await readSample(texts);
  assert.ok(!formatAs.html(matrix, OPTIONS).includes("=1+1<script>"));
  assert.match(formatAs.csv(matrix, OPTIONS), /^"'=1\+1<script>"/m);
});

const RISKY = { kind: "risk", findings: [], notices: [] } as const;
const CLEAR = { kind: "clear", notices: [] } as const;

test("a fleet of nothing but clear clusters has no matrix in the table", async () => {
  const cluster = await parseClusterResult("a", TEXTS["lab-clear"] ?? "", context);
  const text = formatAs.table(buildFleet({ clusters: [cluster], target: "4.20", now: NOW }), OPTIONS);
  assert.equal(text, "1 cluster to 4.20: 1 clear\n\nClear (1)\n  a\n");
});
