import assert from "node:assert/strict";
import { test } from "node:test";
import type { EvaluatedRisk } from "../../../src/model/cluster-version-risks.ts";
import { formatStepTarget, type Route } from "../../../src/model/route.ts";
import { addEvaluations, findRecommendation } from "../../../src/release/graph/graph.ts";
import { findRoute } from "../../../src/release/graph/route-search.ts";
import { parseTargetRequest } from "../../../src/release/graph/target-request.ts";
import { selectFromGraph, selectOfferedUpdate } from "../../../src/release/graph/target-selection.ts";
import { buildGraph, version } from "../../../verify/fuzz/graph-sample.ts";
import { present } from "../../support/present.ts";

const RISK = {
  name: "ExampleRisk",
  message: "Pods may restart.",
  url: "https://example.com/risk",
  matchingRules: [{ type: "Always" }],
};

type Graph = ReturnType<typeof buildGraph>;

function requestOf(text: string) {
  const request = parseTargetRequest(text);
  if (request === undefined) throw new Error(`${text} is not a request`);
  return request;
}

const getSteps = (route: Route | undefined) =>
  route?.steps.map(({ to, recommendation }) => `${formatStepTarget(to)} ${recommendation.kind}`);

const find = (graph: Graph, to: string, from = "4.18.8") =>
  getSteps(findRoute(graph, version(from), requestOf(to), "graph"));

test("the route has the fewest updates, and the newest release on the way", () => {
  const graph = buildGraph([
    ["4.18.8", "4.18.30"],
    ["4.18.8", "4.19.2"],
    ["4.18.8", "4.19.12"],
    ["4.18.30", "4.19.12"],
    ["4.19.2", "4.20.4"],
    ["4.19.12", "4.20.4"],
  ]);
  assert.deepEqual(find(graph, "4.20.4"), ["4.19.12 recommended", "4.20.4 recommended"]);
});

test("a minor and latest are the newest release with a recommended route, even if that has more updates", () => {
  const graph = buildGraph(
    [
      ["4.18.8", "4.18.30"],
      ["4.18.8", "4.19.2"],
      ["4.18.30", "4.19.12"],
      ["4.19.2", "4.20.4"],
      ["4.19.12", "4.20.9"],
    ],
    [["4.19.12", "4.20.10"]],
  );
  const newest = ["4.18.30 recommended", "4.19.12 recommended", "4.20.9 recommended"];
  assert.deepEqual(find(graph, "4.20"), newest);
  assert.deepEqual(find(graph, "latest"), newest);
  assert.deepEqual(find(graph, "4.19"), ["4.18.30 recommended", "4.19.12 recommended"]);
});

test("a route with conditions serves if there is no other, with as few of them as possible", () => {
  const graph = buildGraph(
    [
      ["4.18.8", "4.19.2"],
      ["4.19.2", "4.20.3"],
    ],
    [
      ["4.18.8", "4.19.12"],
      ["4.19.12", "4.20.4"],
      ["4.19.2", "4.20.4"],
    ],
  );
  assert.deepEqual(find(graph, "4.20.4"), ["4.19.2 recommended", "4.20.4 conditional"]);
  assert.deepEqual(find(graph, "4.20"), ["4.19.2 recommended", "4.20.3 recommended"]);
});

test("conditions that don't concern the cluster are no obstacle", () => {
  const graph = buildGraph([], [["4.18.8", "4.19.12"]]);
  const [offered] = graph.updates.get("4.18.8") ?? [];
  assert.ok(offered);
  const evaluated = { ...offered, recommendation: { kind: "conditional", exposure: "notExposed", risks: [] } } as const;
  const older = {
    release: { ...offered.release, version: version("4.19.2") },
    recommendation: { kind: "recommended" },
  } as const;
  const selected = selectOfferedUpdate([older, evaluated], requestOf("4.19"));
  assert.equal(selected?.release.version.text, "4.19.12");
});

test("a cycle in the graph ends the search, and a target that nothing leads to has no route", () => {
  const graph = buildGraph([
    ["4.18.8", "4.18.9"],
    ["4.18.9", "4.18.8"],
    ["4.20.1", "4.20.2"],
  ]);
  assert.equal(find(graph, "4.20.2"), undefined);
  assert.equal(find(graph, "4.18.8"), undefined);
  assert.equal(find(graph, "4.20.2", "4.17.1"), undefined);
});

test("a release of the graph that no update leads to is not offered, but known", () => {
  const graph = buildGraph([["4.20.1", "4.20.2"]], [], { "4.20.2": "stable-4.20" });
  const selected = selectFromGraph(graph, version("4.18.8"), "stable-4.18", requestOf("4.20.2"));
  assert.deepEqual(present(selected?.offer), { recommendation: { kind: "notOffered" }, channel: "stable-4.20" });
  assert.equal(selectFromGraph(graph, version("4.18.8"), "stable-4.18", requestOf("4.20")), undefined);
});

test("a release that a longer route leads to without conditions keeps those of the direct update", () => {
  const graph = buildGraph(
    [
      ["4.18.8", "4.18.9"],
      ["4.18.9", "4.19.2"],
    ],
    [["4.18.8", "4.19.2"]],
  );
  const selected = selectFromGraph(graph, version("4.18.8"), "stable-4.18", requestOf("4.19.2"));
  assert.deepEqual([selected?.offer.recommendation.kind, selected?.offer.updates], ["conditional", 1]);
});

test("conditions count as evaluated if the operator evaluated the same rules under the same name, for any update", () => {
  const evaluated = { ...RISK, version: "4.18.9", isOfOperator: false };
  const getExposure = (...risks: readonly EvaluatedRisk[]) => {
    const graph = addEvaluations(buildGraph([], [["4.18.8", "4.19.2"]]), "4.18.8", risks);
    const recommendation = findRecommendation(graph, "4.18.8", "4.19.2");
    return recommendation.kind === "conditional" && recommendation.exposure;
  };
  assert.equal(getExposure(), "notEvaluated");
  assert.equal(getExposure({ ...evaluated, applies: "no" }), "notExposed");
  assert.equal(getExposure({ ...evaluated, applies: "yes" }), "exposed");
  assert.equal(getExposure({ ...evaluated, applies: "unknown" }), "notEvaluated");
  assert.equal(getExposure({ ...evaluated, matchingRules: [], applies: "no" }), "notEvaluated");
  assert.equal(getExposure({ ...evaluated, name: "Other", applies: "no" }), "notEvaluated");
  const own = { ...evaluated, version: "4.19.2", applies: "no" } as const;
  assert.equal(getExposure({ ...evaluated, applies: "yes" }, own), "notExposed");
});

test("a release of the graph two updates away is not offered directly, and one update away it is", () => {
  const graph = buildGraph([
    ["4.18.8", "4.19.2"],
    ["4.19.2", "4.20.4"],
  ]);
  const getOffer = (to: string) => selectFromGraph(graph, version("4.18.8"), "stable-4.18", requestOf(to))?.offer;
  assert.deepEqual(present(getOffer("4.20")), { recommendation: { kind: "notOffered" }, updates: 2 });
  assert.deepEqual(present(getOffer("4.19")), { recommendation: { kind: "recommended" }, updates: 1 });
});
