import assert from "node:assert/strict";
import { test } from "node:test";
import { formatStepTarget } from "../../../src/model/route.ts";
import { type RuleFacts, allowsControlPlaneOnly, buildRouteByRule } from "../../../src/release/graph/minor-route.ts";
import { parseTargetRequest } from "../../../src/release/graph/target-request.ts";
import { version } from "../../../verify/fuzz/graph-sample.ts";

function build(source: string, to: string, more: Partial<RuleFacts> = {}) {
  const request = parseTargetRequest(to);
  if (request === undefined) throw new Error(`${to} is not a request`);
  return buildRouteByRule(request, { source: version(source), available: [], clusterUpdates: [], ...more });
}

const getTargets = (...parts: Parameters<typeof build>) =>
  build(...parts)?.steps.map(({ to }) => `${to.kind} ${formatStepTarget(to)}`);

test("each minor between is an update of its own", () => {
  assert.deepEqual(getTargets("4.18.8", "4.21.2"), ["minor 4.19", "minor 4.20", "release 4.21.2"]);
  assert.deepEqual(getTargets("4.18.8", "4.19"), ["minor 4.19"]);
  assert.deepEqual(getTargets("4.18.8", "4.18.9"), ["release 4.18.9"]);
});

test("4.23 and 5.0 count as the same minor", () => {
  assert.deepEqual(getTargets("4.22.1", "5.1.2"), ["minor 4.23 or 5.0", "release 5.1.2"]);
  assert.deepEqual(getTargets("4.22.1", "5.0.2"), ["release 5.0.2"]);
  assert.deepEqual(getTargets("4.23.1", "5.1.2"), ["release 5.1.2"]);
  const available = [version("4.23.7")];
  assert.deepEqual(getTargets("4.22.1", "5.1.2", { available }), ["release 4.23.7", "release 5.1.2"]);
});

test("a minor that is the target itself is taken literally", () => {
  const available = ["4.23.7", "5.0.2"].map(version);
  assert.deepEqual(getTargets("4.22.1", "4.23", { available }), ["release 4.23.7"]);
  assert.deepEqual(getTargets("4.22.1", "5.0", { available }), ["release 5.0.2"]);
});

test("of each minor, the newest release at hand is taken, or the newest that ClusterVersion lists", () => {
  const available = ["4.19.2", "4.19.12", "4.20.4"].map(version);
  const updates = ["4.19.13", "4.18.9"].map((text) => ({
    release: { version: version(text), image: `registry.example.com/${text}`, channels: [] },
    recommendation: { kind: "recommended" } as const,
  }));
  assert.deepEqual(getTargets("4.18.8", "4.20", { available, clusterUpdates: updates }), [
    "release 4.19.12",
    "release 4.20.4",
  ]);
  const [first] = build("4.18.8", "4.20", { clusterUpdates: updates })?.steps ?? [];
  assert.deepEqual(first?.to, { kind: "release", ...updates[0]?.release });
  assert.deepEqual(first?.recommendation, { kind: "recommended" });
});

test("a first step that ClusterVersion does not list is not offered; without a list nothing is said", () => {
  const available = [version("4.19.12")];
  const release = { version: version("4.19.2"), image: "a", channels: [] };
  const listed = [{ release, recommendation: { kind: "recommended" } as const }];
  const getFirst = (clusterUpdates: RuleFacts["clusterUpdates"]) =>
    build("4.18.8", "4.20.4", { available, clusterUpdates })?.steps.map(({ recommendation }) => recommendation.kind);
  assert.deepEqual(getFirst(listed), ["notOffered", "unknown"]);
  assert.deepEqual(getFirst([]), ["unknown", "unknown"]);
});

test("latest is the newest release at hand", () => {
  const available = ["4.19.2", "4.20.4"].map(version);
  assert.deepEqual(getTargets("4.18.8", "latest", { available }), ["release 4.19.2", "release 4.20.4"]);
  assert.equal(build("4.18.8", "latest"), undefined);
});

test("minors of Kubernetes are counted too", () => {
  assert.deepEqual(getTargets("1.33.4", "v1.36"), ["minor 1.34", "minor 1.35", "minor 1.36"]);
});

const CONTROL_PLANE_ONLY: readonly (readonly [string, string, boolean])[] = [
  ["4.18.8", "4.20.4", true],
  ["4.18.8", "4.20", true],
  ["4.18.8", "4.19.4", false],
  ["4.19.8", "4.21.4", false],
  ["4.18.8", "4.22.4", false],
  ["4.22.8", "5.1.4", false],
];
for (const [source, to, expected] of CONTROL_PLANE_ONLY) {
  test(`from ${source} to ${to} the nodes ${expected ? "can" : "can't"} skip a minor`, () => {
    const route = build(source, to);
    assert.ok(route);
    assert.equal(allowsControlPlaneOnly(route), expected);
  });
}
