import type { Absence, FoundObject, ReadFailure, Reader } from "../model/reader.ts";
import { buildResourcePath } from "../model/resource.ts";

/** A reader for one cycle, which requests an object with several readers (ClusterVersion) once. */
export function createCachingReader(shared: Reader): Reader {
  const reader = shared.forCycle?.() ?? shared;
  const results = new Map<string, Promise<FoundObject | Absence | ReadFailure>>();
  const get: Reader["get"] = (place, signal) => {
    const path = buildResourcePath(place.resource, place.namespace, place.name);
    const result = results.get(path) ?? reader.get(place, signal);
    results.set(path, result);
    return result;
  };
  return { get, list: reader.list, raw: reader.raw };
}
