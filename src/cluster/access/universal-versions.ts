import type { ReadFailure } from "../../model/reader.ts";
import { formatGroupResource, type Resource } from "../../model/resource.ts";
import { buildUnprovenFailure } from "./failures.ts";

/** The core group has no name. */
const UNIVERSAL_VERSIONS: ReadonlySet<string> = new Set([
  "/v1",
  "apiextensions.k8s.io/v1",
  "apps/v1",
  "coordination.k8s.io/v1",
  "policy/v1",
]);

/** Whether every API server serves the kind, so that a 404 never means that it does not. */
export function isUniversal({ group, version }: Resource): boolean {
  return UNIVERSAL_VERSIONS.has(`${group}/${version}`);
}

/** A 404 for such a kind. */
export function buildUnservedFailure(path: string, resource: Resource): ReadFailure {
  return buildUnprovenFailure(path, `every API server serves ${formatGroupResource(resource)}`);
}
