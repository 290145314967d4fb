import { setTimeout as sleep } from "node:timers/promises";
import { type Json, type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { Answer, Api } from "./api.ts";
import { completed } from "./complete.ts";
import { type Garden, Refused, refusal, retried, until } from "./garden.ts";
import { CRDS, NAMESPACES, type Place, collectionOf, placeOf, storeKey } from "./place.ts";
import { withRequired } from "./required.ts";
import { LONG_AGO, isStamped, stamp, withoutServers } from "./stamp.ts";

/** Plants one object with its status. `defined` names the definitions that are the case's own. */
export async function plantOne(
  garden: Garden,
  path: string,
  given: JsonObject,
  defined: ReadonlySet<string>,
): Promise<void> {
  const place = placeOf(path);
  if (!place) throw new Refused(`the API server answers ${path} itself`);
  const isOwn = defined.has(`${place.resource}.${place.group}`);
  const object = await whole(garden.api, place, given);
  const body = { ...object, metadata: withoutServers(objectAt(object, "metadata")) };
  if (collectionOf(path) !== CRDS) await create(garden, place, path, body, isOwn);
  else if (!(await replace(garden.api, path, body))) await define(garden, place, path, body);
  const { status } = object;
  if (isObject(status) && !isStamped(place)) await plantStatus(garden.api, path, status);
  await stamp(garden, { path, place, given, isOwn });
}

async function whole(api: Api, { group, version, resource }: Place, given: JsonObject): Promise<JsonObject> {
  const object = completed(given);
  if (!group.includes(".") || group.endsWith(".k8s.io")) return object;
  const { body } = await api.call("GET", `${CRDS}/${resource}.${group}`);
  const served = listAt(body, "spec", "versions").find((one) => textAt(one, "name") === version);
  const value = withRequired(objectAt(served, "schema", "openAPIV3Schema"), object);
  return isObject(value) ? value : object;
}

/** Anew where there is one already, so that no immutable field stands in the way. */
async function create(
  { api, etcd }: Garden,
  place: Place,
  path: string,
  body: JsonObject,
  isOwn: boolean,
): Promise<void> {
  await etcd.remove([storeKey(place)]);
  if (place.namespace !== undefined) await makeNamespace(api, place.namespace);
  const post = (): Promise<Answer> => api.call("POST", `${collectionOf(path)}?fieldValidation=Strict`, body);
  const created = await retried(post, (answer) => isOwn || mayPass(answer));
  // An API server that made it anew in between is overruled.
  if (created.code === 409 && (await replace(api, path, body))) return;
  if (created.code >= 300) throw refusal(path, created);
}

/** A namespace of a moment ago may not be known yet, and a webhook be known still. */
function mayPass({ body }: Answer): boolean {
  return /webhook|being terminated|not found/.test(textAt(body, "message") ?? "");
}

async function makeNamespace(api: Api, name: string): Promise<void> {
  await api.call("POST", NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
}

async function replace(api: Api, path: string, body: JsonObject): Promise<boolean> {
  const there = await api.call("GET", path);
  if (there.code !== 200) return false;
  const resourceVersion = textAt(there.body, "metadata", "resourceVersion") ?? "";
  const changed = { ...body, metadata: { ...objectAt(body, "metadata"), resourceVersion } };
  return (await api.call("PUT", path, changed)).code === 200;
}

/** How long the API server may take to see what was written past it. */
const SEEN = 40;

/** For two seconds after a definition is established, an API server lets every creation wait for two seconds. */
async function define({ api, etcd }: Garden, place: Place, path: string, body: JsonObject): Promise<void> {
  await create({ api, etcd }, place, path, body, false);
  let there = body;
  await until(async () => {
    there = (await api.call("GET", path)).body;
    return isSettled(listAt(there, "status", "conditions"));
  }, `${path} is not established`);
  const status = objectAt(there, "status");
  const conditions = listAt(status, "conditions").map((one) => ({ ...objectAt(one), lastTransitionTime: LONG_AGO }));
  await etcd.put(storeKey(place), { ...there, status: { ...status, conditions } });
  await sleep(SEEN);
}

/** Established, or refused for good: names that another has, certificates that are none. */
function isSettled(conditions: readonly Json[]): boolean {
  const said = conditions.map((one) => `${textAt(one, "type")} ${textAt(one, "status")} ${textAt(one, "reason")}`);
  return said.some((text) => /^(?:Established True|NamesAccepted False|Established False Invalid)/.test(text));
}

async function plantStatus(api: Api, path: string, status: JsonObject): Promise<void> {
  const answer = await writeStatus(api, path, status);
  if (answer.code < 300 || answer.code === 404) return;
  // Some fields of an item may be set only where the item is there without them.
  await writeStatus(api, path, withoutRevisions(status));
  const again = await writeStatus(api, path, status);
  if (again.code >= 300) throw refusal(`${path}/status`, again);
}

/** A controller of the API server may have written in between. */
function writeStatus(api: Api, path: string, status: JsonObject): Promise<Answer> {
  const write = async (): Promise<Answer> => {
    const { body } = await api.call("GET", path);
    const merged = { ...objectAt(body, "status"), ...status };
    return api.call("PUT", `${path}/status?fieldValidation=Strict`, { ...body, status: merged });
  };
  return retried(write, ({ code }) => code === 409);
}

function withoutRevisions(status: JsonObject): JsonObject {
  const nodes = listAt(status, "nodeStatuses").map((node) => ({ nodeName: textAt(node, "nodeName") ?? "" }));
  return nodes.length === 0 ? status : { ...status, nodeStatuses: nodes };
}
