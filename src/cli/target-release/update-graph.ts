import { COMMAND_TIMEOUT_MS, readTextFile } from "../../files/named-file.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import type { UpdateGraph } from "../../release/graph/graph.ts";
import { addClusterUpdates, addEvaluations, addMissingUpdates, mergeGraphs } from "../../release/graph/graph.ts";
import { parseGraph } from "../../release/graph/graph-parser.ts";
import type { TargetRequest } from "../../release/graph/target-request.ts";
import { buildGraphUrl, PUBLIC_SERVICE, selectChannels } from "../../release/graph/update-service.ts";
import type { ClusterSession } from "../client/connection.ts";
import { type ClusterUpdateFacts, requireFewUpdates } from "./target-of-version.ts";
import type { IncomingMessage } from "node:http";
import { parseObject, textAt } from "../../model/json.ts";
import type { ClusterEgress } from "../../release/image/image-options.ts";
import { type HttpClient, openHttpClient } from "../../release/image/registry/http-client.ts";
import { readWhole } from "../../release/image/verified-content.ts";
import type { Io } from "../io/io.ts";
import { USER_AGENT } from "../io/program.ts";

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

/** The graph of a channel with years of releases has a few MiB. */
const MAX_GRAPH_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** The file of --registry-ca, and what the cluster's operator uses. */
type ServiceAccess = { readonly caFile?: string; readonly egress?: ClusterEgress };

/** Reads graphs from an update service. Throws a FailedError that names the address. */
export async function fetchGraphs(
  urls: readonly URL[],
  { caFile, egress }: ServiceAccess,
  { env, stopSignal }: Pick<Io, "env" | "stopSignal">,
): Promise<readonly string[]> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([stopSignal, timeout]);
  const anonymous = { isPlainHttpAllowed: true, egress } as const;
  const http = await openHttpClient({ env, signal, userAgent: USER_AGENT, anonymous, caFile });
  const fetch = async (url: URL): Promise<string> => {
    try {
      return await requestGraph(url, http);
    } catch (thrown) {
      const cause = timeout.aborted && !stopSignal.aborted ? buildTimeoutError(url, http) : thrown;
      throw new FailedError(`reading the update graph from ${formatAddress(url)}`, { cause });
    }
  };
  try {
    return await Promise.all(urls.map(fetch));
  } finally {
    http.close();
  }
}

function buildTimeoutError(url: URL, http: HttpClient): Error {
  return new Error(`it did not respond within ${TIMEOUT_MS / 1_000} s${http.formatSilenceHint(url)}`);
}

/** Without the query, which may name the cluster. */
function formatAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

async function requestGraph(url: URL, http: HttpClient): Promise<string> {
  const response = await http.send(url, { headers: { accept: "application/json" } });
  const text = await readText(response, url, http);
  const status = response.statusCode ?? 0;
  if (status === 200) return text;
  throw new Error(`it responded with ${status}${formatServiceError(text)}`);
}

async function readText(response: IncomingMessage, url: URL, http: HttpClient): Promise<string> {
  try {
    return (await readWhole(response, MAX_GRAPH_BYTES, "the answer")).toString("utf8");
  } catch (thrown) {
    throw http.toBodyError(thrown, url);
  }
}

/** The protocol's errors are objects with `kind` and `value`. */
function formatServiceError(text: string): string {
  const error = parseObject(text);
  const kind = textAt(error, "kind");
  const value = textAt(error, "value");
  return kind === undefined || value === undefined ? "" : ` (${kind}: ${value})`;
}
