import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { RequestAuth, Connection } from "../../cluster/access/connection.ts";
import { formatError } from "../../model/errors.ts";
import { type JsonObject, textAt, parseObject } from "../../model/json.ts";
import { createEventParser, type WatchEvent, type WatchLine } from "./watch-events.ts";

/** What an API server said. `absent`: 404; `conflict`: 409, somebody else wrote first or it is there already. */
export type ApiResponse =
  | { readonly kind: "ok"; readonly object: JsonObject }
  | { readonly kind: "absent"; readonly message: string }
  | { readonly kind: "conflict"; readonly message: string }
  | { readonly kind: "refused"; readonly status: number; readonly message: string }
  | { readonly kind: "unreachable"; readonly message: string };

export type ApiWrite = {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The API's path, with its query. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Of a PATCH: "application/merge-patch+json" or "application/apply-patch+yaml". */
  readonly type?: string;
};

/** How a watch ended: `expired` where the API server no longer has that state (410). */
export type WatchEnd =
  | { readonly kind: "closed" }
  | { readonly kind: "expired" }
  | Exclude<ApiResponse, { kind: "ok" }>;

/** The one place from which anything is written to a cluster. Failures are values. */
export type ApiClient = {
  readonly read: (path: string, signal: AbortSignal) => Promise<ApiResponse>;
  readonly write: (write: ApiWrite, signal: AbortSignal) => Promise<ApiResponse>;
  /** Calls `on` with each event until the API server ends the watch. */
  readonly watch: (path: string, onEvent: (event: WatchEvent) => void, signal: AbortSignal) => Promise<WatchEnd>;
};

const TIMEOUT_MS = 30_000;
/** A watch with nothing to tell is silent for as long as the API server was asked to keep it, and a little longer. */
const WATCH_TIMEOUT_MS = 330_000;
const MAX_RESPONSE_BYTES = 16 << 20;

export function createApiClient(connection: Connection, userAgent: string): ApiClient {
  const transport: Transport = { connection, userAgent };
  return {
    read: async (path, signal) => readResponse(send(transport, { method: "GET", path }, signal, TIMEOUT_MS)),
    write: async (write, signal) => readResponse(send(transport, write, signal, TIMEOUT_MS)),
    watch: async (path, onEvent, signal) =>
      readWatch(send(transport, { method: "GET", path }, signal, WATCH_TIMEOUT_MS), onEvent),
  };
}

type Transport = { readonly connection: Connection; readonly userAgent: string };
type ApiCall = Omit<ApiWrite, "method"> & { readonly method: ApiWrite["method"] | "GET" };

/** Credentials that are refused are renewed once. */
async function send(
  transport: Transport,
  call: ApiCall,
  signal: AbortSignal,
  timeout: number,
): Promise<IncomingMessage> {
  const access = await transport.connection.access();
  const response = await sendOnce(transport, call, access, signal, timeout);
  if (response.statusCode !== 401) return response;
  response.destroy();
  return sendOnce(transport, call, await transport.connection.renew(access), signal, timeout);
}

async function sendOnce(
  { connection, userAgent }: Transport,
  { method, path, body, type }: ApiCall,
  access: RequestAuth,
  signal: AbortSignal,
  timeout: number,
): Promise<IncomingMessage> {
  const url = new URL(`${connection.server}${path}`);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const content = text === undefined ? {} : { "content-type": type ?? "application/json", ...buildContentLength(text) };
  const headers = { ...access.headers, ...content, accept: "application/json", "user-agent": userAgent };
  const options: RequestOptions = { method, agent: access.agent, headers, timeout, signal };
  const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options);
  return new Promise((resolve, reject) => {
    request.once("timeout", () => request.destroy(new Error(`${connection.server} was silent for too long`)));
    request.on("error", reject);
    request.once("response", resolve);
    request.end(text);
  });
}

/** Said, since Node says it of no DELETE: its body would be taken for the next request on that connection. */
function buildContentLength(text: string): { readonly "content-length": number } {
  return { "content-length": Buffer.byteLength(text) };
}

async function readResponse(response: Promise<IncomingMessage>): Promise<ApiResponse> {
  try {
    const message = await response;
    const value = parseObject(await readBody(message));
    const status = message.statusCode ?? 0;
    if (status < 300 && value !== undefined) return { kind: "ok", object: value };
    return parseFailure(status, value);
  } catch (thrown) {
    return { kind: "unreachable", message: formatError(thrown) };
  }
}

function parseFailure(status: number, body: JsonObject | undefined): Exclude<ApiResponse, { kind: "ok" }> {
  const message = textAt(body, "message") ?? `the API server answered with ${status}`;
  if (status === 404) return { kind: "absent", message };
  return status === 409 ? { kind: "conflict", message } : { kind: "refused", status, message };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > MAX_RESPONSE_BYTES) throw new Error("the answer is too large");
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function readWatch(response: Promise<IncomingMessage>, onEvent: (event: WatchEvent) => void): Promise<WatchEnd> {
  try {
    const message = await response;
    if (message.statusCode === 410) return { kind: "expired" };
    if (message.statusCode !== 200) return parseFailure(message.statusCode ?? 0, parseObject(await readBody(message)));
    const lines = createEventParser();
    for await (const chunk of message) {
      const [events, isExpired] = splitAtExpiry(lines(Buffer.from(chunk)));
      for (const event of events) onEvent(event);
      if (isExpired) return { kind: "expired" };
    }
    return { kind: "closed" };
  } catch (thrown) {
    return { kind: "unreachable", message: formatError(thrown) };
  }
}

/** The events before the watch expired, and whether it did. */
function splitAtExpiry(lines: readonly WatchLine[]): readonly [events: readonly WatchEvent[], isExpired: boolean] {
  const end = lines.findIndex(({ kind }) => kind === "expired");
  const events = (end < 0 ? lines : lines.slice(0, end)).filter((line) => line.kind !== "expired");
  return [events, end >= 0];
}
