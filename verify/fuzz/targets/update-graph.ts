import assert from "node:assert/strict";
import { parseObject } from "../../../src/model/json.ts";
import { compareVersions, parseVersion } from "../../../src/model/version.ts";
import { parseClusterUpdates } from "../../../src/release/graph/cluster-updates.ts";
import { addClusterUpdates, addEvaluations, mergeGraphs } from "../../../src/release/graph/graph.ts";
import { parseGraph } from "../../../src/release/graph/graph-parser.ts";
import { buildRouteByRule } from "../../../src/release/graph/minor-route.ts";
import { findRoute } from "../../../src/release/graph/route-search.ts";
import { parseTargetRequest } from "../../../src/release/graph/target-request.ts";
import { selectFromGraph, selectOfferedUpdate } from "../../../src/release/graph/target-selection.ts";
import { findNeededChannels, selectChannels } from "../../../src/release/graph/update-service.ts";
import { buildGraphJson } from "../graph-sample.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const EDGES = [
  ["4.18.1", "4.18.9"],
  ["4.18.9", "4.19.3"],
  ["4.18.1", "4.19.2"],
] as const;
const GRAPH = buildGraphJson(EDGES, [["4.18.1", "4.19.3"]], { "4.19.3": "stable-4.19,fast-4.19" });
const CLUSTER_VERSION = {
  status: {
    availableUpdates: [{ version: "4.18.9", image: "a@b", channels: ["stable-4.18"] }],
    conditionalUpdates: [
      {
        release: { version: "4.19.3", image: "i" },
        risks: [{ name: "A", url: "u", message: "m", matchingRules: [{ type: "Always" }] }],
        conditions: [{ type: "Recommended", status: "False" }],
      },
    ],
  },
};

/** No graph, source or request stops the search, and a route ends where it should. */
export const target: FuzzTarget = {
  seeds: ["latest", "4.19", "4.19.3", "v1.36"].map((request) =>
    joinTexts("4.18.1", request, "stable-4.18", JSON.stringify(GRAPH), JSON.stringify(CLUSTER_VERSION)),
  ),
  run: (input) => {
    const [sourceText = "", requestText = "", channel = "", graphText = "", clusterText = ""] = splitTexts(input);
    const source = parseVersion(sourceText);
    const request = parseTargetRequest(requestText);
    const updates = parseClusterUpdates(parseObject(clusterText) ?? {});
    const parsed = parseGraph(graphText);
    if (source === undefined || request === undefined) return;
    selectOfferedUpdate(updates, request);
    selectChannels(channel, source, request);
    const available = updates.map(({ release }) => release.version).filter((one) => compareVersions(one, source) > 0);
    buildRouteByRule(request, { source, available, clusterUpdates: updates });
    if (parsed.kind === "invalid") return;
    const graph = mergeGraphs([addClusterUpdates(parsed.graph, source.text, updates), parsed.graph]);
    selectFromGraph(addEvaluations(graph, source.text, []), source, channel, request);
    const route = findRoute(graph, source, request, "graph");
    if (route === undefined) return;
    findNeededChannels(channel, route);
    const end = route.steps.at(-1)?.to;
    if (request.kind === "release" && end?.kind === "release") assert.equal(end.version.text, request.version.text);
  },
};
