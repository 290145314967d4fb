import assert from "node:assert/strict";
import { test } from "node:test";
import { rememberObjects } from "../../src/cluster/access/object-cache.ts";
import type { Check } from "../../src/model/check.ts";
import { objectAt, textAt } from "../../src/model/json.ts";
import { each, get, valuesOf } from "../../src/model/read.ts";
import type { ReleaseProblem } from "../../src/model/release.ts";
import type { Report } from "../../src/model/report.ts";
import { type CycleInput, runCycle } from "../../src/runner/cycle.ts";
import { type FakeResponse, fakeReader } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, object, release, version, VERSION_PATH } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

const NODES = "/api/v1/nodes";
const nodes = [object("v1", "Node", "b"), object("v1", "Node", "a")];
const nameOf = (node: Parameters<typeof textAt>[0]) => textAt(node, "metadata", "name");

const LIMITS = { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 };

function buildInput(
  checks: readonly Check[],
  answers: Readonly<Record<string, FakeResponse>>,
  more: Partial<CycleInput> = {},
): CycleInput {
  return {
    selection: { checks },
    reader: fakeReader({ ...clusterRunning("4.18.8"), ...answers }),
    target: { kind: "read", version: version("4.19.3"), select: () => release("4.19.3") },
    now: new Date("2026-01-02T03:04:05Z"),
    signal: new AbortController().signal,
    limits: LIMITS,
    ...more,
  };
}

async function runAndReport(given: CycleInput): Promise<Report> {
  const result = await runCycle(given);
  if (result.kind !== "completed") assert.fail(`the cycle failed: ${JSON.stringify(result)}`);
  return result.report;
}

const getOutcomes = ({ checks }: Report) => Object.fromEntries(checks.map((check) => [check.id, check.outcome.kind]));

const buildFinding = (name: string, path?: string) => ({
  risk: "ThingBroken",
  object: { apiVersion: "v1", kind: "Node", name },
  ...(path === undefined ? {} : { path }),
  message: "it is broken",
});

test("passes each check only what it read, sorted by name, and names the objects of its findings", async () => {
  const seen: unknown[] = [];
  const check = checkWith({
    id: "Nodes",
    reads: () => ({ nodes: each("v1/nodes", nameOf) }),
    evaluate(values) {
      seen.push(values);
      return {
        findings: [
          buildFinding("n1", "spec.x"),
          buildFinding("n0"),
          buildFinding("n3"),
          buildFinding("n2"),
          buildFinding("n4"),
        ],
      };
    },
  });
  const { risks, coverage } = await runAndReport(buildInput([check], { [NODES]: nodes }));
  assert.deepEqual(seen, [{ nodes: { kind: "found", values: ["a", "b"] } }]);
  assert.equal(risks[0]?.message, "Node n0, Node n1 (spec.x), Node n2 and 2 more will break. Repair it.");
  assert.deepEqual(coverage, { kinds: 4, objects: 4, bytes: 40 });
});

test("lists a kind once for all checks that need it, and ClusterVersion once", async () => {
  const reads = () => ({
    nodes: each("v1/nodes", nameOf),
    version: get("config.openshift.io/v1/clusterversions", "version", nameOf),
  });
  const given = buildInput([checkWith({ id: "A", reads }), checkWith({ id: "B", reads })], { [NODES]: nodes });
  const reader = fakeReader({ ...clusterRunning("4.18.8"), [NODES]: nodes });
  await runAndReport({ ...given, reader: rememberObjects(reader) });
  assert.deepEqual(reader.paths.filter((path) => path === NODES || path === VERSION_PATH).toSorted(), [
    NODES,
    VERSION_PATH,
  ]);
});

test("a check that throws in evaluate, keep, reads or follow is unknown and does not affect others", async () => {
  const boom = (): never => {
    throw new Error("boom");
  };
  const reads = () => ({ nodes: each("v1/nodes", nameOf) });
  const checks = [
    checkWith({
      id: "Good",
      reads,
      evaluate: (values) => ({ findings: "nodes" in values ? [buildFinding("n")] : [] }),
    }),
    checkWith({ id: "InEvaluate", reads, evaluate: boom }),
    checkWith({ id: "InFollow", reads, follow: boom }),
    checkWith({ id: "InKeep", reads: () => ({ nodes: each("v1/nodes", boom) }) }),
    checkWith({ id: "InReads", reads: boom }),
    checkWith({ id: "Undeclared", evaluate: () => ({ findings: [{ ...buildFinding("n"), risk: "Nobody" }] }) }),
  ];
  const found = await runAndReport(buildInput(checks, { [NODES]: nodes }));
  assert.deepEqual(getOutcomes(found), {
    Good: "risk",
    InEvaluate: "unknown",
    InFollow: "unknown",
    InKeep: "unknown",
    InReads: "unknown",
    Undeclared: "unknown",
  });
  assert.deepEqual(
    found.risks.map((risk) => [risk.name, risk.unknown]),
    [
      ["InEvaluateUnknown", true],
      ["InFollowUnknown", true],
      ["InKeepUnknown", true],
      ["InReadsUnknown", true],
      ["ThingBroken", false],
      ["UndeclaredUnknown", true],
    ],
  );
});

test("a read that is forbidden or times out makes only its checks unknown, and names the object", async () => {
  const forbidden: FakeResponse = {
    kind: "failed",
    reason: "Forbidden",
    message: "nodes is forbidden: User x cannot list",
  };
  const checks = [
    checkWith({ id: "Blind", reads: () => ({ nodes: each("v1/nodes", nameOf) }) }),
    checkWith({ id: "Hung", reads: () => ({ one: get("v1/configmaps", "ns/cm", nameOf) }) }),
    checkWith({ id: "Well" }),
  ];
  const answers: Record<string, FakeResponse> = { [NODES]: forbidden, "/api/v1/namespaces/ns/configmaps/cm": "hangs" };
  const found = await runAndReport(buildInput(checks, answers, { limits: { ...LIMITS, checkTimeout: 50 } }));
  assert.deepEqual(getOutcomes(found), { Blind: "unknown", Hung: "unknown", Well: "clear" });
  const [blind, hung] = found.risks;
  assert.match(
    blind?.message ?? "",
    /could not be completed: nodes \(nodes is forbidden: User x cannot list\) could not be checked\. Grant the rights that "preflight rbac"/,
  );
  assert.match(hung?.message ?? "", /could not be completed: configmaps ns\/cm \(no answer in time\)/);
});

test("runs follow-up reads after the first reads, and reports a failed one as an unknown beside the findings", async () => {
  const check = checkWith({
    id: "Follows",
    reads: () => ({ nodes: each("v1/nodes", nameOf) }),
    follow: () => ({ pods: each("v1/pods", nameOf), secretly: each("v1/services", nameOf) }),
    evaluate(_values, _context, followed) {
      const pods = followed["pods"];
      return {
        findings:
          pods?.kind === "found" && "values" in pods ? pods.values.map((name) => buildFinding(String(name))) : [],
      };
    },
  });
  const answers: Record<string, FakeResponse> = {
    [NODES]: nodes,
    "/api/v1/pods": [object("v1", "Pod", "p")],
    "/api/v1/services": { kind: "failed", reason: "ServerError", message: "500" },
  };
  const found = await runAndReport(buildInput([check], answers));
  const [only] = found.checks;
  assert.ok(only?.outcome.kind === "unknown");
  assert.deepEqual(present(only.outcome.findings), [{ ...buildFinding("p"), see: ["oc get node/p -o yaml"] }]);
  assert.deepEqual(present(only.outcome.unknowns), [{ reason: "ServerError", where: "services", message: "500" }]);
  assert.deepEqual(
    found.risks.map((risk) => risk.name),
    ["FollowsUnknown", "ThingBroken"],
  );
});

test("an unreadable part of the payload makes only the checks that need manifests unknown", async () => {
  const problems: ReleaseProblem[] = [{ reason: "Unreadable", where: "0000_bad.yaml", message: "line 3: not YAML" }];
  const target: CycleInput["target"] = {
    kind: "read",
    version: version("4.19.3"),
    select: () => release("4.19.3", { problems }),
  };
  const checks = [checkWith({ id: "A", basis: "manifests" }), checkWith({ id: "B" })];
  const found = await runAndReport(buildInput(checks, {}, { target }));
  assert.deepEqual(getOutcomes(found), { A: "unknown", B: "clear" });
  assert.match(found.risks[0]?.message ?? "", /0000_bad\.yaml \(line 3: not YAML\)/);
});

test("if facts are forbidden, it is unknown which manifests apply", async () => {
  const path = "/apis/config.openshift.io/v1/featuregates/cluster";
  const answers: Record<string, FakeResponse> = { [path]: { kind: "failed", reason: "Forbidden", message: "no" } };
  const found = await runAndReport(buildInput([checkWith({ id: "A", basis: "manifests" })], answers));
  assert.match(
    found.risks[0]?.message ?? "",
    /FeatureGate cluster \(no: without the feature set, preflight can.t tell/,
  );
});

const failures: readonly (readonly [string, Readonly<Record<string, FakeResponse>>, string])[] = [
  [
    "unreachable",
    { [VERSION_PATH]: { kind: "failed", reason: "Unreachable", message: "refused" } },
    "ClusterUnreachable",
  ],
  ["unauthorized", { [VERSION_PATH]: { kind: "failed", reason: "Unauthorized", message: "401" } }, "Unauthorized"],
  [
    "forbidden",
    { [VERSION_PATH]: { kind: "failed", reason: "Forbidden", message: "403" } },
    "ClusterVersionUnreadable",
  ],
  ["absent", { [VERSION_PATH]: [] }, "ClusterVersionUnreadable"],
  [
    "without a version",
    { [VERSION_PATH]: object("config.openshift.io/v1", "ClusterVersion", "version") },
    "InvalidVersion",
  ],
  ["three majors behind", clusterRunning("1.2.3"), "UnsupportedVersionSkew"],
];
for (const [what, answers, reason] of failures) {
  test(`the cycle fails with ${reason} when the cluster is ${what}`, async () => {
    const result = await runCycle(buildInput([checkWith({ id: "A" })], answers));
    assert.equal(result.kind === "failed" ? result.failure.reason : result.kind, reason);
    assert.equal(result.kind === "failed" && result.target?.text, "4.19.3");
  });
}

test("a failed target fails the cycle but keeps the source version, so that the last risks can be matched", async () => {
  const target: CycleInput["target"] = {
    kind: "failed",
    failure: { reason: "PayloadUnreadable", message: "no folder" },
  };
  const result = await runCycle(buildInput([], {}, { target }));
  assert.equal(result.kind === "failed" && result.source?.text, "4.18.8");
});

test("checks for one minor are not applicable to others, and read nothing", async () => {
  const reads = () => ({ nodes: each("v1/nodes", nameOf) });
  const checks = [
    checkWith({ id: "Crossed", applies: { kind: "crosses", minor: "4.19" } }),
    checkWith({ id: "Later", applies: { kind: "crosses", minor: "4.21" }, reads }),
    checkWith({ id: "Rollback", applies: { kind: "updates", kinds: ["rollback"] }, reads }),
  ];
  const reader = fakeReader(clusterRunning("4.18.8"));
  const found = await runAndReport(buildInput(checks, {}, { reader }));
  assert.deepEqual(getOutcomes(found), { Crossed: "clear", Later: "notApplicable", Rollback: "notApplicable" });
  assert.ok(!reader.paths.includes(NODES));
});

test("the order of checks does not affect the report", async () => {
  const checks = ["A", "B", "C"].map((id) =>
    checkWith({ id, name: id, evaluate: () => ({ unknowns: [{ reason: "NotReported", where: id, message: "y" }] }) }),
  );
  const one = await runAndReport(buildInput(checks, {}));
  const other = await runAndReport(buildInput(checks.toReversed(), {}));
  assert.deepEqual(one, other);
});

test("values passed to a check contain only what keep returned", async () => {
  const check = checkWith({
    id: "Keeps",
    reads: () => ({ nodes: each("v1/nodes", (node) => (nameOf(node) === "a" ? undefined : nameOf(node))) }),
    evaluate: ({ nodes: listed }) => ({ notices: listed && "values" in listed ? valuesOf(listed).map(String) : [] }),
  });
  const found = await runAndReport(buildInput([check], { [NODES]: nodes }));
  assert.deepEqual(found.checks[0]?.outcome, { kind: "clear", notices: ["b"] });
});

test("minors that the update passes are unknown for a person, and none of the question of a runner", async () => {
  const clusterVersion = clusterRunning("4.18.8")[VERSION_PATH];
  const listed = { ...clusterVersion, status: { ...objectAt(clusterVersion, "status"), availableUpdates: OFFERED } };
  const target = { kind: "read", version: version("4.20.3"), select: () => release("4.20.3") } as const;
  const ask = (answers: Readonly<Record<string, FakeResponse>>, more: Partial<CycleInput> = {}): Promise<Report> =>
    runAndReport(buildInput([checkWith({ id: "Nodes" })], answers, { target, ...more }));
  const ofPerson = await ask({});
  assert.deepEqual(ofPerson.minorsBetween?.names, ["4.19"]);
  assert.deepEqual(
    ofPerson.risks.map(({ name }) => name),
    ["PreflightMinorsBetween"],
  );
  for (const one of [
    await ask({}, { target: { ...target, isOneUpdate: true } }),
    await ask({ [VERSION_PATH]: listed }),
  ]) {
    assert.deepEqual([one.minorsBetween, one.unseen, one.risks], [undefined, [], []]);
    assert.deepEqual(getOutcomes(one), { Nodes: "clear" });
  }
});

const OFFERED = [{ version: "4.20.3", image: "quay.example/release@sha256:1" }];
