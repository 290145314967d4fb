import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { formatError } from "../../model/errors.ts";
import { type Json, at, isList, listAt, parseObject, textAt } from "../../model/json.ts";
import type { OnProgress, QueryAnswer, ReadFailure, ReadFailureReason, Reader } from "../../model/reader.ts";
import { quote } from "../../model/text.ts";
import { describeConnectionError, rejectOnAbort } from "../../network/connection-error.ts";
import { createAgent } from "../../network/agent.ts";
import type { Connection } from "../access/connection.ts";
import { buildAbortFailure, buildFailure } from "../access/failures.ts";
import { createBodyReader, readWholeBody } from "../access/response-body.ts";
import { type Endpoint, type EndpointOptions, findEndpoint, formatRightsHint } from "./endpoint.ts";

/** `reader`: reads what leads to the monitoring. `connection`: whose token is sent there. */
export type QuerierOptions = EndpointOptions & {
  readonly connection: Pick<Connection, "getAuth" | "context">;
  readonly userAgent: string;
};

/** The reader with queries to the cluster's own monitoring. The endpoint is found once in each cycle. */
export function addMonitoring<R extends Reader>(reader: R, options: QuerierOptions): R {
  const forCycle = (): Reader => addMonitoring(reader.forCycle?.() ?? reader, options);
  return { ...reader, query: createQuery(options), forCycle };
}

function createQuery(options: QuerierOptions): NonNullable<Reader["query"]> {
  let endpoint: Promise<Endpoint | ReadFailure> | undefined;
  return async (expression, signal, onProgress) => {
    endpoint ??= findEndpoint(options, signal);
    const found = await endpoint;
    if (found.kind === "failed") return found;
    const token = await readToken(options, signal);
    return typeof token === "string" ? ask(found, token, expression, { ...options, signal, onProgress }) : token;
  };
}

/** Only a token is sent: a client certificate, a password or an impersonation means something to the API server alone. */
async function readToken({ connection }: QuerierOptions, signal: AbortSignal): Promise<string | ReadFailure> {
  const fail = (message: string): ReadFailure => buildFailure("Unauthorized", message);
  try {
    const { headers } = await rejectOnAbort(connection.getAuth(), signal);
    const names = Object.keys(headers);
    if (names.some((name) => /^impersonate-/i.test(name)))
      return fail(`the context ${connection.context} acts as another user, which only the API server understands`);
    const authorization = names.find((name) => /^authorization$/i.test(name));
    const [, token] = /^Bearer (.+)$/.exec(String(headers[authorization ?? ""] ?? "")) ?? [];
    return (
      token ??
      fail(
        `the context ${connection.context} has no token, and its other credentials are not sent to the monitoring: log in with "oc login"`,
      )
    );
  } catch (thrown) {
    return signal.aborted ? buildAbortFailure(signal, "the token") : fail(formatError(thrown));
  }
}

/** Several times what an answer with one series has. */
const MAX_RESPONSE_BYTES = 1 << 20;
/** Routers take no longer request. */
const MAX_URL_LENGTH = 16 << 10;

type AskOptions = Pick<QuerierOptions, "userAgent"> & {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress | undefined;
};

/** One GET. A redirect is not followed, so that the token goes to this host alone. */
async function ask(endpoint: Endpoint, token: string, expression: string, options: AskOptions): Promise<QueryAnswer> {
  const { tls, proxy } = endpoint;
  const url = new URL("/api/v1/query", endpoint.url);
  url.searchParams.set("query", expression);
  if (url.href.length > MAX_URL_LENGTH)
    return buildFailure("TooLarge", `the expression of its rule is longer than ${MAX_URL_LENGTH >> 10} KiB`);
  const closing = new AbortController();
  try {
    const agent = createAgent(url, proxy && { url: proxy }, tls, closing.signal);
    try {
      return await readAnswer(await send(url, token, { ...options, agent }), endpoint, options.onProgress);
    } finally {
      agent.destroy();
    }
  } catch (thrown) {
    return describeFailure(thrown, endpoint, options.signal);
  } finally {
    closing.abort();
  }
}

function send(
  url: URL,
  token: string,
  { agent, userAgent, signal }: AskOptions & { readonly agent: ReturnType<typeof createAgent> },
): Promise<IncomingMessage> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": userAgent,
  };
  const request = requestHttps(url, { method: "GET", agent, headers, signal });
  return new Promise((resolve, reject) => {
    // An abort right behind the last byte destroys a connection that nobody listens to any more.
    request.once("socket", (socket: Socket) => socket.on("error", () => {}));
    request.on("error", reject);
    request.once("response", resolve);
    request.end();
  });
}

async function readAnswer(
  message: IncomingMessage,
  endpoint: Endpoint,
  onProgress: OnProgress | undefined,
): Promise<QueryAnswer> {
  const body = await readWholeBody(createBodyReader(message, onProgress), MAX_RESPONSE_BYTES);
  message.destroy();
  if (body.kind === "broken") throw body.error;
  if (body.kind === "whole") return parseQueryResponse(message.statusCode ?? 0, body.text, endpoint);
  return { kind: "noVector", message: `its result has more than ${MAX_RESPONSE_BYTES >> 20} MiB` };
}

function describeFailure(thrown: unknown, { server, trustHint }: Endpoint, signal: AbortSignal): ReadFailure {
  if (signal.aborted) return buildAbortFailure(signal, server);
  const { kind, predicate } = describeConnectionError(thrown);
  const hint = kind === "untrusted" ? trustHint : "";
  return buildFailure(kind === "idle" ? "TimedOut" : "Unreachable", `${server}${predicate}${hint}`);
}

const MAX_ERROR_LENGTH = 200;

/** What the monitoring's response to an instant query says. */
export function parseQueryResponse(
  status: number,
  text: string,
  { server, access }: Pick<Endpoint, "server" | "access">,
): QueryAnswer {
  const fail = (reason: ReadFailureReason, message: string): QueryAnswer => ({
    kind: "failed",
    reason,
    message: `${server} ${message}`,
  });
  if (status === 401) return fail("Unauthorized", "does not accept the token (401): log in again, or renew it");
  if (status === 403)
    return fail(
      "Forbidden",
      `gives this account no right to query (403): ${formatRightsHint(access)} it, and the ClusterRole cluster-monitoring-view has it`,
    );
  if (status >= 300 && status < 400) return fail("NotUnderstood", `redirects (${status}), which is not followed`);
  const body = parseObject(text);
  const error = textAt(body, "status") === "error" ? `: ${formatQueryError(body)}` : "";
  // The statuses of an expression that can't be parsed, and of one that can't be evaluated.
  if (error !== "" && (status === 400 || status === 422)) return { kind: "noVector", message: formatQueryError(body) };
  if (status !== 200) return fail("ServerError", `answers with ${status}${error}`);
  if (textAt(body, "status") !== "success") return fail("NotUnderstood", "answers with something else than a result");
  return parseResult(at(body, "data"));
}

function formatQueryError(body: Json | undefined): string {
  const type = textAt(body, "errorType") ?? "error";
  const error = textAt(body, "error") ?? "";
  return `${quote(type, MAX_ERROR_LENGTH)}: ${quote(error, MAX_ERROR_LENGTH)}`;
}

function parseResult(data: Json | undefined): QueryAnswer {
  const type = textAt(data, "resultType") ?? "";
  if (type !== "vector" || !isList(at(data, "result")))
    return { kind: "noVector", message: `its result is a ${quote(type, MAX_ERROR_LENGTH)}, not a vector` };
  const values = listAt(data, "result").map((sample) => parseValue(textAt(sample, "value", 1) ?? ""));
  return { kind: "vector", values };
}

/** As Prometheus writes a number: "1", "0.25", "1e-7", "NaN", "+Inf". A sample without a number, such as a histogram, is NaN. */
function parseValue(text: string): number {
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
}
