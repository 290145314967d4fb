import { FailedError, SilenceError } from "../../model/errors.ts";
import { type JsonObject, textAt, parseObject } from "../../model/json.ts";
import type { ReadFailure, ReadFailureReason } from "../../model/reader.ts";
import { describeConnectionError, isDamageError } from "../../network/connection-error.ts";
import type { Attempt } from "../../network/retry.ts";
import type { GetRequest } from "./transport.ts";

/** A 404. `name`: the object that the API server says does not exist; it names none if it does not serve the kind. */
export type NotFound = { readonly kind: "absent"; readonly name?: string; readonly message: string };

/** What a response other than a success means. `expired`: the API server no longer has the requested state (410). */
export type ErrorResult = NotFound | ReadFailure | { readonly kind: "conflict" | "expired"; readonly message: string };

export function buildFailure(reason: ReadFailureReason, message: string): ReadFailure {
  return { kind: "failed", reason, message };
}

export function buildTooLargeFailure(request: GetRequest, what: string, bytes: number): ReadFailure {
  return buildFailure("TooLarge", `${what} of ${getPathname(request)} has more than ${bytes >> 20} MiB`);
}

/** A 404 that does not mean absence. */
export function buildUnprovenFailure(path: string, contradiction: string): ReadFailure {
  const advice = "check the server's URL, and any proxy on the way";
  return buildFailure("NotUnderstood", `${path} was answered with 404, but ${contradiction}: ${advice}`);
}

export function getPathname({ path }: Pick<GetRequest, "path">): string {
  return path.split("?", 1).join();
}

/** The reason of AbortSignal.timeout is a TimeoutError. */
export function buildAbortFailure(signal: AbortSignal, where: string): ReadFailure {
  const reason: unknown = signal.reason;
  if (reason instanceof SilenceError) return buildFailure("TimedOut", `${where}: ${reason.message}`);
  if (reason instanceof Error && reason.name === "TimeoutError")
    return buildFailure("TimedOut", `${where} took too long`);
  return buildFailure("Cancelled", `The request for ${where} was cancelled`);
}

/** For readers, which never meet a conflict and can't continue from an expired state. */
export function toReadFailure(result: ErrorResult): NotFound | ReadFailure {
  if (result.kind === "failed" || result.kind === "absent") return result;
  return buildFailure("ServerError", result.message);
}

export function parseErrorResponse(status: number, body: string, where: string): ErrorResult {
  if (status === 400 && body.startsWith(SPEAKS_TLS))
    return buildFailure(
      "NotUnderstood",
      `${where} was answered by a server of https://: write https:// instead of http:// as the cluster's server in the kubeconfig`,
    );
  const statusObject = parseStatus(body);
  const message = (statusObject && textAt(statusObject, "message")) || `${where} was answered with ${status}`;
  if (status === 401)
    return buildFailure("Unauthorized", `The API server refused the credentials: ${message}. Log in again`);
  if (status === 403) return buildFailure("Forbidden", message);
  if (status === 404) return parseNotFound(statusObject, body, where, message);
  if (status === 409) return { kind: "conflict", message };
  if (status === 410) return { kind: "expired", message: `${where} is gone (410)` };
  if (status >= 300 && status < 400) {
    return buildFailure(
      "NotUnderstood",
      `${where} was redirected (${status}), and redirects are not followed: check the server's URL`,
    );
  }
  return buildFailure("ServerError", statusObject ? `${message} (${status})` : message);
}

function parseStatus(body: string): JsonObject | undefined {
  const statusObject = parseObject(body);
  return textAt(statusObject, "kind") === "Status" ? statusObject : undefined;
}

/** An API server names a missing object; for a kind that it does not serve it names none, or sends Go's plain page. */
function parseNotFound(
  statusObject: JsonObject | undefined,
  body: string,
  where: string,
  message: string,
): NotFound | ReadFailure {
  if (statusObject) {
    const name = textAt(statusObject, "reason") === "NotFound" ? textAt(statusObject, "details", "name") : undefined;
    return { kind: "absent", name, message };
  }
  if (body.trim() === "404 page not found") return { kind: "absent", message };
  return buildFailure(
    "NotUnderstood",
    `${where} was answered with 404, but not by a Kubernetes API server: check the server's URL`,
  );
}

/** What a broken connection, or a damaged answer, means for the request, unless the request was aborted. Only a GET is tried again. */
export function toFailedAttempt(
  request: GetRequest & { readonly method?: string },
  error: unknown,
): Attempt<ReadFailure> {
  if (request.signal.aborted) return { kind: "done", value: buildAbortFailure(request.signal, getPathname(request)) };
  const { failure, isRetriable } = isDamageError(error)
    ? { failure: buildDamageFailure(request), isRetriable: true }
    : classifyConnectionError(error, request.transport.connection.server);
  const isGet = request.method === undefined || request.method === "GET";
  return isRetriable && isGet ? { kind: "retry", failure } : { kind: "done", value: failure };
}

function buildDamageFailure(request: GetRequest): ReadFailure {
  const message = `${getPathname(request)} was answered with gzip that can't be unpacked. Check any proxy on the way`;
  return buildFailure("NotUnderstood", message);
}

/** The answer of an API server to a request without TLS. Source: net/http of Go. */
const SPEAKS_TLS = "Client sent an HTTP request to an HTTPS server";

type ConnectionFailure = { readonly failure: ReadFailure; readonly isRetriable: boolean };

/** Why no complete response arrived, and whether another try may succeed. */
function classifyConnectionError(error: unknown, server: string): ConnectionFailure {
  if (error instanceof FailedError) return { failure: buildFailure("Unauthorized", error.message), isRetriable: false };
  const { kind, predicate, isRetriable } = describeConnectionError(error);
  const hint = kind === "untrusted" ? ": check certificate-authority" : "";
  const reason = kind === "idle" ? "TimedOut" : "Unreachable";
  return { failure: buildFailure(reason, `${server}${predicate}${hint}`), isRetriable };
}
