import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, listAt } from "../../../src/model/json.ts";
import { addClusterUpdates, findRecommendation, mergeGraphs } from "../../../src/release/graph/graph.ts";
import { parseGraph } from "../../../src/release/graph/graph-parser.ts";
import { buildGraph, buildGraphJson, version } from "../../../verify/fuzz/graph-sample.ts";

const getKinds = (graph: ReturnType<typeof buildGraph>, from: string) =>
  (graph.updates.get(from) ?? []).map(
    ({ release, recommendation }) => `${release.version.text} ${recommendation.kind}`,
  );

test("reads releases with image and channels, and updates from each version", () => {
  const graph = buildGraph([["4.18.8", "4.19.2"]], [], { "4.19.2": "stable-4.19,,$(reboot),stable-4.20, -x" });
  assert.deepEqual(graph.releases.get("4.19.2"), {
    version: version("4.19.2"),
    image: "registry.example.com/release@sha256:4.19.2",
    channels: ["stable-4.19", "stable-4.20"],
  });
  assert.deepEqual(getKinds(graph, "4.18.8"), ["4.19.2 recommended"]);
  assert.deepEqual(getKinds(graph, "4.19.2"), []);
});

test("an update that is both recommended and conditional has the conditions", () => {
  const graph = buildGraph([["4.18.8", "4.19.2"]], [["4.18.8", "4.19.2"]]);
  assert.deepEqual(graph.updates.get("4.18.8")?.[0]?.recommendation, {
    kind: "conditional",
    exposure: "notEvaluated",
    risks: [
      {
        name: "ExampleRisk",
        message: "Pods may restart.",
        url: "https://example.com/risk",
        matchingRules: [{ type: "Always" }],
      },
    ],
  });
});

test("several blocks of conditions for one update add up", () => {
  const json = buildGraphJson([], [["4.18.8", "4.19.2"]]);
  const [block] = listAt(json, "conditionalEdges");
  const other = { edges: [{ from: "4.18.8", to: "4.19.2" }], risks: [{ name: "OtherRisk" }] };
  const result = parseGraph(JSON.stringify({ ...json, conditionalEdges: [block ?? {}, other] }));
  const recommendation = result.kind === "graph" && findRecommendation(result.graph, "4.18.8", "4.19.2");
  const risks = recommendation && recommendation.kind === "conditional" ? recommendation.risks : [];
  assert.deepEqual(
    risks.map(({ name }) => name),
    ["ExampleRisk", "OtherRisk"],
  );
});

test("an update with conditions to a release without a node is ignored, since it has no image", () => {
  const json = buildGraphJson([["4.18.8", "4.18.9"]]);
  const conditionalEdges = buildGraphJson([], [["4.18.8", "4.19.9"]])["conditionalEdges"] ?? [];
  const result = parseGraph(JSON.stringify({ ...json, conditionalEdges }));
  assert.equal(result.kind, "graph");
  assert.deepEqual(result.kind === "graph" && getKinds(result.graph, "4.18.8"), ["4.18.9 recommended"]);
});

const NODES = [
  { version: "4.18.8", payload: "a" },
  { version: "4.19.2", payload: "b" },
];
const FAULTS: readonly (readonly [title: string, value: Json, fault: RegExp])[] = [
  ["a list", [], /not a JSON object/],
  ["an error of the service", { kind: "missing_params", value: "channel" }, /no list "nodes"/],
  ["no edges", { nodes: NODES }, /no list "edges"/],
  ["an invalid version", { nodes: [{ version: "4.18", payload: "a" }], edges: [] }, /nodes\[0\]\.version "4\.18"/],
  ["no payload", { nodes: [{ version: "4.18.8" }], edges: [] }, /nodes\[0\] \(4\.18\.8\) has no payload/],
  ["a version twice", { nodes: [...NODES, ...NODES], edges: [] }, /same version/],
  [
    "an index too high",
    {
      nodes: NODES,
      edges: [
        [0, 1],
        [0, 2],
      ],
    },
    /edges\[1\] is not a pair of indexes of the 2 nodes/,
  ],
  ["a negative index", { nodes: NODES, edges: [[-1, 1]] }, /edges\[0\]/],
  ["three indexes", { nodes: NODES, edges: [[0, 1, 1]] }, /edges\[0\]/],
  ["an edge of versions", { nodes: NODES, edges: [["4.18.8", "4.19.2"]] }, /edges\[0\]/],
  [
    "a conditional edge without an end",
    { nodes: NODES, edges: [], conditionalEdges: [{ edges: [{ from: "4.18.8" }], risks: [{ name: "A" }] }] },
    /conditionalEdges\[0\]\.edges\[0\]/,
  ],
  [
    "conditions without risks",
    { nodes: NODES, edges: [], conditionalEdges: [{ edges: [{ from: "4.18.8", to: "4.19.2" }], risks: [] }] },
    /conditionalEdges\[0\] has no risks/,
  ],
  [
    "a risk without a name",
    { nodes: NODES, edges: [], conditionalEdges: [{ edges: [], risks: [{ message: "x" }] }] },
    /risks\[0\] has no name/,
  ],
];

for (const [title, value, fault] of FAULTS) {
  test(`a graph with ${title} is refused, and the place named`, () => {
    const result = parseGraph(JSON.stringify(value));
    assert.equal(result.kind, "invalid");
    assert.match(result.kind === "invalid" ? result.message : "", fault);
  });
}

test("text that is not JSON is refused", () => {
  assert.deepEqual(parseGraph("<html>"), { kind: "invalid", message: "it is not a JSON object" });
});

test("the graphs of several channels are one, and conditions of one of them count", () => {
  const graph = mergeGraphs([
    buildGraph([
      ["4.18.8", "4.19.2"],
      ["4.18.8", "4.18.9"],
    ]),
    buildGraph([["4.19.2", "4.20.1"]], [["4.18.8", "4.19.2"]]),
    buildGraph([["4.18.8", "4.19.2"]]),
  ]);
  assert.deepEqual(getKinds(graph, "4.18.8"), ["4.19.2 conditional", "4.18.9 recommended"]);
  assert.deepEqual(getKinds(graph, "4.19.2"), ["4.20.1 recommended"]);
  assert.deepEqual([...graph.releases.keys()].toSorted(), ["4.18.8", "4.18.9", "4.19.2", "4.20.1"]);
});

test("the updates that ClusterVersion lists replace the graph's, and others stay", () => {
  const release = { version: version("4.19.2"), image: "mirror.example.com/release@sha256:1", channels: [] };
  const graph = addClusterUpdates(
    buildGraph([
      ["4.18.8", "4.19.2"],
      ["4.18.8", "4.18.9"],
    ]),
    "4.18.8",
    [{ release, recommendation: { kind: "conditional", exposure: "exposed", risks: [] } }],
  );
  assert.deepEqual(getKinds(graph, "4.18.8"), ["4.19.2 conditional", "4.18.9 recommended"]);
  assert.equal(graph.releases.get("4.19.2")?.image, "mirror.example.com/release@sha256:1");
});
