import type { Reader } from "../../model/reader.ts";
import { buildResourcePath } from "../../model/resource.ts";

/** A reader whose cycles request an object once, however many readers it has there, as ClusterVersion. */
export function rememberObjects(reader: Reader): Reader {
  return { ...reader, forCycle: () => createCachingReader(reader.forCycle?.() ?? reader) };
}

function createCachingReader(reader: Reader): Reader {
  const results = new Map<string, ReturnType<Reader["get"]>>();
  const get: Reader["get"] = (place, ...more) => {
    const path = buildResourcePath(place.resource, place.namespace, place.name);
    const result = results.get(path) ?? reader.get(place, ...more);
    results.set(path, result);
    return result;
  };
  return { ...reader, get };
}
