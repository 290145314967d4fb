import { type JsonObject, objectAt } from "../../src/model/json.ts";
import type { TestServer } from "./test-server.ts";
import { type ApiPath, buildEtcdKey } from "../../verify/api-server/api-path.ts";

/** Before 1970, the time at which cases are judged: objects with this time are old. */
export const LONG_AGO = "1969-11-01T00:00:00Z";

const SERVER_FIELDS = ["creationTimestamp", "deletionTimestamp", "generation", "managedFields", "uid"];

/** The metadata that an API server accepts from nobody. */
export function dropServerFields(metadata: JsonObject): JsonObject {
  const kept = Object.entries(metadata).filter(([key]) => !SERVER_FIELDS.includes(key) && key !== "resourceVersion");
  return Object.fromEntries(kept);
}

/** No client can freely set who requests a certificate, or whether it is issued. */
export function isServerOwned({ resource }: ApiPath): boolean {
  return resource === "certificatesigningrequests";
}

export type LoadedObject = {
  readonly path: string;
  readonly apiPath: ApiPath;
  readonly given: JsonObject;
  /** Does the definition belong to the case? */
  readonly isOwn: boolean;
};

/** Writes directly to the store the fields that the API server lets nobody set: creation time, creator and generation. */
export async function writeServerFields({ api, etcd }: TestServer, loaded: LoadedObject): Promise<void> {
  const { path, apiPath, given } = loaded;
  const set = { ...buildHiddenFields(loaded), ...selectServerFields(objectAt(given, "metadata")) };
  if (Object.keys(set).length === 0 && !isServerOwned(apiPath)) return;
  const { body } = await api.call("GET", path);
  const spec = { ...objectAt(body, "spec"), ...objectAt(given, "spec") };
  const more: JsonObject = isServerOwned(apiPath) ? { spec, status: objectAt(given, "status") } : {};
  await etcd.put(buildEtcdKey(apiPath), { ...body, ...more, metadata: { ...objectAt(body, "metadata"), ...set } });
}

function selectServerFields(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => SERVER_FIELDS.includes(key)));
}

/** Our name and the current time as the writer are not part of a case: for its own kinds, and if a check reads an object's age. */
function buildHiddenFields({ apiPath, isOwn }: LoadedObject): JsonObject {
  if (apiPath.resource === "endpointslices") return { creationTimestamp: LONG_AGO, managedFields: [] };
  return isOwn ? { managedFields: [] } : {};
}
