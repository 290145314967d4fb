import type { IncomingMessage } from "node:http";
import type { ErrorResult } from "./failures.ts";
import { buildAbortFailure, buildFailure, getPathname, parseErrorResponse, toFailedAttempt } from "./failures.ts";
import { type BodyReader, type OpenBody, openBody, readWholeBody } from "./response-body.ts";
import type { Attempt } from "../../network/retry.ts";
import { sendRequest } from "./send.ts";
import type { TrafficCount } from "./traffic.ts";
import type { ApiRequest, Method } from "./transport.ts";
import type { ReadFailure } from "../../model/reader.ts";

const RETRIABLE_STATUSES = new Set([429, 500, 502, 503, 504]);
const STATUS_TOO_MANY_REQUESTS = 429;
const MAX_ERROR_BODY_BYTES = 1 << 20;

/** One try of a request; `consume` reads the body of a success. Rejects only with what `consume` throws. */
export async function attemptRequest<T>(
  request: ApiRequest,
  consume: (body: BodyReader) => Promise<Attempt<T>>,
): Promise<Attempt<T | ErrorResult>> {
  if (request.signal.aborted) return { kind: "done", value: buildAbortFailure(request.signal, getPathname(request)) };
  const { traffic, clock } = request.transport;
  const count = traffic.begin();
  const sentAt = clock.now();
  try {
    const response = await attemptSend(request);
    if (response.kind !== "response") return response;
    request.onProgress?.();
    noteLoad(request, response.message, clock.now() - sentAt);
    return await readResponse(request, response.message, consume, count);
  } finally {
    count.end();
  }
}

async function readResponse<T>(
  request: ApiRequest,
  message: IncomingMessage,
  consume: (body: BodyReader) => Promise<Attempt<T>>,
  count: TrafficCount,
): Promise<Attempt<T | ErrorResult>> {
  const age = request.transport.judgeAge?.(message.headers);
  const { read: body, close } = openCountedBody(request, message, count);
  try {
    if (age !== undefined) return { kind: "done", value: buildAgeFailure(request, age) };
    return isSuccess(message) ? await consume(body) : await readErrorResponse(request, message, body);
  } finally {
    close();
  }
}

function openCountedBody(request: ApiRequest, message: IncomingMessage, count: TrafficCount): OpenBody {
  const { transport, onProgress } = request;
  const body = transport.link.beginBody();
  const { read, close } = openBody(message, {
    onWireBytes(bytes) {
      count.onWireBytes(bytes);
      body.onBytes(bytes);
      onProgress?.();
    },
    onBytes: count.onBytes,
    onDamaged: transport.link.onDamaged,
  });
  return {
    read,
    close() {
      body.end();
      close();
    },
  };
}

function buildAgeFailure(request: ApiRequest, age: string): ReadFailure {
  return buildFailure("NotUnderstood", `${getPathname(request)} was answered ${age}. Check any proxy on the way`);
}

type HttpResponse = { readonly kind: "response"; readonly message: IncomingMessage };

async function attemptSend(request: ApiRequest): Promise<HttpResponse | Attempt<ReadFailure>> {
  try {
    return { kind: "response", message: await sendRequest(request) };
  } catch (error) {
    return toFailedAttempt(request, error);
  }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function noteLoad({ transport }: ApiRequest, message: IncomingMessage, milliseconds: number): void {
  const { pace, limit } = transport;
  const { statusCode = 0, headers } = message;
  if (statusCode === STATUS_TOO_MANY_REQUESTS) pace.onRefused(headers["retry-after"]);
  else pace.onAnswered();
  if (RETRIABLE_STATUSES.has(statusCode)) limit.onOverloaded();
  else limit.onAnswered(milliseconds);
}

async function readErrorResponse(
  request: ApiRequest,
  message: IncomingMessage,
  body: BodyReader,
): Promise<Attempt<ErrorResult>> {
  const status = message.statusCode ?? 0;
  const read = await readWholeBody(body, MAX_ERROR_BODY_BYTES);
  if (read.kind === "broken") return toFailedAttempt(request, read.error);
  const value = parseErrorResponse(status, read.kind === "whole" ? read.text : "", getPathname(request));
  if (value.kind !== "failed" || !isRetriable(request.method, status)) return { kind: "done", value };
  return { kind: "retry", failure: value, retryAfter: message.headers["retry-after"] };
}

/** A server that answers 429 has not acted on the request; after any other error, a write may have been done. */
function isRetriable(method: Method, status: number): boolean {
  return method === "GET" ? RETRIABLE_STATUSES.has(status) : status === STATUS_TOO_MANY_REQUESTS;
}
