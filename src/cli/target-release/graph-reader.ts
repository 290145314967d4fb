import { COMMAND_TIMEOUT_MS, readTextFile } from "../../files/named-file.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import {
  addClusterUpdates,
  addEvaluations,
  addMissingUpdates,
  mergeGraphs,
  type UpdateGraph,
} from "../../release/graph/graph.ts";
import { parseGraph } from "../../release/graph/graph-parser.ts";
import type { TargetRequest } from "../../release/graph/target-request.ts";
import { buildGraphUrl, PUBLIC_SERVICE, selectChannels } from "../../release/graph/update-service.ts";
import type { ClusterSession } from "../client/connection.ts";
import type { ClusterUpdateFacts } from "./cluster-update-facts.ts";
import { fetchGraphs, MAX_GRAPH_BYTES } from "./graph-service.ts";
import { requireFewUpdates } from "./target-of-version.ts";

/** Where the graph is: the file or address of --graph, the service that ClusterVersion names, or the public one. */
type GraphSource = { readonly kind: "file"; readonly path: string } | { readonly kind: "service"; readonly url: URL };

/** What a command says about the graph: --graph, and --registry-ca for its service. */
export type GraphValues = { readonly graph: string | undefined; readonly "registry-ca": string | undefined };

/**
 * Reads the graph for one request, with what the cluster's operator has evaluated of it, and with the updates that ClusterVersion lists.
 * What a graph says that was asked for by name counts; otherwise, what ClusterVersion says. Throws a FailedError if the graph can't be read.
 */
export async function readUpdateGraph(
  request: TargetRequest,
  facts: ClusterUpdateFacts,
  session: ClusterSession<GraphValues>,
): Promise<UpdateGraph> {
  const { source, evaluatedRisks, updates } = facts;
  const evaluated = addEvaluations(await readGraph(request, facts, session), source.text, evaluatedRisks);
  const add = session.values.graph === undefined ? addClusterUpdates : addMissingUpdates;
  return add(evaluated, source.text, updates);
}

/** From a service, the graphs of all channels on the way. */
async function readGraph(
  request: TargetRequest,
  facts: ClusterUpdateFacts,
  { values, readEgress, io }: ClusterSession<GraphValues>,
): Promise<UpdateGraph> {
  const { graph, "registry-ca": caFile } = values;
  const source = selectGraphSource(graph, facts);
  if (source.kind === "file") return parseGraphText(await readGraphFile(source.path), source.path);
  const channels = selectChannels(facts.channel, facts.source, request);
  requireFewUpdates(channels.length, facts.source, request);
  const architecture = await facts.readArchitecture();
  const urls = channels.map((channel) => buildGraphUrl(source.url, channel, architecture));
  const egress = await readEgress?.();
  const distinct = [...new Map(urls.map((url) => [url.href, url])).values()];
  const texts = await fetchGraphs(distinct, { caFile, egress }, io);
  return mergeGraphs(texts.map((text) => parseGraphText(text, source.url.origin + source.url.pathname)));
}

/** Throws a FailedError if --graph names a file that is not a graph: before the first of many clusters is read. */
export async function requireGraphFile(graph: string | undefined): Promise<void> {
  if (graph !== undefined && isFile(graph)) parseGraphText(await readGraphFile(graph), graph);
}

function isFile(graph: string): boolean {
  return !/^[a-z]+:\/\//i.test(graph);
}

function selectGraphSource(graph: string | undefined, { upstream }: ClusterUpdateFacts): GraphSource {
  if (graph !== undefined && isFile(graph)) return { kind: "file", path: graph };
  const address = graph ?? upstream ?? PUBLIC_SERVICE;
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return { kind: "service", url: new URL(address) };
  if (graph !== undefined) throw new UsageError(`--graph "${graph}" is neither a file nor an http or https address`);
  throw new FailedError(`ClusterVersion names the update service "${address}", which is not an http or https address`);
}

async function readGraphFile(path: string): Promise<string> {
  try {
    return await readTextFile(path, MAX_GRAPH_BYTES, { pipeTimeoutMs: COMMAND_TIMEOUT_MS });
  } catch (thrown) {
    throw new FailedError(`--graph ${path} can't be read`, { cause: thrown });
  }
}

function parseGraphText(text: string, where: string): UpdateGraph {
  const result = parseGraph(text);
  if (result.kind === "graph") return result.graph;
  throw new FailedError(`${where} is not an update graph: ${result.message}`);
}
