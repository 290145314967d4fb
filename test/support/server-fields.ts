import { type JsonObject, objectAt } from "../../src/model/json.ts";
import type { TestServer } from "./test-server.ts";
import { type ApiPath, buildEtcdKey } from "./api-path.ts";

/** Before the 1970 in which a case is judged: what is of then is old. */
export const LONG_AGO = "1969-11-01T00:00:00Z";

const SERVER_FIELDS = ["creationTimestamp", "deletionTimestamp", "generation", "managedFields", "uid"];

/** What of an object's metadata an API server takes from nobody. */
export function dropServerFields(metadata: JsonObject): JsonObject {
  const kept = Object.entries(metadata).filter(([key]) => !SERVER_FIELDS.includes(key) && key !== "resourceVersion");
  return Object.fromEntries(kept);
}

/** Who asks for a certificate, and whether he gets it, nobody can write as he likes. */
export function isServerOwned({ resource }: ApiPath): boolean {
  return resource === "certificatesigningrequests";
}

export type LoadedObject = {
  readonly path: string;
  readonly apiPath: ApiPath;
  readonly given: JsonObject;
  /** Is its definition the case's own? */
  readonly isOwn: boolean;
};

/** Writes past the API server what it would not let anybody set: when something was made, by whom, and how often it was changed. */
export async function writeServerFields({ api, etcd }: TestServer, loaded: LoadedObject): Promise<void> {
  const { path, apiPath, given } = loaded;
  const set = { ...buildHiddenFields(loaded), ...selectServerFields(objectAt(given, "metadata")) };
  if (Object.keys(set).length === 0 && !isServerOwned(apiPath)) return;
  const { body } = await api.call("GET", path);
  const spec = { ...objectAt(body, "spec"), ...objectAt(given, "spec") };
  const more = isServerOwned(apiPath) ? { spec, status: objectAt(given, "status") } : {};
  await etcd.put(buildEtcdKey(apiPath), { ...body, ...more, metadata: { ...objectAt(body, "metadata"), ...set } });
}

function selectServerFields(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => SERVER_FIELDS.includes(key)));
}

/** That it was us who wrote an object, and now, is no part of a case: of its own kinds, and where a check asks how old a thing is. */
function buildHiddenFields({ apiPath, isOwn }: LoadedObject): JsonObject {
  if (apiPath.resource === "endpointslices") return { creationTimestamp: LONG_AGO, managedFields: [] };
  return isOwn ? { managedFields: [] } : {};
}
