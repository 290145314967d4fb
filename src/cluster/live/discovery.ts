import { listAt, parseObject, textAt } from "../../model/json.ts";
import type { Absence, LineVisitor, OnProgress, RawSummary, ReadFailure } from "../../model/reader.ts";
import { type Resource, formatGroupResource, listGroupVersions, parseApiGroups } from "../../model/resource.ts";
import type { Attempt } from "../../network/retry.ts";
import type { ErrorResult, NotFound } from "../access/failures.ts";
import {
  buildAbortFailure,
  buildTooLargeFailure,
  buildUnprovenFailure,
  toFailedAttempt,
  toReadFailure,
} from "../access/failures.ts";
import { getWithRetries } from "../access/get-request.ts";
import { type BodyReader, readWholeBody } from "../access/response-body.ts";
import type { GetRequest, Transport } from "../access/transport.ts";
import { buildUnservedFailure, isUniversal } from "../access/universal-versions.ts";

/** The answers of an API server about what it serves, each requested once. */
export type Discovery = (path: string, signal: AbortSignal, onProgress?: OnProgress) => Promise<DiscoveryResult>;

export type DiscoveryText = { readonly kind: "whole"; readonly text: string; readonly bytes: number };
export type DiscoveryResult = DiscoveryText | ErrorResult;

/** Several times what a server with thousands of kinds sends. */
const MAX_BYTES = 8 << 20;

const GROUPS_PATH = "/apis";

/** "/apis" and "/apis/GROUP/VERSION". */
export function isDiscoveryPath(path: string): boolean {
  return /^\/apis(?:\/[^/]+\/[^/]+)?$/.test(path);
}

export function createDiscovery(transport: Transport): Discovery {
  const answers = new Map<string, SharedAnswer>();
  return async function read(path, signal, onProgress = () => {}) {
    const shared = answers.get(path);
    if (shared !== undefined) {
      shared.listeners.add(onProgress);
      const result = await shared.result;
      // The read that sent the request ran out of time, which says nothing about this one.
      const isAbandoned = result.kind === "failed" && shared.signal.aborted && !signal.aborted;
      if (!isAbandoned) return result;
      if (answers.get(path) !== shared) return read(path, signal, onProgress);
    }
    const listeners = new Set([onProgress]);
    const notify = (): void => listeners.forEach((listen) => listen());
    const result = readText({ transport, path, signal, onProgress: notify });
    answers.set(path, { signal, result, listeners });
    return result;
  };
}

/** `listeners`: of all reads that wait for the answer. */
type SharedAnswer = {
  readonly signal: AbortSignal;
  readonly result: Promise<DiscoveryResult>;
  readonly listeners: Set<OnProgress>;
};

async function readText(request: GetRequest): Promise<DiscoveryResult> {
  const consume = async (body: BodyReader): Promise<Attempt<DiscoveryText | ReadFailure>> => {
    const read = await readWholeBody(body, MAX_BYTES);
    if (read.kind === "broken") return toFailedAttempt(request, read.error);
    return { kind: "done", value: read.kind === "whole" ? read : buildTooLargeFailure(request, "The text", MAX_BYTES) };
  };
  return getWithRetries(request, consume);
}

/** Visits the lines of an answer. */
export async function visitDiscovery(
  path: string,
  discovery: Discovery,
  begin: () => LineVisitor,
  signal: AbortSignal,
): Promise<RawSummary | NotFound | ReadFailure> {
  const result = await discovery(path, signal);
  if (result.kind !== "whole") return toReadFailure(result);
  const visit = begin();
  for (const line of result.text.replace(/\n$/, "").split("\n")) visit(line);
  return { kind: "read", bytes: result.bytes };
}

/** The versions of each group, "GROUP/VERSION"; undefined for anything but the answer of an API server, which always serves CRDs. */
export function parseGroupVersions(text: string): ReadonlySet<string> | undefined {
  const served = new Set(listGroupVersions(parseApiGroups(text) ?? []));
  return served.has("apiextensions.k8s.io/v1") ? served : undefined;
}

/** The plurals that a version of a group serves; undefined for anything but the answer of an API server about this version. */
export function parseKinds(text: string, groupVersion: string): ReadonlySet<string> | undefined {
  const list = parseObject(text);
  if (textAt(list, "kind") !== "APIResourceList" || textAt(list, "groupVersion") !== groupVersion) return undefined;
  return new Set(listAt(list, "resources").flatMap((resource) => textAt(resource, "name") ?? []));
}

/** A request that was answered with 404. */
export type UnfoundRequest = {
  readonly path: string;
  readonly resource: Resource;
  readonly discovery: Discovery;
  readonly signal: AbortSignal;
};

/** The default handlers of Go and of proxies answer 404 too, so a missing object is one that the API server names. */
export async function judgeMissingObject(
  notFound: NotFound,
  name: string,
  request: UnfoundRequest,
): Promise<Absence | ReadFailure> {
  return notFound.name === name ? { kind: "absent", what: "object" } : judgeMissingKind(request);
}

/** A kind is absent only if discovery of the same server shows that it is not served. */
export async function judgeMissingKind(request: UnfoundRequest): Promise<Absence | ReadFailure> {
  const { path, resource, discovery, signal } = request;
  const groupVersion = `${resource.group}/${resource.version}`;
  if (isUniversal(resource)) return buildUnservedFailure(path, resource);
  const groups = await readServed(GROUPS_PATH, parseGroupVersions, discovery, signal);
  if (groups.kind === "served" && !groups.names.has(groupVersion)) return ABSENT_KIND;
  const versionPath = `${GROUPS_PATH}/${groupVersion}`;
  const kinds = await readServed(versionPath, (text) => parseKinds(text, groupVersion), discovery, signal);
  if (kinds.kind === "served")
    return kinds.names.has(resource.resource)
      ? buildUnprovenFailure(path, `${versionPath} lists ${formatGroupResource(resource)}`)
      : ABSENT_KIND;
  return toUnprovenFailure(path, groups.kind === "served" ? kinds : groups, signal);
}

/** A text is absent only if it is discovery's about a version that the server does not serve. */
export async function judgeMissingText(
  path: string,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<Absence | ReadFailure> {
  const groupVersion = path.startsWith(`${GROUPS_PATH}/`) ? path.slice(GROUPS_PATH.length + 1) : undefined;
  if (groupVersion === undefined) return buildUnprovenFailure(path, "every API server serves it");
  const groups = await readServed(GROUPS_PATH, parseGroupVersions, discovery, signal);
  if (groups.kind !== "served") return toUnprovenFailure(path, groups, signal);
  return groups.names.has(groupVersion)
    ? buildUnprovenFailure(path, `${GROUPS_PATH} lists ${groupVersion}`)
    : ABSENT_KIND;
}

const ABSENT_KIND: Absence = { kind: "absent", what: "resource" };

type Served =
  | { readonly kind: "served"; readonly names: ReadonlySet<string> }
  | { readonly kind: "unreadable"; readonly path: string; readonly message: string };

async function readServed(
  path: string,
  parse: (text: string) => ReadonlySet<string> | undefined,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<Served> {
  const result = await discovery(path, signal);
  const names = result.kind === "whole" ? parse(result.text) : undefined;
  if (names !== undefined) return { kind: "served", names };
  const message = result.kind === "whole" ? "it was answered with something else" : result.message;
  return { kind: "unreadable", path, message };
}

function toUnprovenFailure(
  path: string,
  unreadable: Exclude<Served, { kind: "served" }>,
  signal: AbortSignal,
): ReadFailure {
  if (signal.aborted) return buildAbortFailure(signal, unreadable.path);
  return buildUnprovenFailure(path, `${unreadable.path} does not show what is served (${unreadable.message})`);
}
