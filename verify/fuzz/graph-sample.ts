import type { JsonObject } from "../../src/model/json.ts";
import { parseVersion, type Version } from "../../src/model/version.ts";
import type { UpdateGraph } from "../../src/release/graph/graph.ts";
import { parseGraph } from "../../src/release/graph/graph-parser.ts";

export function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is not a version`);
  return parsed;
}

type Updates = readonly (readonly [from: string, to: string])[];

/** A response of the update service with these updates; `conditional` ones have one risk. */
export function buildGraphJson(
  edges: Updates,
  conditional: Updates = [],
  channels: Readonly<Record<string, string>> = {},
  images: Readonly<Record<string, string>> = {},
): JsonObject {
  const versions = [...new Set([...edges, ...conditional].flat())];
  return {
    version: 1,
    nodes: versions.map((text) => ({
      version: text,
      payload: images[text] ?? `registry.example.com/release@sha256:${text}`,
      metadata: { "io.openshift.upgrades.graph.release.channels": channels[text] ?? "" },
    })),
    edges: edges.map(([from, to]) => [versions.indexOf(from), versions.indexOf(to)]),
    conditionalEdges: conditional.map(([from, to]) => ({
      edges: [{ from, to }],
      risks: [
        {
          name: "ExampleRisk",
          message: "Pods may restart.",
          url: "https://example.com/risk",
          matchingRules: [{ type: "Always" }],
        },
      ],
    })),
  };
}

export function buildGraph(...parts: Parameters<typeof buildGraphJson>): UpdateGraph {
  const result = parseGraph(JSON.stringify(buildGraphJson(...parts)));
  if (result.kind === "invalid") throw new Error(result.message);
  return result.graph;
}
