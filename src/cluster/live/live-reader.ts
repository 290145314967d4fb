import { selectMetadata } from "../../model/metadata.ts";
import type { ListPart, Reader, Visitor } from "../../model/reader.ts";
import { type Resource, buildResourcePath, formatResource } from "../../model/resource.ts";
import type { Connection } from "../access/connection.ts";
import { buildFailure } from "../access/failures.ts";
import { getObject } from "./object.ts";
import { listObjects } from "./object-list.ts";
import { readLines } from "./raw-text.ts";
import { type GetRequest, type TransportOptions, createTransport } from "../access/transport.ts";

/**
 * Reads from an API server with GET alone. Failures are values; what a visitor throws is thrown. Secrets are refused by a throw,
 * since no check may ask for more of them than their metadata.
 */
export function createLiveReader(
  connection: Connection,
  options: TransportOptions,
): Reader & { readonly close: () => void } {
  const transport = createTransport(connection, options);
  return {
    async get({ resource, namespace, name }, signal) {
      if (!isValidResource(resource) || !isPathSegment(name) || !isPathSegment(namespace ?? "x"))
        return buildInvalidResourceFailure(resource);
      return getObject({ transport, path: buildResourcePath(resource, namespace, name), signal });
    },
    async list(resource, begin, signal, part) {
      if (!isValidResource(resource, part)) return buildInvalidResourceFailure(resource);
      const request = { transport, path: buildResourcePath(resource), signal };
      return part === "metadata" ? listMetadata(request, begin) : listObjects(request, begin);
    },
    async raw(path, begin, signal) {
      return readLines({ transport, path: requireRawPath(path), signal }, begin);
    },
    close: connection.close,
  };
}

const METADATA_ACCEPT = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** An API server that gives more than it is asked for is not listened to: what is no metadata goes no further. */
function listMetadata(request: GetRequest, begin: () => Visitor): ReturnType<typeof listObjects> {
  return listObjects({ ...request, accept: METADATA_ACCEPT }, () => {
    const visit = begin();
    return (object) => visit(selectMetadata(object));
  });
}

/** A target's manifests name kinds: none may lead out of its group's path. */
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

/** Objects and lists are read as such: what is said of them in `isNamed` has no way around. */
function requireRawPath(path: string): string {
  const isPlain = /^(?:\/[A-Za-z0-9_.-]+)+$/.test(path) && path.split("/").every(isPathSegment);
  if (isPlain && /^\/(?:(?!apis?(?:\/|$))|apis\/[^/]+\/[^/]+$)/.test(path)) return path;
  throw new Error(`${path} is no path of a text`);
}

function isPathSegment(name: string): boolean {
  return name !== "." && name !== "..";
}

function buildInvalidResourceFailure(resource: Resource): ReturnType<typeof buildFailure> {
  return buildFailure(
    "NotUnderstood",
    `${JSON.stringify(formatResource(resource))} names nothing that an API server could have`,
  );
}
