import { type JsonObject, textAt } from "../../model/json.ts";
import type { ReadFailure } from "../../model/reader.ts";
import { type Resource, getGroup } from "../../model/resource.ts";
import { buildFailure } from "../access/failures.ts";
import { findKindMismatch } from "../access/response-identity.ts";
import type { ArchiveIndex } from "./archive-index.ts";
import type { HeldFacts } from "./held-kinds.ts";
import type { ServedFacts } from "./served-kinds.ts";

/** What one archive holds, and what follows from it. */
export type Archive = {
  readonly index: ArchiveIndex;
  readonly held: HeldFacts;
  /** Read when the first kind is asked for that the archive does not hold. */
  readonly readServed: (signal: AbortSignal) => Promise<ServedFacts>;
};

export function buildNotHeldFailure(message: string): ReadFailure {
  return buildFailure("NotRecorded", message);
}

/** `oc adm inspect` writes objects in the version that the API server prefers, which may not be the one that a check reads. */
export function findVersionMismatch(resource: Resource, object: JsonObject): ReadFailure | undefined {
  const mismatch = findKindMismatch(resource, object);
  if (mismatch === undefined) return undefined;
  const apiVersion = textAt(object, "apiVersion") ?? "";
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  if (getGroup(apiVersion) === resource.group && version !== resource.version)
    return buildNotHeldFailure(`the must-gather holds it in version ${version}, not in ${resource.version}`);
  return buildFailure("NotUnderstood", `the must-gather answers ${mismatch}`);
}
