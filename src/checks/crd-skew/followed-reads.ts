import type { Context } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import { type Each, each, type ListResult, onlyOn, type ReadResults, valuesOf } from "../../model/read.ts";
import { buildConversionReads, type ReadyEndpoints, type ConversionService } from "./conversion.ts";
import type { CrdPair } from "./crd-pair.ts";
import { type DeletedObject, buildDeletedObjectsRead } from "./deleted-crds.ts";
import { buildObjectsRead } from "./objects.ts";
import { keepRequestCount, type RequestCount } from "./request-counts.ts";
import type { ObjectVerdict } from "./object-verdict.ts";
import type { ObjectWriters } from "../shared/object-writers.ts";
import { buildWritersRead } from "./version-writers.ts";

type FollowedValue = ObjectVerdict | RequestCount | ObjectWriters | DeletedObject | ConversionService | ReadyEndpoints;

/** The followed reads, keyed by purpose and CRD: "objects:widgets.example.com". */
export type FollowedReads = Readonly<Record<string, Each<FollowedValue>>>;

const [OBJECTS, WRITERS, DELETED_OBJECTS] = ["objects:", "writers:", "doomed:"] as const;

/** Request counts are read with the objects, because a payload ships their CRD too. */
export function buildFollowedReads(
  pairs: readonly CrdPair[],
  deleted: readonly Crd[],
  context: Context,
): FollowedReads {
  const reads: readonly (readonly [string, Each<FollowedValue> | undefined])[] = [
    ...pairs.map((pair) => [OBJECTS + pair.target.name, buildObjectsRead(pair, context)] as const),
    ...pairs.map((pair) => [WRITERS + pair.target.name, buildWritersRead(pair)] as const),
    ...deleted.map((crd) => [DELETED_OBJECTS + crd.name, buildDeletedObjectsRead(crd)] as const),
  ];
  const entries = reads.flatMap(([key, read]) => (read === undefined ? [] : [[key, read] as const]));
  return { ...Object.fromEntries(entries), ...buildRequestCountReads(), ...buildConversionReads(pairs, context) };
}

export function buildRequestCountReads(): { readonly requestCounts: Each<RequestCount> } {
  const counts = each("apiserver.openshift.io/v1/apirequestcounts", keepRequestCount);
  return { requestCounts: onlyOn("openshift", counts) };
}

/** The values of the followed reads, grouped by purpose. A failed read is absent here, and already an unknown. */
export type GroupedValues = {
  readonly verdicts: readonly (readonly [crd: string, found: readonly ObjectVerdict[]])[];
  readonly requestCounts: ListResult<RequestCount> | undefined;
  readonly getWriters: (crd: string) => readonly ObjectWriters[];
  readonly getDeletedObjects: (crd: string) => ListResult<DeletedObject> | undefined;
  readonly conversion: {
    readonly services?: ListResult<ConversionService>;
    readonly endpoints?: ListResult<ReadyEndpoints>;
  };
};

export function groupValues(followed: Partial<ReadResults<FollowedReads>>): GroupedValues {
  const objects = Object.entries(followed).filter(([key]) => key.startsWith(OBJECTS));
  const [services, endpoints] = [
    selectValues(followed["services"], (kept) => ("kind" in kept && kept.kind === "service" ? kept : undefined)),
    selectValues(followed["endpoints"], (kept) => ("kind" in kept && kept.kind === "endpoints" ? kept : undefined)),
  ];
  return {
    verdicts: objects.map(([key, listed]) => [
      key.slice(OBJECTS.length),
      getValues(selectValues(listed, (kept) => ("errors" in kept ? kept : undefined))),
    ]),
    requestCounts: selectValues(followed["requestCounts"], (kept) => ("users" in kept ? kept : undefined)),
    getWriters: (crd) =>
      getValues(selectValues(followed[WRITERS + crd], (kept) => ("writers" in kept ? kept : undefined))),
    getDeletedObjects: (crd) =>
      selectValues(followed[DELETED_OBJECTS + crd], (kept) => ("doomed" in kept ? kept : undefined)),
    conversion: { ...(services ? { services } : {}), ...(endpoints ? { endpoints } : {}) },
  };
}

function selectValues<T>(
  listed: ListResult<FollowedValue> | undefined,
  toKind: (kept: FollowedValue) => T | undefined,
): ListResult<T> | undefined {
  if (listed?.kind !== "found") return listed;
  return { kind: "found", values: listed.values.flatMap((kept) => toKind(kept) ?? []) };
}

function getValues<T>(listed: ListResult<T> | undefined): readonly T[] {
  return listed === undefined ? [] : valuesOf(listed);
}
