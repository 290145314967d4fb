import type { IncomingMessage } from "node:http";
import type { ErrorResult } from "./failures.ts";
import { buildAbortFailure, buildFailure, getPathname, parseErrorResponse, toFailedAttempt } from "./failures.ts";
import { type BodyReader, createBodyReader, readWholeBody } from "./response-body.ts";
import type { Attempt } from "../../network/retry.ts";
import { sendRequest } from "./send.ts";
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
  const response = await attemptSend(request);
  if (response.kind !== "response") return response;
  request.onProgress?.();
  notePace(request, response.message);
  const age = request.transport.judgeAge?.(response.message.headers);
  try {
    if (age !== undefined) return { kind: "done", value: buildAgeFailure(request, age) };
    const body = createBodyReader(response.message, request.onProgress);
    return isSuccess(response.message) ? await consume(body) : await readErrorResponse(request, response.message, body);
  } finally {
    if (!response.message.complete) response.message.destroy();
  }
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

function notePace({ transport: { pace } }: ApiRequest, { statusCode, headers }: IncomingMessage): void {
  if (statusCode === STATUS_TOO_MANY_REQUESTS) pace.onRefused(headers["retry-after"]);
  else pace.onAnswered();
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
