import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../src/model/json.ts";
import { parseClusterUpdates } from "../../../src/release/graph/cluster-updates.ts";
import { parseTargetRequest } from "../../../src/release/graph/target-request.ts";
import {
  buildGraphUrl,
  findNeededChannel,
  findNeededChannels,
  selectChannels,
} from "../../../src/release/graph/update-service.ts";
import { version } from "../../../verify/fuzz/graph-sample.ts";

const CHANNELS: readonly (readonly [channel: string, source: string, to: string, expected: readonly string[]])[] = [
  ["stable-4.18", "4.18.8", "4.20", ["stable-4.18", "stable-4.19", "stable-4.20"]],
  ["eus-4.18", "4.18.8", "4.20.4", ["eus-4.18", "eus-4.19", "eus-4.20"]],
  ["stable-4.19", "4.18.8", "4.19.4", ["stable-4.19"]],
  ["fast-4.18", "4.18.8", "latest", ["fast-4.18"]],
  ["", "4.18.8", "4.19", ["stable-4.18", "stable-4.19"]],
  ["candidate-4.22", "4.22.1", "5.1", ["candidate-4.22", "candidate-5.0", "candidate-5.1"]],
  ["stable-4.18", "4.18.8", "4.17.3", ["stable-4.18", "stable-4.17"]],
];
for (const [channel, source, to, expected] of CHANNELS) {
  test(`from ${source} in ${channel || "no channel"} to ${to}, the graphs of ${expected.join(", ")} are read`, () => {
    const request = parseTargetRequest(to);
    assert.ok(request);
    assert.deepEqual(selectChannels(channel, version(source), request), expected);
  });
}

test("a channel is needed if the cluster's own lacks the release: of the same family and of its minor, if there is one", () => {
  const target = version("4.20.4");
  assert.equal(findNeededChannel("stable-4.20", ["stable-4.20"], target), undefined);
  assert.equal(findNeededChannel("stable-4.18", [], target), undefined);
  const channels = ["candidate-4.20", "eus-4.20", "stable-4.20", "stable-4.21"];
  assert.equal(findNeededChannel("stable-4.18", channels, target), "stable-4.20");
  assert.equal(findNeededChannel("eus-4.18", channels, target), "eus-4.20");
  assert.equal(findNeededChannel("fast-4.18", ["candidate-4.20"], target), "candidate-4.20");
});

test("one channel is named for all steps of a route, if it has all of their releases", () => {
  const find = (own: string, ...channels: readonly (readonly string[])[]) => {
    const steps = channels.map((names, i) => ({
      to: { kind: "release" as const, version: version(`4.${19 + i}.4`), channels: names },
      recommendation: { kind: "recommended" as const },
    }));
    return findNeededChannels(own, { basis: "graph", source: version("4.18.8"), steps });
  };
  const first = ["stable-4.19", "stable-4.20"];
  const second = ["stable-4.20"];
  assert.deepEqual(find("stable-4.18", first, second), ["stable-4.20", "stable-4.20"]);
  assert.deepEqual(find("stable-4.19", first, second), [undefined, "stable-4.20"]);
  assert.deepEqual(find("stable-4.20", first, second), [undefined, undefined]);
  assert.deepEqual(find("stable-4.18", ["stable-4.19"], second), ["stable-4.19", "stable-4.20"]);
  assert.deepEqual(find("stable-4.18", [], second), [undefined, "stable-4.20"]);
  assert.deepEqual(find("eus-4.18", ["stable-4.19", "eus-4.20", "stable-4.20"], ["stable-4.20", "eus-4.20"]), [
    "eus-4.20",
    "eus-4.20",
  ]);
});

test("an address keeps its own query, and gets channel and architecture where it has none", () => {
  const build = (text: string) => buildGraphUrl(new URL(text), "stable-4.20", "amd64").href;
  assert.equal(
    build("https://osus.example.com/graph"),
    "https://osus.example.com/graph?channel=stable-4.20&arch=amd64",
  );
  assert.equal(
    build("https://osus.example.com/graph?channel=own&arch=multi"),
    "https://osus.example.com/graph?channel=own&arch=multi",
  );
});

const RISK = {
  name: "ExampleRisk",
  message: "Pods may restart.",
  url: "https://example.com/risk",
  matchingRules: [{ type: "Always" }],
};
const buildConditional = (risks: readonly JsonObject[], status?: string): JsonObject => ({
  release: { version: "4.19.2", image: "registry.example.com/release@sha256:1", channels: ["stable-4.19"] },
  risks,
  conditions: status === undefined ? [] : [{ type: "Recommended", status }],
});
const getRecommendation = (update: JsonObject) =>
  parseClusterUpdates({ status: { conditionalUpdates: [update] } })[0]?.recommendation;

test("the operator's evaluation of conditions is kept", () => {
  const expect = (exposure: string) => ({ kind: "conditional", risks: [RISK], exposure });
  assert.deepEqual(getRecommendation(buildConditional([RISK], "True")), expect("notExposed"));
  assert.deepEqual(getRecommendation(buildConditional([RISK], "False")), expect("exposed"));
  assert.deepEqual(getRecommendation(buildConditional([RISK], "Unknown")), expect("notEvaluated"));
  assert.deepEqual(getRecommendation(buildConditional([RISK])), expect("notEvaluated"));
});

test("an update whose conditions don't apply is in both lists, and has the conditions", () => {
  const conditional = buildConditional([RISK], "True");
  const status = { availableUpdates: [conditional["release"] ?? null], conditionalUpdates: [conditional] };
  assert.deepEqual(
    parseClusterUpdates({ status }).map(({ recommendation }) => recommendation.kind),
    ["conditional"],
  );
});

test("the risks of an earlier preflight are not conditions of the update service", () => {
  const own = { ...RISK, name: "DrainBlockedByDisruptionBudget", message: "4.18.8 -> 4.19.2: A budget blocks." };
  assert.deepEqual(getRecommendation(buildConditional([own], "False")), { kind: "recommended" });
  assert.deepEqual(getRecommendation(buildConditional([own, RISK], "False")), {
    kind: "conditional",
    risks: [RISK],
    exposure: "exposed",
  });
});

test("entries of ClusterVersion without a version or an image are left out", () => {
  const status: JsonObject = {
    availableUpdates: [{ version: "4.19.2" }, { image: "a" }, { version: "x", image: "a" }],
  };
  assert.deepEqual(parseClusterUpdates({ status }), []);
});
