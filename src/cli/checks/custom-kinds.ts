import type { Unknown } from "../../model/check.ts";
import { CRD_RESOURCE, type CustomKind, parseCustomKind } from "../../model/custom-kind.ts";
import { FailedError } from "../../model/errors.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ListPart, Reader } from "../../model/reader.ts";
import { formatGroupResource, parseResource } from "../../model/resource.ts";

/** What was found in the objects of a kind, and why there may be more. */
export type Collected<T> = { readonly found: readonly T[]; readonly unknowns: readonly Unknown[] };

/** None of a kind that the API server does not serve. */
export async function collectObjects<T>(
  kind: string,
  find: (object: JsonObject) => T | undefined,
  reader: Reader,
  signal: AbortSignal,
  part?: ListPart,
): Promise<Collected<T>> {
  const resource = parseResource(kind);
  let found: T[] = [];
  let gap: string | undefined;
  const result = await reader.list(
    resource,
    (held) => {
      found = [];
      gap = held?.message;
      return (object) => {
        const value = find(object);
        if (value !== undefined) found.push(value);
      };
    },
    signal,
    part,
  );
  const where = formatGroupResource(resource);
  if (result.kind === "failed")
    return { found: [], unknowns: [{ reason: result.reason, where, message: result.message }] };
  return { found, unknowns: gap === undefined ? [] : [{ reason: "NotRecorded", where, message: gap }] };
}

/** Throws a FailedError if something could not be read. */
export function requireRead([unknown]: readonly Unknown[]): void {
  if (unknown !== undefined) throw new FailedError(`${unknown.where} can't be read: ${unknown.message}`);
}

/** The kinds that the CRDs of a cluster define. */
export async function readCustomKinds(reader: Reader, signal: AbortSignal): Promise<Collected<CustomKind>> {
  return collectObjects(CRD_RESOURCE, parseCustomKind, reader, signal, "metadata");
}
