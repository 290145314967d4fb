import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Access, Connection } from "../cluster/connection.ts";
import { errorText } from "../model/errors.ts";
import { type JsonObject, textAt, parseObject } from "../model/json.ts";
import { eventLines, type WatchEvent, type WatchLine } from "./watch-events.ts";

/** What an API server said. `absent`: 404; `conflict`: 409, somebody else wrote first or it is there already. */
export type Answer =
  | { readonly kind: "ok"; readonly object: JsonObject }
  | { readonly kind: "absent"; readonly message: string }
  | { readonly kind: "conflict"; readonly message: string }
  | { readonly kind: "refused"; readonly status: number; readonly message: string }
  | { readonly kind: "unreachable"; readonly message: string };

export type Change = {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The API's path, with its query. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Of a PATCH: "application/merge-patch+json" or "application/apply-patch+yaml". */
  readonly type?: string;
};

/** How a watch ended: `expired` where the API server no longer has that state (410). */
export type WatchEnd = { readonly kind: "closed" } | { readonly kind: "expired" } | Exclude<Answer, { kind: "ok" }>;

/** The one place from which anything is written to a cluster. Failures are values. */
export type Api = {
  readonly read: (path: string, signal: AbortSignal) => Promise<Answer>;
  readonly write: (change: Change, signal: AbortSignal) => Promise<Answer>;
  /** Calls `on` with each event until the API server ends the watch. */
  readonly watch: (path: string, on: (event: WatchEvent) => void, signal: AbortSignal) => Promise<WatchEnd>;
};

const TIMEOUT_MS = 30_000;
/** A watch with nothing to tell is silent for as long as the API server was asked to keep it, and a little longer. */
const WATCH_TIMEOUT_MS = 330_000;
const LARGEST_ANSWER = 16 << 20;

export function apiOf(connection: Connection, userAgent: string): Api {
  const line: Line = { connection, userAgent };
  return {
    read: async (path, signal) => answered(send(line, { method: "GET", path }, signal, TIMEOUT_MS)),
    write: async (change, signal) => answered(send(line, change, signal, TIMEOUT_MS)),
    watch: async (path, on, signal) => watched(send(line, { method: "GET", path }, signal, WATCH_TIMEOUT_MS), on),
  };
}

type Line = { readonly connection: Connection; readonly userAgent: string };
type Call = Omit<Change, "method"> & { readonly method: Change["method"] | "GET" };

/** Credentials that are refused are renewed once. */
async function send(line: Line, call: Call, signal: AbortSignal, timeout: number): Promise<IncomingMessage> {
  const access = await line.connection.access();
  const answer = await sendOnce(line, call, access, signal, timeout);
  if (answer.statusCode !== 401) return answer;
  answer.destroy();
  return sendOnce(line, call, await line.connection.renew(access), signal, timeout);
}

async function sendOnce(
  { connection, userAgent }: Line,
  { method, path, body, type }: Call,
  access: Access,
  signal: AbortSignal,
  timeout: number,
): Promise<IncomingMessage> {
  const url = new URL(`${connection.server}${path}`);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const content = text === undefined ? {} : { "content-type": type ?? "application/json", ...lengthOf(text) };
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
function lengthOf(text: string): { readonly "content-length": number } {
  return { "content-length": Buffer.byteLength(text) };
}

async function answered(sent: Promise<IncomingMessage>): Promise<Answer> {
  try {
    const message = await sent;
    const value = parseObject(await textOf(message));
    const status = message.statusCode ?? 0;
    if (status < 300 && value !== undefined) return { kind: "ok", object: value };
    return refusal(status, value);
  } catch (thrown) {
    return { kind: "unreachable", message: errorText(thrown) };
  }
}

function refusal(status: number, said: JsonObject | undefined): Exclude<Answer, { kind: "ok" }> {
  const message = textAt(said, "message") ?? `the API server answered with ${status}`;
  if (status === 404) return { kind: "absent", message };
  return status === 409 ? { kind: "conflict", message } : { kind: "refused", status, message };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > LARGEST_ANSWER) throw new Error("the answer is too large");
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function watched(sent: Promise<IncomingMessage>, on: (event: WatchEvent) => void): Promise<WatchEnd> {
  try {
    const message = await sent;
    if (message.statusCode === 410) return { kind: "expired" };
    if (message.statusCode !== 200) return refusal(message.statusCode ?? 0, parseObject(await textOf(message)));
    const lines = eventLines();
    for await (const chunk of message) {
      const [events, isExpired] = split(lines(Buffer.from(chunk)));
      for (const event of events) on(event);
      if (isExpired) return { kind: "expired" };
    }
    return { kind: "closed" };
  } catch (thrown) {
    return { kind: "unreachable", message: errorText(thrown) };
  }
}

/** The events before the watch expired, and whether it did. */
function split(lines: readonly WatchLine[]): readonly [events: readonly WatchEvent[], isExpired: boolean] {
  const end = lines.findIndex(({ kind }) => kind === "expired");
  const events = (end < 0 ? lines : lines.slice(0, end)).filter((line) => line.kind !== "expired");
  return [events, end >= 0];
}
