import { type JsonObject, parseObject, textAt } from "../../model/json.ts";
import type { ObjectLocation, ReadFailure } from "../../model/reader.ts";
import type { Connection } from "../access/connection.ts";
import type { ErrorResult, NotFound } from "../access/failures.ts";
import { buildFailure, buildTooLargeFailure, getPathname, toFailedAttempt } from "../access/failures.ts";
import { attemptRequest } from "../access/request.ts";
import { type BodyReader, readWholeBody } from "../access/response-body.ts";
import { findListFailure } from "../access/list-evidence.ts";
import { findObjectMismatch, isMetadataItem, METADATA_ACCEPT } from "../access/response-identity.ts";
import { followEvents, WATCH_IDLE_TIMEOUT_MS, type WatchEvent } from "../access/watch-events.ts";
import { type Attempt, withRetries } from "../../network/retry.ts";
import { type ApiRequest, type TransportOptions, createTransport } from "../access/transport.ts";
import { buildUnservedFailure, isUniversal } from "../access/universal-versions.ts";

/**
 * What came of a request. `absent`: 404. `conflict`: 409, the object exists already or has changed since it was read. `refused`: any
 * other response. `unreachable`: no response.
 */
export type ApiResponse =
  | { readonly kind: "ok"; readonly object: JsonObject }
  | { readonly kind: "absent" | "conflict" | "refused" | "unreachable"; readonly message: string };

export type ApiWrite = {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The API's path, with its query. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Of a PATCH: "application/merge-patch+json" or "application/apply-patch+yaml". */
  readonly type?: string;
};

/** How a watch ended. `expired`: the API server no longer has the requested state (410). */
export type WatchEnd =
  | { readonly kind: "closed" }
  | { readonly kind: "expired" }
  | Exclude<ApiResponse, { kind: "ok" }>;

/** The only way to write to a cluster. Failures are values. */
export type ApiClient = {
  /** A path with `limit` in its query is answered with a page of a list. `metadata`: of the object, nothing else is sent. */
  readonly read: (path: string, signal: AbortSignal, part?: "metadata") => Promise<ApiResponse>;
  readonly write: (write: ApiWrite, signal: AbortSignal) => Promise<ApiResponse>;
  /** Calls `onEvent` with each event until the API server ends the watch. */
  readonly watch: (path: string, onEvent: (event: WatchEvent) => void, signal: AbortSignal) => Promise<WatchEnd>;
};

/** For one read or write with its retries. */
const DEADLINE_MS = 60_000;
const IDLE_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 16 << 20;

export function createApiClient(connection: Connection, options: TransportOptions): ApiClient {
  const transport = createTransport(connection, { idleTimeoutMs: IDLE_TIMEOUT_MS, ...options });
  const watchTransport = createTransport(connection, { ...options, idleTimeoutMs: WATCH_IDLE_TIMEOUT_MS });
  return {
    read: async (path, signal, part) =>
      exchange({ transport, method: "GET", path, signal, ...(part ? { accept: METADATA_ACCEPT } : {}) }),
    write: async ({ method, path, body, type = "application/json" }, signal) =>
      exchange({
        transport,
        method,
        path,
        signal,
        ...(body === undefined ? {} : { content: { type, text: JSON.stringify(body) } }),
      }),
    watch: async (path, onEvent, signal) => watch({ transport: watchTransport, method: "GET", path, signal }, onEvent),
  };
}

async function exchange(request: ApiRequest): Promise<ApiResponse> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(DEADLINE_MS)]);
  const bounded = { ...request, signal };
  const attempt = async (): Promise<Attempt<OkResponse | ErrorResult>> =>
    attemptRequest(bounded, (body) => readObject(bounded, body));
  const outcome = await withRetries(attempt, request.transport.clock, signal);
  if (outcome.kind === "ok") return outcome;
  return outcome.kind === "absent" ? toAbsentResponse(request, outcome) : toApiResponse(outcome);
}

/** The default handlers of Go and of proxies answer 404 too, so an object that must be missing is one that the API server names. */
function toAbsentResponse(request: ApiRequest, { name, message }: NotFound): Exclude<ApiResponse, OkResponse> {
  const path = getPathname(request);
  const location = request.method === "GET" ? parseApiPath(path) : undefined;
  if (location === undefined || !isUniversal(location.resource) || (name !== undefined && name === location.name))
    return { kind: "absent", message };
  return toApiResponse(buildUnservedFailure(path, location.resource));
}

type OkResponse = Extract<ApiResponse, { kind: "ok" }>;

async function readObject(request: ApiRequest, body: BodyReader): Promise<Attempt<OkResponse | ErrorResult>> {
  const read = await readWholeBody(body, MAX_RESPONSE_BYTES);
  if (read.kind === "broken") return toFailedAttempt(request, read.error);
  if (read.kind === "tooLarge")
    return { kind: "done", value: buildTooLargeFailure(request, "The response", MAX_RESPONSE_BYTES) };
  const object = parseObject(read.text);
  const subject = `${getPathname(request)} was answered`;
  if (!object)
    return {
      kind: "done",
      value: buildFailure("NotUnderstood", `${subject} with something other than a Kubernetes object`),
    };
  return { kind: "done", value: judgeAnswer(request, object, subject) ?? { kind: "ok", object } };
}

/** A write is answered with the object or a Status, and only its success matters. */
function judgeAnswer(request: ApiRequest, object: JsonObject, subject: string): ReadFailure | undefined {
  const location = request.method === "GET" ? parseApiPath(getPathname(request)) : undefined;
  if (location === undefined) return undefined;
  const { name, ...collection } = location;
  const isPage = new URLSearchParams(request.path.split("?")[1]).has("limit");
  if (name === undefined) return findListFailure({ ...collection, subject }, object, isPage);
  if (request.accept === METADATA_ACCEPT && isMetadataItem(object) && textAt(object, "metadata", "name") === name)
    return undefined;
  const mismatch = findObjectMismatch({ ...collection, name }, object);
  return mismatch === undefined ? undefined : buildFailure("NotUnderstood", `${subject} ${mismatch}`);
}

/** Undefined for a path of neither an object nor a collection. */
function parseApiPath(path: string): (Omit<ObjectLocation, "name"> & { readonly name?: string }) | undefined {
  const match = API_PATH.exec(path);
  const { group = "", version, namespace, resource, name } = match?.groups ?? {};
  if (version === undefined || resource === undefined) return undefined;
  return { resource: { group, version, resource }, namespace, name };
}

const API_PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)(?:\/namespaces\/(?<namespace>[^/]+)(?=\/[^/]))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+))?$/;

function toApiResponse(result: ErrorResult): Exclude<ApiResponse, OkResponse> {
  const { message } = result;
  switch (result.kind) {
    case "absent":
    case "conflict":
      return { kind: result.kind, message };
    case "expired":
      return { kind: "refused", message };
    case "failed":
      return { kind: NO_RESPONSE_REASONS.has(result.reason) ? "unreachable" : "refused", message };
  }
}

/** Credentials are missing or were refused before the API server considered the request itself. */
const NO_RESPONSE_REASONS = new Set(["Unreachable", "TimedOut", "Cancelled", "Unauthorized"]);

async function watch(request: ApiRequest, onEvent: (event: WatchEvent) => void): Promise<WatchEnd> {
  const end = await followEvents(request, onEvent, attemptRequest);
  return end.kind === "closed" || end.kind === "expired" ? { kind: end.kind } : toApiResponse(end);
}
