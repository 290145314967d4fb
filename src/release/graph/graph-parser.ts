import { type Json, type JsonObject, at, isList, isObject, listAt, parseObject, textAt } from "../../model/json.ts";
import { type ListedRelease, type PublishedRisk, type Recommendation, parsePublishedRisk } from "../../model/route.ts";
import { parseVersion } from "../../model/version.ts";
import type { OfferedUpdate, UpdateGraph } from "./graph.ts";

export type GraphResult =
  | { readonly kind: "graph"; readonly graph: UpdateGraph }
  | { readonly kind: "invalid"; readonly message: string };

/** A comma-separated list in a node's metadata. */
const CHANNELS = "io.openshift.upgrades.graph.release.channels";

class GraphError extends Error {
  override readonly name = "GraphError";
}

/**
 * Parses a response of the update service (the Cincinnati protocol): releases in `nodes`, updates as pairs of indexes in `edges`, and
 * updates with risks in `conditionalEdges`. An update in both has the risks, as for the cluster-version operator.
 */
export function parseGraph(text: string): GraphResult {
  const value = parseObject(text);
  if (value === undefined) return { kind: "invalid", message: "it is not a JSON object" };
  try {
    return { kind: "graph", graph: buildGraph(value) };
  } catch (thrown) {
    if (thrown instanceof GraphError) return { kind: "invalid", message: thrown.message };
    throw thrown;
  }
}

function buildGraph(value: JsonObject): UpdateGraph {
  const releases = requireList(value, "nodes", MAX_RELEASES).map(parseNode);
  const byVersion = new Map(releases.map((release) => [release.version.text, release]));
  if (byVersion.size < releases.length) throw new GraphError("two of its nodes have the same version");
  const updates = new Map<string, Map<string, OfferedUpdate>>();
  const add = (from: string, release: ListedRelease, recommendation: Recommendation): void => {
    const offered = updates.get(from) ?? new Map<string, OfferedUpdate>();
    const known = offered.get(release.version.text)?.recommendation;
    const whole = known === undefined ? recommendation : addRisks(recommendation, known);
    updates.set(from, offered.set(release.version.text, { release, recommendation: whole }));
  };
  for (const [i, edge] of requireList(value, "edges", MAX_UPDATES).entries()) {
    const [from, to] = parseEdge(edge, `edges[${i}]`, releases);
    add(from.version.text, to, { kind: "recommended" });
  }
  let conditional = 0;
  for (const [i, block] of listAt(value, "conditionalEdges").entries()) {
    const recommendation = parseConditions(block, `conditionalEdges[${i}]`);
    conditional += listAt(block, "edges").length;
    if (conditional > MAX_UPDATES) throw new GraphError(`it has more than ${MAX_UPDATES} conditionalEdges`);
    for (const [from, to] of parseConditionalEdges(block, `conditionalEdges[${i}]`)) {
      const release = byVersion.get(to);
      // The operator ignores an update to a release that is not among the nodes: it has no image.
      if (release !== undefined) add(from, release, recommendation);
    }
  }
  return {
    releases: byVersion,
    updates: new Map([...updates].map(([from, offered]) => [from, [...offered.values()]])),
  };
}

/** Several blocks may publish risks of one update. */
function addRisks(recommendation: Recommendation, known: Recommendation): Recommendation {
  if (recommendation.kind !== "conditional" || known.kind !== "conditional") return recommendation;
  return { ...recommendation, risks: [...known.risks, ...recommendation.risks] };
}

/** A channel has some hundred releases, and some 10,000 updates between them. */
const MAX_RELEASES = 20_000;
const MAX_UPDATES = 200_000;

function requireList(value: JsonObject, key: string, limit: number): readonly Json[] {
  const list = at(value, key);
  if (!isList(list)) throw new GraphError(`it has no list "${key}"`);
  if (list.length > limit) throw new GraphError(`it has more than ${limit} ${key}`);
  return list;
}

function parseNode(node: Json, index: number): ListedRelease {
  const text = textAt(node, "version") ?? "";
  const image = textAt(node, "payload");
  const version = parseVersion(text);
  if (version === undefined) throw new GraphError(`nodes[${index}].version ${JSON.stringify(text)} is not a version`);
  if (image === undefined || image === "") throw new GraphError(`nodes[${index}] (${text}) has no payload`);
  const channels = selectChannelNames((textAt(node, "metadata", CHANNELS) ?? "").split(","));
  return { version, image, channels };
}

function parseEdge(
  edge: Json,
  where: string,
  releases: readonly ListedRelease[],
): readonly [ListedRelease, ListedRelease] {
  const ends = isList(edge) && edge.length === 2 ? edge : [];
  const [from, to] = ends.map((end) => (typeof end === "number" ? releases[end] : undefined));
  if (from === undefined || to === undefined)
    throw new GraphError(`${where} is not a pair of indexes of the ${releases.length} nodes`);
  return [from, to];
}

function parseConditionalEdges(block: Json, where: string): readonly (readonly [string, string])[] {
  return listAt(block, "edges").map((edge, i) => {
    const from = textAt(edge, "from");
    const to = textAt(edge, "to");
    if (from === undefined || to === undefined) throw new GraphError(`${where}.edges[${i}] has no "from" or no "to"`);
    return [from, to];
  });
}

function parseConditions(block: Json, where: string): Recommendation {
  const risks = listAt(block, "risks").map((risk, i): PublishedRisk => {
    const name = textAt(risk, "name");
    if (!isObject(risk) || name === undefined || name === "") throw new GraphError(`${where}.risks[${i}] has no name`);
    return parsePublishedRisk(risk);
  });
  if (risks.length === 0) throw new GraphError(`${where} has no risks`);
  return { kind: "conditional", risks, exposure: "notEvaluated" };
}

const CHANNEL_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i;

/** The names that can be those of channels. They come from outside and end in commands to copy, so nothing else gets past. */
export function selectChannelNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => CHANNEL_NAME.test(name));
}
