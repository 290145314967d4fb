import type { Reader } from "../model/reader.ts";
import { type Resource, resourcePath, resourceText } from "../model/resource.ts";
import type { Connection } from "./connection.ts";
import { failed } from "./failures.ts";
import { getObject } from "./live-get.ts";
import { listObjects } from "./live-list.ts";
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
 * since no check may ask for them.
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
    async list(resource, begin, signal) {
      return isNamed(resource) ? listObjects({ line, path: resourcePath(resource), signal }, begin) : unnamed(resource);
    },
    close: connection.close,
  };
}

/** A target's manifests name kinds: none may lead out of its group's path. */
function isNamed(resource: Resource): boolean {
  if (resource.group === "" && resource.resource === "secrets") throw new Error("Secrets are never read");
  return (
    /^[a-z0-9.-]*$/.test(resource.group) &&
    isSegment(resource.group) &&
    /^[a-z0-9]+$/.test(resource.version) &&
    /^[a-z0-9-]+$/.test(resource.resource)
  );
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
