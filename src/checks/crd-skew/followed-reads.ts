import type { Context } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import { type Each, each, onlyOn } from "../../model/read.ts";
import { buildConversionReads, type ConversionReads } from "./conversion.ts";
import type { CrdPair } from "./crd-pair.ts";
import { buildDeletedObjectsRead } from "./deleted-crds.ts";
import { buildObjectsRead } from "./objects.ts";
import { keepRequestCount, type RequestCount } from "./request-counts.ts";
import type { ObjectVerdict } from "./object-verdict.ts";
import type { ObjectWriters } from "../shared/object-writers.ts";
import { buildWritersRead } from "./version-writers.ts";

/** A read for each CRD, by purpose and name: "objects:widgets.example.com". */
type ReadsByCrd<P extends string, T> = Readonly<Record<`${P}:${string}`, Each<T>>>;

export type FollowedReads = ReadsByCrd<"objects", ObjectVerdict> &
  ReadsByCrd<"writers", ObjectWriters> &
  ReadsByCrd<"doomed", true> &
  Partial<ConversionReads> & { readonly requestCounts: Each<RequestCount> };

/** Request counts are read with the objects, because a payload ships their CRD too. */
export function buildFollowedReads(
  pairs: readonly CrdPair[],
  deleted: readonly Crd[],
  context: Context,
): FollowedReads {
  const objects: ReadsByCrd<"objects", ObjectVerdict> = collectReads(
    pairs.map((pair) => [`objects:${pair.target.name}`, buildObjectsRead(pair, context)]),
  );
  const writers: ReadsByCrd<"writers", ObjectWriters> = collectReads(
    pairs.map((pair) => [`writers:${pair.target.name}`, buildWritersRead(pair)]),
  );
  const doomed: ReadsByCrd<"doomed", true> = collectReads(
    deleted.map((crd) => [`doomed:${crd.name}`, buildDeletedObjectsRead(crd)]),
  );
  return Object.assign(objects, writers, doomed, buildRequestCountReads(), buildConversionReads(pairs, context));
}

function collectReads<T>(
  entries: readonly (readonly [key: string, read: Each<T> | undefined])[],
): Record<string, Each<T>> {
  return Object.fromEntries(entries.flatMap(([key, read]) => (read === undefined ? [] : [[key, read]])));
}

export function buildRequestCountReads(): { readonly requestCounts: Each<RequestCount> } {
  const counts = each("apiserver.openshift.io/v1/apirequestcounts", keepRequestCount);
  return { requestCounts: onlyOn("openshift", counts) };
}
