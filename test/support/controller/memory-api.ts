import { randomUUID } from "node:crypto";
import type { ApiResponse, ApiClient, ApiWrite } from "../../../src/cluster/writer/api-client.ts";
import { CLUSTER_VERSION } from "../../../src/controller/api/api-paths.ts";
import {
  formatCanonicalJson,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from "../../../src/model/json.ts";
import { applyMergePatch } from "../../../src/cases/patch.ts";

/** An API server's store in memory: objects by path, resource versions, preconditions, and server-side apply as far as we use it. */
export type MemoryApi = ApiClient & {
  readonly objects: Map<string, JsonObject>;
  /** The writes so far, each as "PATCH /api/...". */
  readonly writes: string[];
  /** Responses to the next writes to a path, which are not carried out. */
  readonly faults: Map<string, ApiResponse>;
};

export function createMemoryApi(objects: Readonly<Record<string, JsonObject>>): MemoryApi {
  const store = new Map(Object.entries(objects).map(([path, object]) => [path, stamp(object)]));
  const writes: string[] = [];
  const faults: Map<string, ApiResponse> = new Map();
  return {
    objects: store,
    writes,
    faults,
    read: async (path) => read(store, path),
    write: async (change) => {
      const path = change.path.split("?")[0] ?? "";
      const fault = faults.get(path);
      if (fault) return fault;
      const answer = write(store, { ...change, path }, /fieldManager=([^&]+)/.exec(change.path)?.[1] ?? "unknown");
      if (answer.kind === "ok") writes.push(`${change.method} ${path}`);
      return answer;
    },
    watch: async () => ({ kind: "closed" }),
  };
}

type Store = Map<string, JsonObject>;

function read(store: Store, path: string): ApiResponse {
  const [base = "", query] = path.split("?");
  if (query !== undefined) {
    const items = [...store].filter(([one]) => one.startsWith(`${base}/`)).map(([, object]) => object);
    return { kind: "ok", object: { items } };
  }
  const object = store.get(base);
  return object ? { kind: "ok", object } : { kind: "absent", message: "not found" };
}

function write(store: Store, change: ApiWrite, manager: string): ApiResponse {
  const { method, body = {} } = change;
  const isStatus = change.path.endsWith("/status");
  const path = isStatus ? change.path.slice(0, -"/status".length) : change.path;
  if (method === "POST") return create(store, `${path}/${textAt(body, "metadata", "name")}`, body);
  const present = store.get(path);
  const isApply = change.type?.includes("apply") ?? false;
  if (!present) return isApply && !isStatus ? create(store, path, body) : { kind: "absent", message: "not found" };
  if (isStale(present, method === "DELETE" ? objectAt(body, "preconditions") : objectAt(body, "metadata")))
    return { kind: "conflict", message: "the object has been modified" };
  if (method === "DELETE") {
    store.delete(path);
    return { kind: "ok", object: {} };
  }
  if (isApply && isStatus) return { kind: "refused", message: "the status has one way of writing" };
  const after = method === "PUT" || isApply ? body : applyMergePatch(present, body);
  const invalid = listAt(after, "status", "conditions").find((one) => !isCompleteCondition(one));
  if (invalid !== undefined) return { kind: "refused", message: `invalid condition ${JSON.stringify(invalid)}` };
  const kept = isStatus ? { ...present, status: objectAt(after, "status") } : { ...after, ...statusOf(present) };
  const owned: JsonObject = isStatus ? { managedFields: updateManagedFields(present, after, manager) } : {};
  const result = stamp({
    ...kept,
    metadata: { ...objectAt(present, "metadata"), ...objectAt(after, "metadata"), ...owned },
  });
  const isChanged = formatContent(result) !== formatContent(present);
  if (isChanged) store.set(path, result);
  return { kind: "ok", object: isChanged ? result : present };
}

/** All but the resource version. */
function formatContent(object: JsonObject): string {
  return formatCanonicalJson({ ...object, metadata: { ...objectAt(object, "metadata"), resourceVersion: "" } });
}

function isCompleteCondition(condition: Json): boolean {
  return ["type", "status", "reason", "message", "lastTransitionTime"].every(
    (key) => textAt(condition, key) !== undefined,
  );
}

/** A changed condition is owned by its last writer, as after an update on a real API server. */
function updateManagedFields(before: JsonObject, after: JsonObject, manager: string): readonly JsonObject[] {
  const old = listAt(before, "status", "conditions");
  const changed = listAt(after, "status", "conditions").filter(
    (one) => !old.some((other) => formatCanonicalJson(other) === formatCanonicalJson(one)),
  );
  const keyOf = (condition: Json): string => `k:${JSON.stringify({ type: textAt(condition, "type") ?? "" })}`;
  const present = new Set(listAt(after, "status", "conditions").map(keyOf));
  const owners = new Map(
    listAt(before, "metadata", "managedFields").flatMap((one) =>
      Object.keys(objectAt(one, "fieldsV1", "f:status", "f:conditions"))
        .filter((key) => present.has(key))
        .map((key) => [key, textAt(one, "manager") ?? ""] as const),
    ),
  );
  for (const one of changed) owners.set(keyOf(one), manager);
  return [...new Set(owners.values())].map((name) => {
    const keys = [...owners].filter(([, owner]) => owner === name).map(([key]) => [key, {}] as const);
    return {
      manager: name,
      operation: "Update",
      fieldsV1: { "f:status": { "f:conditions": Object.fromEntries(keys) } },
    };
  });
}

function create(store: Store, path: string, body: JsonObject): ApiResponse {
  if (store.has(path)) return { kind: "conflict", message: "it exists already" };
  const object = stamp({ ...body, metadata: { ...objectAt(body, "metadata"), uid: randomUUID() } });
  store.set(path, object);
  return { kind: "ok", object };
}

function isStale(present: JsonObject, { uid, resourceVersion }: JsonObject): boolean {
  const metadata = objectAt(present, "metadata");
  const isOther = uid !== undefined && uid !== metadata["uid"];
  return isOther || (resourceVersion !== undefined && resourceVersion !== metadata["resourceVersion"]);
}

function statusOf(present: JsonObject): { readonly status?: Json } {
  const { status } = present;
  return status === undefined ? {} : { status };
}

let version = 0;

function stamp(object: JsonObject): JsonObject {
  version += 1;
  const metadata = { creationTimestamp: "2026-03-01T11:54:00Z", uid: "first", ...objectAt(object, "metadata") };
  return { ...object, metadata: { ...metadata, resourceVersion: String(version) } };
}

export function getClusterVersion(api: MemoryApi): JsonObject {
  const clusterVersion = api.objects.get(CLUSTER_VERSION);
  if (!isObject(clusterVersion)) throw new Error("there is no ClusterVersion");
  return clusterVersion;
}
