import { type JsonObject, objectAt } from "../../src/model/json.ts";
import type { Garden } from "./garden.ts";
import { type Place, storeKey } from "./place.ts";

/** Before the 1970 in which a case is judged: what is of then is old. */
export const LONG_AGO = "1969-11-01T00:00:00Z";

const SERVERS = ["creationTimestamp", "deletionTimestamp", "generation", "managedFields", "uid"];

/** What of an object's metadata an API server takes from nobody. */
export function withoutServers(metadata: JsonObject): JsonObject {
  const kept = Object.entries(metadata).filter(([key]) => !SERVERS.includes(key) && key !== "resourceVersion");
  return Object.fromEntries(kept);
}

/** Who asks for a certificate, and whether he gets it, nobody can write as he likes. */
export function isStamped({ resource }: Place): boolean {
  return resource === "certificatesigningrequests";
}

export type Planted = {
  readonly path: string;
  readonly place: Place;
  readonly given: JsonObject;
  /** Is its definition the case's own? */
  readonly isOwn: boolean;
};

/** Writes past the API server what it would not let anybody set: when something was made, by whom, and how often it was changed. */
export async function stamp({ api, etcd }: Garden, planted: Planted): Promise<void> {
  const { path, place, given } = planted;
  const set = { ...unsaid(planted), ...serversOf(objectAt(given, "metadata")) };
  if (Object.keys(set).length === 0 && !isStamped(place)) return;
  const { body } = await api.call("GET", path);
  const spec = { ...objectAt(body, "spec"), ...objectAt(given, "spec") };
  const more = isStamped(place) ? { spec, status: objectAt(given, "status") } : {};
  await etcd.put(storeKey(place), { ...body, ...more, metadata: { ...objectAt(body, "metadata"), ...set } });
}

function serversOf(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => SERVERS.includes(key)));
}

/** That it was us who wrote an object, and now, is no part of a case: of its own kinds, and where a check asks how old a thing is. */
function unsaid({ place, isOwn }: Planted): JsonObject {
  if (place.resource === "endpointslices") return { creationTimestamp: LONG_AGO, managedFields: [] };
  return isOwn ? { managedFields: [] } : {};
}
