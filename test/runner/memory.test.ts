import { formatTable } from "../../verify/pages/table-sample.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Check } from "../../src/model/check.ts";
import { textAt } from "../../src/model/json.ts";
import { each } from "../../src/model/read.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, object, release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

const NODES = "/api/v1/nodes";
const PODS = "/api/v1/pods";
const nameOf = (node: Parameters<typeof textAt>[0]) => textAt(node, "metadata", "name");

function run(checks: readonly Check[], lists: Parameters<typeof fakeReader>[0]) {
  return runCycle({
    selection: { checks },
    reader: fakeReader({ ...clusterRunning("4.18.8"), ...lists }),
    target: { kind: "read", version: version("4.19.3"), select: () => release("4.19.3") },
    now: new Date("2026-01-02T03:04:05Z"),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000, maxKept: 299 },
  });
}

test("checks that keep too many objects of a kind become unknown, with the kind and the limit, and no others do", async () => {
  const pods = Array.from({ length: 300 }, (_, i) => object("v1", "Pod", `pod-${i}`));
  const checks = [
    checkWith({ id: "Nodes", reads: () => ({ nodes: each("v1/nodes", nameOf) }) }),
    checkWith({ id: "Pods", reads: () => ({ pods: each("v1/pods", nameOf) }) }),
    checkWith({
      id: "Most",
      reads: () => ({ pods: each("v1/pods", (pod) => (nameOf(pod) === "pod-0" ? undefined : "")) }),
    }),
    checkWith({ id: "Counts", reads: () => ({ pods: each("v1/pods", () => undefined) }) }),
  ];
  const result = await run(checks, { [NODES]: [object("v1", "Node", "a")], [PODS]: pods });
  assert.ok(result.kind === "completed");
  const outcomes = Object.fromEntries(result.report.checks.map(({ id, outcome }) => [id, outcome]));
  assert.deepEqual(
    ["Nodes", "Most", "Counts"].map((id) => outcomes[id]?.kind),
    ["clear", "clear", "clear"],
  );
  assert.deepEqual(present(outcomes["Pods"]?.kind === "unknown" ? outcomes["Pods"].unknowns : []), [
    {
      reason: "TooManyObjects",
      where: "pods",
      message: "there are too many to judge: a check keeps at most 299 of them",
    },
  ]);
  assert.match(
    result.report.risks[0]?.message ?? "",
    /pods \(there are too many to judge: a check keeps at most 299 of them\) could not be checked\. Check these by/,
  );
});

test("counts all findings, and reports the first 10,000", async () => {
  const findings = Array.from({ length: 10_050 }, (_, i) => ({
    risk: "ThingBroken",
    object: { apiVersion: "v1", kind: "Node", name: `n${String(i).padStart(6, "0")}` },
    message: "it is broken",
  }));
  const result = await run([checkWith({ id: "Many", evaluate: () => ({ findings: findings.toReversed() }) })], {});
  assert.ok(result.kind === "completed");
  const [check] = result.report.checks;
  assert.ok(check?.outcome.kind === "risk");
  assert.deepEqual([check.outcome.findings.length, check.omittedFindings], [10_000, 50]);
  assert.equal(check.outcome.findings.at(-1)?.object.name, "n009999");
  assert.match(
    result.report.risks[0]?.message ?? "",
    /^Node n000000, Node n000001, Node n000002 and 10047 more will break/,
  );
  const table = formatTable(result.report, { accepted: new Set(), colour: false, width: 100 });
  assert.match(table, /^breaks {3}ThingBroken {3}over 10000: n000000, /m);
});

test("reports fewer findings of each risk for a check that may have no more, and counts all", async () => {
  const nodes = ["d", "c", "b", "a"].map((name) => ({ apiVersion: "v1", kind: "Node", name }));
  const findings = ["ThingBroken", "ThingSlow"].flatMap((risk) =>
    nodes.map((node) => ({ risk, object: node, message: "it is broken" })),
  );
  const { risks } = checkWith({ id: "Many" });
  const slow = risks.map((risk) => ({ ...risk, name: "ThingSlow" }));
  const many = checkWith({
    id: "Many",
    risks: [...risks, ...slow],
    special: { mostFindings: 2 },
    evaluate: () => ({ findings }),
  });
  const result = await run([many], {});
  assert.ok(result.kind === "completed");
  const [check] = result.report.checks;
  assert.ok(check?.outcome.kind === "risk");
  assert.deepEqual(
    check.outcome.findings.map(({ risk, object }) => `${risk} ${object.name}`),
    ["ThingBroken a", "ThingSlow a", "ThingBroken b", "ThingSlow b"],
  );
  assert.equal(check.omittedFindings, 4);
  assert.match(result.report.risks[0]?.message ?? "", /^Node a, Node b, Node c and 1 more will break/);
});
