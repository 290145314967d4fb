import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "../../src/cluster/recorded/redact.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { each, get } from "../../src/model/read.ts";
import { refOf } from "../../src/model/resource.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import { createOwnerIndex } from "../../src/runner/gather/gathering.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, release, version } from "../support/fixtures.ts";

function budget(name: string, labels: JsonObject): JsonObject {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { namespace: "shop", name, labels } };
}

const BUDGETS = [budget("a", { team: "payments" }), budget("b", { app: "b" }), budget("c", { team: "shop" })];
const NODE = { apiVersion: "v1", kind: "Node", metadata: { name: "n", labels: { owner: "metal" } } };

test("findings say whom their objects belong to, though checks keep only names", async () => {
  const list = each("policy/v1/poddisruptionbudgets", refOf);
  const node = get("v1/nodes", "n", refOf);
  const check = checkWith({
    id: "Budgets",
    reads: () => ({ list, node }),
    evaluate: () => ({
      findings: BUDGETS.map((one) => ({ risk: "ThingBroken", object: refOf(one), message: "It is broken." })),
      unknowns: [{ reason: "NotUnderstood", where: "n", message: "Odd.", at: { object: refOf(NODE) } }],
    }),
  });
  const result = await runCycle({
    selection: { checks: [check] },
    reader: fakeReader({
      ...clusterRunning("4.18.8"),
      "/apis/policy/v1/poddisruptionbudgets": BUDGETS,
      "/api/v1/nodes/n": NODE,
    }),
    target: { kind: "read", version: version("4.20.3"), select: () => release("4.20.3") },
    now: new Date("2026-01-02T03:04:05Z"),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  });
  assert.ok(result.kind === "completed");
  const outcome = result.report.checks.find(({ id }) => id === "Budgets")?.outcome;
  assert.ok(outcome?.kind === "unknown");
  assert.deepEqual(
    outcome.findings.map(({ object, owners }) => [object.name, owners]),
    [
      ["a", [{ kind: "team", name: "payments" }]],
      ["b", undefined],
      ["c", [{ kind: "team", name: "shop" }]],
    ],
  );
  assert.deepEqual(outcome.unknowns[0]?.at?.owners, [{ kind: "team", name: "metal" }]);
});

test("finds each of very many objects, and no other", () => {
  const index = createOwnerIndex();
  const build = (i: number): JsonObject => budget(`budget-${i}`, { team: `team-${i % 100}` });
  for (let i = 0; i < 50_000; i += 1) index.add(build(i));
  for (let i = 0; i < 50_000; i += 1) assert.equal(index.find(refOf(build(i)))[0]?.name, `team-${i % 100}`);
  for (let i = 50_000; i < 100_000; i += 1) assert.deepEqual(index.find(refOf(build(i))), []);
});

test("an object that changes its owner while it is read has the last one, in whatever version it is named", () => {
  const index = createOwnerIndex();
  index.add(budget("a", { team: "old" }));
  index.add(budget("a", { team: "new" }));
  assert.deepEqual(index.find({ ...refOf(budget("a", {})), apiVersion: "policy/v1beta1" }), [
    { kind: "team", name: "new" },
  ]);
});

test("keeps a bounded number of different owners", () => {
  const index = createOwnerIndex(2);
  for (const name of ["a", "b", "c"]) index.add(budget(name, { team: name }));
  index.add(budget("d", { team: "a" }));
  const count = (name: string): number => index.find(refOf(budget(name, {}))).length;
  assert.deepEqual(["a", "b", "c", "d"].map(count), [1, 1, 0, 1]);
});

test("a recording keeps the annotations that name owners, and no others", () => {
  const annotations = { "meta.helm.sh/release-name": "shop", "example.com/note": "secret" };
  const { metadata } = redact({ apiVersion: "v1", kind: "Node", metadata: { name: "n", annotations } }, []);
  assert.deepEqual(metadata, {
    name: "n",
    annotations: { "meta.helm.sh/release-name": "shop", "example.com/note": "REDACTED" },
  });
});
