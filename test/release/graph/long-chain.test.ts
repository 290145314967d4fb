import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../src/model/json.ts";
import type { UpdateGraph } from "../../../src/release/graph/graph.ts";
import { parseGraph } from "../../../src/release/graph/graph-parser.ts";
import { findRoute } from "../../../src/release/graph/route-search.ts";
import { parseTargetRequest } from "../../../src/release/graph/target-request.ts";
import { selectFromGraph } from "../../../src/release/graph/target-selection.ts";
import { version } from "../../../verify/fuzz/graph-sample.ts";

const RELEASES = 20_000;

/** Releases in a row, each with updates to the next ones. */
function buildChain(releases: number, updatesOfEach: number): JsonObject {
  const nodes = Array.from({ length: releases }, (_, i) => ({ version: `4.18.${i}`, payload: `image-${i}` }));
  const edges = nodes.flatMap((_, i) =>
    Array.from({ length: Math.min(updatesOfEach, releases - 1 - i) }, (_unused, j) => [i, i + 1 + j]),
  );
  return { nodes, edges };
}

function parse(value: JsonObject): UpdateGraph | string {
  const result = parseGraph(JSON.stringify(value));
  return result.kind === "graph" ? result.graph : result.message;
}

function requireGraph(value: JsonObject): UpdateGraph {
  const graph = parse(value);
  if (typeof graph === "string") throw new Error(graph);
  return graph;
}

const LATEST = parseTargetRequest("latest") ?? assert.fail();

// A list of its own for each of these ways would take 1.6 GB.
for (const [updatesOfEach, steps] of [
  [1, RELEASES - 1],
  [3, Math.ceil((RELEASES - 1) / 3)],
] as const)
  test(`finds the way through ${RELEASES} releases with ${updatesOfEach} updates of each`, { timeout: 60_000 }, () => {
    const graph = requireGraph(buildChain(RELEASES, updatesOfEach));
    const route = findRoute(graph, version("4.18.0"), LATEST, "graph");
    assert.equal(route?.steps.length, steps);
    const end = version(`4.18.${RELEASES - 1}`);
    assert.equal(
      selectFromGraph(graph, version("4.18.0"), "stable-4.18", { kind: "release", version: end })?.offer.updates,
      steps,
    );
  });

test("of several ways the newest releases count, up to where the ways part", () => {
  const graph = requireGraph({
    nodes: ["4.18.0", "4.18.1", "4.18.2", "4.18.3", "4.18.9"].map((text) => ({ version: text, payload: text })),
    edges: [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
      [3, 4],
    ],
  });
  const route = findRoute(graph, version("4.18.0"), LATEST, "graph");
  assert.deepEqual(
    route?.steps.map(({ to }) => (to.kind === "release" ? to.version.text : to.text)),
    ["4.18.2", "4.18.3", "4.18.9"],
  );
});

test("a graph with more releases or updates than any channel is refused by name and limit", () => {
  assert.equal(parse(buildChain(RELEASES + 1, 0)), "it has more than 20000 nodes");
  const edge = [0, 1];
  const conditional = {
    edges: Array.from({ length: 200_001 }, () => ({ from: "4.18.0", to: "4.18.1" })),
    risks: [{ name: "Risk" }],
  };
  const { nodes = [] } = buildChain(2, 1);
  const edges = Array.from({ length: 200_001 }, () => edge);
  assert.equal(parse({ nodes, edges }), "it has more than 200000 edges");
  assert.equal(
    parse({ nodes, edges: [], conditionalEdges: [conditional] }),
    "it has more than 200000 conditionalEdges",
  );
});
