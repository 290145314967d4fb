import { metadataOf } from "../model/metadata.ts";
import type { ListPart, Reader, Visitor } from "../model/reader.ts";
import { type Resource, resourcePath, resourceText } from "../model/resource.ts";
import type { Connection } from "./connection.ts";
import type { Request } from "./exchange.ts";
import { failed } from "./failures.ts";
import { getObject } from "./live-get.ts";
import { listObjects } from "./live-list.ts";
import { readLines } from "./live-raw.ts";
import { type Clock, systemClock } from "./retry.ts";
import type { Line } from "./send.ts";

export type LiveOptions = {
  /** Ours, for the User-Agent. */
  readonly version: string;
  /** How long a connection may be silent before it is given up. */
  readonly idleMs?: number;
  readonly clock?: Clock;
};

/** An API server may think about a list for a minute. */
const IDLE_MS = 75_000;

/**
 * Reads from an API server with GET alone. Failures are values; what a visitor throws is thrown. Secrets are refused by a throw,
 * since no check may ask for more of them than their metadata.
 */
export function liveReader(connection: Connection, options: LiveOptions): Reader & { readonly close: () => void } {
  const line: Line = {
    connection,
    userAgent: `target-release-preflight/${options.version}`,
    idleMs: options.idleMs ?? IDLE_MS,
    clock: options.clock ?? systemClock,
  };
  return {
    async get({ resource, namespace, name }, signal) {
      if (!isNamed(resource) || !isSegment(name) || !isSegment(namespace ?? "x")) return unnamed(resource);
      return getObject({ line, path: resourcePath(resource, namespace, name), signal });
    },
    async list(resource, begin, signal, part) {
      if (!isNamed(resource, part)) return unnamed(resource);
      const request = { line, path: resourcePath(resource), signal };
      return part === "metadata" ? listMetadata(request, begin) : listObjects(request, begin);
    },
    async raw(path, begin, signal) {
      return readLines({ line, path: withoutObjects(path), signal }, begin);
    },
    close: connection.close,
  };
}

const METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** An API server that gives more than it is asked for is not listened to: what is no metadata goes no further. */
function listMetadata(request: Request, begin: () => Visitor): ReturnType<typeof listObjects> {
  return listObjects({ ...request, accept: METADATA }, () => {
    const visit = begin();
    return (object) => visit(metadataOf(object));
  });
}

/** A target's manifests name kinds: none may lead out of its group's path. */
function isNamed(resource: Resource, part?: ListPart): boolean {
  if (resource.group === "" && resource.resource === "secrets" && part !== "metadata")
    throw new Error("Secrets are never read");
  return (
    /^[a-z0-9.-]*$/.test(resource.group) &&
    isSegment(resource.group) &&
    /^[a-z0-9]+$/.test(resource.version) &&
    /^[a-z0-9-]+$/.test(resource.resource)
  );
}

/** Objects and lists are read as such: what is said of them in `isNamed` has no way around. */
function withoutObjects(path: string): string {
  const isPlain = /^(?:\/[A-Za-z0-9_.-]+)+$/.test(path) && path.split("/").every(isSegment);
  if (isPlain && /^\/(?:(?!apis?(?:\/|$))|apis\/[^/]+\/[^/]+$)/.test(path)) return path;
  throw new Error(`${path} is no path of a text`);
}

function isSegment(name: string): boolean {
  return name !== "." && name !== "..";
}

function unnamed(resource: Resource): ReturnType<typeof failed> {
  return failed(
    "NotUnderstood",
    `${JSON.stringify(resourceText(resource))} names nothing that an API server could have`,
  );
}
