import type { Manifest } from "../../model/manifest.ts";
import { buildRefKey, getGroup, refOf } from "../../model/resource.ts";

/** Overlays of one object for some environments are usual; more copies are judged by nobody. */
const MOST_COPIES = 10;

type Copies<M> = {
  /** Each has one copy of every object: together they have all copies but those that are too many. */
  readonly sets: readonly (readonly M[])[];
  readonly beyond: readonly M[];
};

/** Separates manifests of the same object, such as those of several overlays: a cluster has one of them. */
export function separateCopies<M extends Manifest>(manifests: readonly M[]): Copies<M> {
  const groups = [...Map.groupBy(manifests, buildObjectKey).values()];
  const most = groups.reduce((count, { length }) => Math.max(count, length), 0);
  const count = Math.min(most, MOST_COPIES);
  return {
    sets: Array.from({ length: count }, (_, i) => groups.flatMap((own) => own[Math.min(i, own.length - 1)] ?? [])),
    beyond: groups.flatMap((own) => own.slice(MOST_COPIES)),
  };
}

/** In whichever version it is written. */
function buildObjectKey({ object }: Manifest): string {
  const ref = refOf(object);
  return buildRefKey({ ...ref, apiVersion: getGroup(ref.apiVersion) });
}
