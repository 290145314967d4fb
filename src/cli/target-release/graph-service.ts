import type { IncomingMessage } from "node:http";
import { FailedError } from "../../model/errors.ts";
import { parseObject, textAt } from "../../model/json.ts";
import type { ClusterEgress } from "../../release/image/image-options.ts";
import { type HttpClient, openHttpClient } from "../../release/image/registry/http-client.ts";
import { readWhole } from "../../release/image/verified-content.ts";
import type { Io } from "../io/io.ts";
import { USER_AGENT } from "../io/program.ts";

/** The graph of a channel with years of releases has a few MiB. */
export const MAX_GRAPH_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** The file of --registry-ca, and what the cluster's operator uses. */
export type ServiceAccess = { readonly caFile?: string; readonly egress?: ClusterEgress };

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
