import { type JsonObject, textAt } from "../../src/model/json.ts";
import { type AdminApi, connectAdminApi } from "./admin-api.ts";
import type { ControlPlane } from "./control-plane.ts";

/** Where tests work as the administrator on a control plane's objects, by their API paths. */
type Place = Pick<ControlPlane, "env">;
type Call = Parameters<AdminApi["call"]>;

const MERGE_PATCH = "application/merge-patch+json";

/** Reads an object, or the list of a kind. */
export function readObject(place: Place, path: string): Promise<JsonObject> {
  return send(place, "GET", path);
}

export function createObject(place: Place, collection: string, object: JsonObject): Promise<JsonObject> {
  return send(place, "POST", collection, object);
}

/** Changes an object, or with "/status" its status, by a JSON merge patch. */
export function patchObject(place: Place, path: string, change: JsonObject): Promise<JsonObject> {
  return send(place, "PATCH", path, change, MERGE_PATCH);
}

export function replaceObject(place: Place, path: string, object: JsonObject): Promise<JsonObject> {
  return send(place, "PUT", path, object);
}

/** Deletes an object, or those of a kind that a query selects. Waits for no finalizer. */
export function deleteObject(place: Place, path: string): Promise<JsonObject> {
  return send(place, "DELETE", path);
}

async function send(place: Place, ...call: Call): Promise<JsonObject> {
  const api = await connectAdminApi(place);
  try {
    return await callOrThrow(api, ...call);
  } finally {
    api.close();
  }
}

/** The answer's object; throws what the API server says of a request that it refuses. */
export async function callOrThrow(api: AdminApi, ...call: Call): Promise<JsonObject> {
  const { code, body } = await api.call(...call);
  if (code < 300) return body;
  throw new Error(`${call[0]} ${call[1]} was answered with ${code}: ${textAt(body, "message") ?? ""}`);
}
