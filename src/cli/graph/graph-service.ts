import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { FailedError, formatError } from "../../model/errors.ts";
import { parseObject, textAt } from "../../model/json.ts";
import { createAgent } from "../../network/agent.ts";
import { describeConnectionError } from "../../network/connection-error.ts";
import { findProxyInEnv } from "../../network/proxy.ts";
import type { Io } from "../io.ts";
import { USER_AGENT } from "../version.ts";

/** The graph of a channel with years of releases has a few MiB. */
export const MAX_GRAPH_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** Reads a graph from an update service, through the proxies of the environment. Throws a FailedError that names the address. */
export async function fetchGraph(url: URL, { env, stopSignal }: Pick<Io, "env" | "stopSignal">): Promise<string> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const agent = createAgent(url, findProxy(url, env), {}, signal);
    try {
      return await readBody(await sendGet(url, agent, signal));
    } finally {
      agent.destroy();
    }
  } catch (thrown) {
    throw new FailedError(`reading the update graph from ${formatAddress(url)}`, { cause: thrown });
  }
}

function findProxy(url: URL, env: Io["env"]): URL | undefined {
  const text = findProxyInEnv(url, env);
  if (text === undefined) return undefined;
  if (URL.canParse(text)) return new URL(text);
  throw new Error("the proxy of the environment is not a URL: correct it");
}

/** Without the query, which may name the cluster. */
function formatAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function sendGet(url: URL, agent: ReturnType<typeof createAgent>, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { accept: "application/json", "accept-encoding": "identity", "user-agent": USER_AGENT };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, { agent, headers, signal });
    request.once("error", (error) => reject(signal.aborted ? describeAbort(signal) : describeError(error, url)));
    request.once("response", resolve);
    request.end();
  });
}

function describeError(error: Error, { host }: URL): Error {
  return new Error(`${host}${describeConnectionError(error).predicate}`);
}

function describeAbort(signal: AbortSignal): Error {
  const { reason } = signal;
  if (reason instanceof Error && reason.name === "TimeoutError")
    return new Error(`it did not respond within ${TIMEOUT_MS / 1_000} s`);
  return new Error(formatError(reason));
}

async function readBody(response: IncomingMessage): Promise<string> {
  const text = await readText(response);
  const status = response.statusCode ?? 0;
  if (status === 200) return text;
  throw new Error(`it responded with ${status}${formatServiceError(text)}`);
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      if (bytes > MAX_GRAPH_BYTES) throw new Error(`it has more than ${MAX_GRAPH_BYTES / 2 ** 20} MiB`);
      chunks.push(chunk);
    }
  } catch (thrown) {
    throw new Error("reading the answer", { cause: thrown });
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The protocol's errors are objects with `kind` and `value`. */
function formatServiceError(text: string): string {
  const error = parseObject(text);
  const [kind, value] = [textAt(error, "kind"), textAt(error, "value")];
  return kind === undefined || value === undefined ? "" : ` (${kind}: ${value})`;
}
