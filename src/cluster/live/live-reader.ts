import { createLineSplitter } from "../../encoding/line-splitter.ts";
import { selectMetadata } from "../../model/object.ts";
import type {
  LineVisitor,
  ListPart,
  OnProgress,
  RawSummary,
  ReadFailure,
  Reader,
  Visitor,
} from "../../model/reader.ts";
import { type Resource, buildResourcePath, formatResource } from "../../model/resource.ts";
import type { Attempt } from "../../network/retry.ts";
import { createAgeJudge } from "../access/answer-age.ts";
import type { Connection } from "../access/connection.ts";
import type { NotFound } from "../access/failures.ts";
import { buildFailure, buildTooLargeFailure, toFailedAttempt, toReadFailure } from "../access/failures.ts";
import { getWithRetries } from "../access/get-request.ts";
import type { BodyReader } from "../access/response-body.ts";
import type { TrafficSummary } from "../access/traffic.ts";
import { type GetRequest, type Transport, type TransportOptions, createTransport } from "../access/transport.ts";
import { WATCH_IDLE_TIMEOUT_MS } from "../access/watch-events.ts";
import { type WatchPlace, createPlaceWatch } from "./change-watch.ts";
import type { Discovery } from "./discovery.ts";
import {
  createDiscovery,
  isDiscoveryPath,
  judgeMissingKind,
  judgeMissingObject,
  judgeMissingText,
  visitDiscovery,
} from "./discovery.ts";
import type { ListRequest } from "./list-page.ts";
import { listObjects } from "./object-list.ts";
import { getObject } from "./object.ts";

/** What the reads of a live reader share. */
export type LiveReader = Reader & {
  /** How many reads the API server takes at a time, by its answers up to now. */
  readonly findServerLimit: () => number;
  readonly watchPlace: WatchPlace;
  readonly summarizeTraffic: () => TrafficSummary;
  readonly close: () => void;
};

/**
 * Reads from an API server, with GET alone. Failures are values; errors of a visitor are thrown. Reading more of a Secret than its
 * metadata throws, since no check may do so.
 */
export function createLiveReader(connection: Connection, options: TransportOptions): LiveReader {
  const transport = createTransport(connection, options);
  return {
    ...createReader(transport, () => createDiscovery(transport)),
    forCycle() {
      const ofCycle: Transport = { ...transport, judgeAge: createAgeJudge(transport.clock) };
      const discovery = createDiscovery(ofCycle);
      return createReader(ofCycle, () => discovery);
    },
    findServerLimit: transport.limit.find,
    watchPlace: createPlaceWatch(createTransport(connection, { ...options, idleTimeoutMs: WATCH_IDLE_TIMEOUT_MS })),
    summarizeTraffic: transport.traffic.summarize,
    close: connection.close,
  };
}

/** `getDiscovery` gives the answers about what the server serves that one read may use. */
function createReader(transport: Transport, getDiscovery: () => Discovery): Reader {
  return {
    async get(location, signal, onProgress) {
      const { resource, namespace, name } = location;
      if (!isValidResource(resource) || !isPathSegment(name) || !isPathSegment(namespace ?? "x"))
        return buildInvalidResourceFailure(resource);
      const path = buildResourcePath(resource, namespace, name);
      const result = await getObject({ transport, path, signal, onProgress }, location);
      if (result.kind !== "absent") return result;
      return judgeMissingObject(result, name, {
        path,
        resource,
        discovery: bindProgress(getDiscovery(), onProgress),
        signal,
      });
    },
    async list(resource, begin, signal, part, onProgress) {
      if (!isValidResource(resource, part)) return buildInvalidResourceFailure(resource);
      const path = buildResourcePath(resource);
      const request = { transport, path, signal, onProgress, resource };
      const beginWhole = (): Visitor => begin(undefined);
      const result = await (part === "metadata" ? listMetadata(request, beginWhole) : listObjects(request, beginWhole));
      return result.kind === "absent"
        ? judgeMissingKind({ path, resource, discovery: bindProgress(getDiscovery(), onProgress), signal })
        : result;
    },
    async listSelected(resource, { namespace, labelSelector }, begin, signal, onProgress) {
      if (!isValidResource(resource) || !isPathSegment(namespace)) return buildInvalidResourceFailure(resource);
      const path = buildResourcePath(resource, namespace);
      const request = { transport, path, signal, onProgress, resource, namespace, labelSelector };
      const result = await listObjects(request, begin);
      return result.kind === "absent"
        ? judgeMissingKind({ path, resource, discovery: bindProgress(getDiscovery(), onProgress), signal })
        : result;
    },
    async raw(path, begin, signal, onProgress) {
      const discovery = bindProgress(getDiscovery(), onProgress);
      const request = { transport, path: requireRawPath(path), signal, onProgress };
      const result = isDiscoveryPath(path)
        ? await visitDiscovery(path, discovery, begin, signal)
        : await readLines(request, begin);
      return result.kind === "absent" ? judgeMissingText(path, discovery, signal) : result;
    },
  };
}

/** For one read. */
function bindProgress(discovery: Discovery, onProgress: OnProgress | undefined): Discovery {
  return (path, signal) => discovery(path, signal, onProgress);
}

const METADATA_ACCEPT = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** Drops everything but metadata, even if the API server sends more. */
function listMetadata(request: ListRequest, begin: () => Visitor): ReturnType<typeof listObjects> {
  return listObjects({ ...request, accept: METADATA_ACCEPT, part: "metadata" }, () => {
    const visit = begin();
    return (object) => visit(selectMetadata(object));
  });
}

/** Kinds come from a target's manifests too: none may lead out of its group's path. */
function isValidResource(resource: Resource, part?: ListPart): boolean {
  if (resource.group === "" && resource.resource === "secrets" && part !== "metadata")
    throw new Error("Secrets are never read");
  return (
    /^[a-z0-9.-]*$/.test(resource.group) &&
    isPathSegment(resource.group) &&
    /^[a-z0-9]+$/.test(resource.version) &&
    /^[a-z0-9-]+$/.test(resource.resource)
  );
}

/** Refuses paths of objects and lists, so that `isValidResource` can't be bypassed. */
function requireRawPath(path: string): string {
  const isPlain = /^(?:\/[A-Za-z0-9_.-]+)+$/.test(path) && path.split("/").every(isPathSegment);
  if (isPlain && /^\/(?:(?!apis?(?:\/|$))|apis$|apis\/[^/]+\/[^/]+$)/.test(path)) return path;
  throw new Error(`${path} is not the path of a text`);
}

function isPathSegment(name: string): boolean {
  return name !== "." && name !== "..";
}

function buildInvalidResourceFailure(resource: Resource): ReturnType<typeof buildFailure> {
  return buildFailure(
    "NotUnderstood",
    `${JSON.stringify(formatResource(resource))} is not a resource name of any API server`,
  );
}

const MAX_LINE_BYTES = 1 << 20;

/** Reads a text line by line: the metrics of an API server have several MB, and memory holds one line. */
async function readLines(request: GetRequest, begin: () => LineVisitor): Promise<RawSummary | NotFound | ReadFailure> {
  const outcome = await getWithRetries(request, (body) => visitLines(request, body, begin()));
  return outcome.kind === "read" ? outcome : toReadFailure(outcome);
}

async function visitLines(
  request: GetRequest,
  body: BodyReader,
  visit: LineVisitor,
): Promise<Attempt<RawSummary | ReadFailure>> {
  const split = createLineSplitter(MAX_LINE_BYTES);
  let bytes = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return toFailedAttempt(request, part.error);
    const lines = split(part.kind === "end" ? undefined : part.chunk);
    if (lines === undefined) return { kind: "done", value: buildTooLargeFailure(request, "A line", MAX_LINE_BYTES) };
    for (const line of lines) visit(line);
    if (part.kind === "end") return { kind: "done", value: { kind: "read", bytes } };
    bytes += part.chunk.length;
  }
}
