import { setTimeout as sleep } from "node:timers/promises";
import { type Json, type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { AdminResponse, AdminApi } from "../../verify/api-server/admin-api.ts";
import { addRequiredParts } from "./object-defaults.ts";
import { type TestServer, UnloadableCaseError, createRefusal, retryWhile, waitUntil } from "./test-server.ts";
import {
  CRDS,
  NAMESPACES,
  type ApiPath,
  getCollectionPath,
  parseApiPath,
  buildEtcdKey,
} from "../../verify/api-server/api-path.ts";
import { addRequiredFields } from "./required-fields.ts";
import { LONG_AGO, isServerOwned, writeServerFields, dropServerFields } from "./server-fields.ts";

/** Creates one object with its status. `defined` lists the definitions that belong to the case. */
export async function loadObject(
  server: TestServer,
  path: string,
  given: JsonObject,
  ownDefinitions: ReadonlySet<string>,
): Promise<void> {
  const apiPath = parseApiPath(path);
  if (!apiPath) throw new UnloadableCaseError(`the API server answers ${path} itself`);
  const isOwn = ownDefinitions.has(`${apiPath.resource}.${apiPath.group}`);
  const object = await completeObject(server.api, apiPath, given, isOwn);
  const body = { ...object, metadata: dropServerFields(objectAt(object, "metadata")) };
  const isDefinition = getCollectionPath(path) === CRDS;
  const created = isDefinition ? undefined : await createObject(server, apiPath, path, body, isOwn);
  if (isDefinition && !(await replaceObject(server.api, path, body)))
    await createDefinition(server, apiPath, path, body);
  const { status } = object;
  if (isObject(status) && !isServerOwned(apiPath)) await loadStatus(server.api, path, status, created);
  await writeServerFields(server, { path, apiPath, given, isOwn });
}

async function completeObject(
  api: AdminApi,
  { group, version, resource }: ApiPath,
  given: JsonObject,
  isOwn: boolean,
): Promise<JsonObject> {
  const object = addRequiredParts(given);
  if (!group.includes(".") || group.endsWith(".k8s.io")) return object;
  const definition = await readDefinition(api, `${resource}.${group}`, isOwn);
  const served = listAt(definition, "spec", "versions").find((one) => textAt(one, "name") === version);
  const value = addRequiredFields(objectAt(served, "schema", "openAPIV3Schema"), object);
  return isObject(value) ? value : object;
}

/** Those of the seeds, which every case finds again. */
const seededDefinitions = new WeakMap<AdminApi, Map<string, JsonObject>>();

async function readDefinition(api: AdminApi, name: string, isOwn: boolean): Promise<JsonObject> {
  const seeded = seededDefinitions.get(api) ?? new Map<string, JsonObject>();
  seededDefinitions.set(api, seeded);
  const known = isOwn ? undefined : seeded.get(name);
  if (known !== undefined) return known;
  const { code, body } = await api.call("GET", `${CRDS}/${name}`);
  if (code === 200 && !isOwn) seeded.set(name, body);
  return body;
}

/** Recreates an existing object, so that no immutable field blocks the write. Returns it as the API server has it, if it was created. */
async function createObject(
  { api, etcd }: TestServer,
  apiPath: ApiPath,
  path: string,
  body: JsonObject,
  isOwn: boolean,
): Promise<JsonObject | undefined> {
  await etcd.remove([buildEtcdKey(apiPath)]);
  if (apiPath.namespace !== undefined) await createNamespace(api, apiPath.namespace);
  const post = (): Promise<AdminResponse> =>
    api.call("POST", `${getCollectionPath(path)}?fieldValidation=Strict`, body);
  const created = await retryWhile(post, (answer) => isOwn || isTransient(answer));
  // If the API server has recreated the object meanwhile, it is overwritten.
  if (created.code === 409 && (await replaceObject(api, path, body))) return undefined;
  if (created.code >= 300) throw createRefusal(path, created);
  return created.body;
}

/** A new namespace may not be known yet, and a deleted webhook may still be called. */
function isTransient({ body }: AdminResponse): boolean {
  return /webhook|being terminated|not found/.test(textAt(body, "message") ?? "");
}

async function createNamespace(api: AdminApi, name: string): Promise<void> {
  await api.call("POST", NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
}

async function replaceObject(api: AdminApi, path: string, body: JsonObject): Promise<boolean> {
  const current = await api.call("GET", path);
  if (current.code !== 200) return false;
  const resourceVersion = textAt(current.body, "metadata", "resourceVersion") ?? "";
  const changed = { ...body, metadata: { ...objectAt(body, "metadata"), resourceVersion } };
  return (await api.call("PUT", path, changed)).code === 200;
}

/** The longest time until the API server sees a direct write to its store. */
const WATCH_DELAY_MS = 40;

/** For two seconds after a definition is established, an API server delays every creation by two seconds. */
async function createDefinition(
  { api, etcd }: TestServer,
  apiPath: ApiPath,
  path: string,
  body: JsonObject,
): Promise<void> {
  await createObject({ api, etcd }, apiPath, path, body, false);
  let current = body;
  await waitUntil(async () => {
    current = (await api.call("GET", path)).body;
    return isDefinitionSettled(listAt(current, "status", "conditions"));
  }, `${path} is not established`);
  const status = objectAt(current, "status");
  const conditions = listAt(status, "conditions").map((one) => ({ ...objectAt(one), lastTransitionTime: LONG_AGO }));
  await etcd.put(buildEtcdKey(apiPath), { ...current, status: { ...status, conditions } });
  await sleep(WATCH_DELAY_MS);
}

/** Established, or refused permanently: for names that are already in use, or invalid certificates. */
function isDefinitionSettled(conditions: readonly Json[]): boolean {
  const summaries = conditions.map((one) => `${textAt(one, "type")} ${textAt(one, "status")} ${textAt(one, "reason")}`);
  return summaries.some((text) => /^(?:Established True|NamesAccepted False|Established False Invalid)/.test(text));
}

async function loadStatus(api: AdminApi, path: string, status: JsonObject, created?: JsonObject): Promise<void> {
  const answer = await writeStatus(api, path, status, created);
  if (answer.code < 300 || answer.code === 404) return;
  // Some fields of an item may be set only after the item exists without them.
  await writeStatus(api, path, withoutRevisions(status));
  const again = await writeStatus(api, path, status);
  if (again.code >= 300) throw createRefusal(`${path}/status`, again);
}

/** A controller of the API server may have written meanwhile. */
function writeStatus(api: AdminApi, path: string, status: JsonObject, created?: JsonObject): Promise<AdminResponse> {
  let known = created;
  const write = async (): Promise<AdminResponse> => {
    const body = known ?? (await api.call("GET", path)).body;
    known = undefined;
    const merged = { ...objectAt(body, "status"), ...status };
    return api.call("PUT", `${path}/status?fieldValidation=Strict`, { ...body, status: merged });
  };
  return retryWhile(write, ({ code }) => code === 409);
}

function withoutRevisions(status: JsonObject): JsonObject {
  const nodes = listAt(status, "nodeStatuses").map((node) => ({ nodeName: textAt(node, "nodeName") ?? "" }));
  return nodes.length === 0 ? status : { ...status, nodeStatuses: nodes };
}
