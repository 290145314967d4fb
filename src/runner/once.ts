import type { Found, ReadFailure, Reader } from "../model/reader.ts";
import type { Absent } from "../model/read.ts";
import { resourcePath } from "../model/resource.ts";

/** A reader for one cycle: an object that several want (ClusterVersion) is asked for once. */
export function readingOnce(reader: Reader): Reader {
  const answers = new Map<string, Promise<Found | Absent | ReadFailure>>();
  const get: Reader["get"] = (place, signal) => {
    const path = resourcePath(place.resource, place.namespace, place.name);
    const answer = answers.get(path) ?? reader.get(place, signal);
    answers.set(path, answer);
    return answer;
  };
  return { get, list: reader.list, raw: reader.raw };
}
