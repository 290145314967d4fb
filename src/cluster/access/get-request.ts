import type { IncomingMessage } from "node:http";
import type { Absence } from "../../model/read.ts";
import type { ReadFailure } from "../../model/reader.ts";
import { buildAbortFailure, classifyConnectionError, buildFailure, parseErrorResponse } from "./failures.ts";
import type { Attempt } from "./retry.ts";
import { type Transport, sendGet } from "./transport.ts";

/** The next part of a body, `broken` where its connection died. */
export type BodyPart =
  | { readonly kind: "chunk"; readonly chunk: Buffer }
  | { readonly kind: "end" }
  | { readonly kind: "broken"; readonly error: unknown };
export type BodyReader = () => Promise<BodyPart>;

/** `gone`: the API server no longer has the state that was asked for (410 Expired). */
export type ErrorResult = Absence | ReadFailure | { readonly kind: "gone" };

export type GetRequest = {
  readonly transport: Transport;
  /** With the query. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** The form in which the answer is wanted, where it is not plain JSON. */
  readonly accept?: string;
};

const RETRIABLE_STATUSES = new Set([429, 500, 502, 503, 504]);
const STATUS_GONE = 410;
/** The most that is read of an answer that is no success. */
const MAX_ERROR_BODY_BYTES = 1 << 20;

/** One GET; `consume` reads the body of a 200. Rejects with nothing but what `consume` throws of its own. */
export async function attemptGet<T>(
  request: GetRequest,
  consume: (body: BodyReader) => Promise<Attempt<T>>,
): Promise<Attempt<T | ErrorResult>> {
  const { signal } = request;
  if (signal.aborted) return { kind: "done", value: buildAbortFailure(signal, getPathname(request)) };
  const response = await attemptSend(request);
  if (response.kind !== "answer") return response;
  try {
    const body = createBodyReader(response.message);
    return response.message.statusCode === 200
      ? await consume(body)
      : await readErrorResponse(request, response.message, body);
  } finally {
    if (!response.message.complete) response.message.destroy();
  }
}

export function getPathname(request: GetRequest): string {
  return request.path.split("?", 1).join();
}

/** What a broken connection means for the read, unless it broke since nobody wants the answer any more. */
export function toFailedAttempt(request: GetRequest, error: unknown): Attempt<ReadFailure> {
  if (request.signal.aborted) return { kind: "done", value: buildAbortFailure(request.signal, getPathname(request)) };
  const { failure, isRetriable } = classifyConnectionError(error, request.transport.connection.server);
  return isRetriable ? { kind: "retry", failure } : { kind: "done", value: failure };
}

type HttpResponse = { readonly kind: "answer"; readonly message: IncomingMessage };

async function attemptSend(request: GetRequest): Promise<HttpResponse | Attempt<ReadFailure>> {
  try {
    return { kind: "answer", message: await sendGet(request.transport, request.path, request.signal, request.accept) };
  } catch (error) {
    return toFailedAttempt(request, error);
  }
}

function createBodyReader(message: IncomingMessage): BodyReader {
  const chunks: AsyncIterator<unknown> = message[Symbol.asyncIterator]();
  return async () => {
    try {
      const next = await chunks.next();
      if (next.done) return { kind: "end" };
      return Buffer.isBuffer(next.value) ? { kind: "chunk", chunk: next.value } : { kind: "end" };
    } catch (error) {
      return { kind: "broken", error };
    }
  };
}

async function readErrorResponse(
  request: GetRequest,
  message: IncomingMessage,
  body: BodyReader,
): Promise<Attempt<ErrorResult>> {
  const status = message.statusCode ?? 0;
  const read = await readWholeBody(body, MAX_ERROR_BODY_BYTES);
  if (read.kind === "broken") return toFailedAttempt(request, read.error);
  if (status === STATUS_GONE) return { kind: "done", value: { kind: "gone" } };
  const errorResult = parseErrorResponse(
    status,
    read.kind === "whole" ? read.bytes.toString("utf8") : "",
    getPathname(request),
  );
  if (errorResult.kind === "absent" || !RETRIABLE_STATUSES.has(status)) return { kind: "done", value: errorResult };
  return { kind: "retry", failure: errorResult, retryAfter: message.headers["retry-after"] };
}

export type WholeBody =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "broken"; readonly error: unknown };

/** A body that has to be small. */
export async function readWholeBody(body: BodyReader, maxBytes: number): Promise<WholeBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return part;
    if (part.kind === "end") return { kind: "whole", bytes: Buffer.concat(chunks) };
    size += part.chunk.length;
    if (size > maxBytes) return { kind: "tooLarge" };
    chunks.push(part.chunk);
  }
}

export function buildTooLargeFailure(request: GetRequest, what: string, bytes: number): ReadFailure {
  return buildFailure("TooLarge", `${what} of ${getPathname(request)} has more than ${bytes >> 20} MiB`);
}
