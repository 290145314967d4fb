import { setTimeout as sleep } from "node:timers/promises";
import { parseRecorded } from "../../src/cluster/recorded-entry.ts";
import { type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { Answer, Api } from "./api.ts";
import { completed } from "./complete.ts";
import type { Etcd } from "./etcd.ts";
import { CRDS, type Place, collectionOf, itemPath, namesOf, placeOf, storeKey } from "./place.ts";
import { withRequired } from "./required.ts";

export type Garden = { readonly api: Api; readonly etcd: Etcd };

/** A case that a real API server can't be brought into. */
export class Refused extends Error {}

type Wish =
  | { readonly kind: "object"; readonly path: string; readonly object: JsonObject }
  | { readonly kind: "only"; readonly path: string; readonly items: readonly JsonObject[] }
  | { readonly kind: "absent"; readonly path: string; readonly what?: "object" | "resource" };

/** Makes a control plane hold what a cluster.json says, and of the kinds that it lists nothing else. Throws a Refused. */
export async function plant(garden: Garden, cluster: JsonObject): Promise<void> {
  const wishes = Object.entries(cluster).map(([path, value]) => wishOf(path, parseRecorded(value)));
  const objects = wishes.flatMap((wish) => objectsOf(wish)).toSorted((a, b) => turn(a.path) - turn(b.path));
  const definitions = objects.filter(({ path }) => path.startsWith(CRDS));
  const defined = new Set(definitions.map(({ object }) => namesOf(object).name));
  for (const { path, object } of definitions) await plantOne(garden, path, object, defined);
  for (const wish of wishes) await clear(garden, wish);
  for (const { path, object } of objects.filter((one) => !definitions.includes(one)))
    await plantOne(garden, path, object, defined);
  // What needed a namespace got it, though it isn't listed.
  for (const wish of wishes) if (wish.path === NAMESPACES) await clear(garden, wish);
}

const NAMESPACES = "/api/v1/namespaces";

function wishOf(path: string, recorded: ReturnType<typeof parseRecorded>): Wish {
  switch (recorded?.kind) {
    case "object":
      return { kind: "object", path, object: recorded.object };
    case "list":
      return { kind: "only", path, items: recorded.items };
    case "absent":
      return { kind: "absent", path, ...(recorded.what ? { what: recorded.what } : {}) };
    case "failed":
      throw new Refused(`an administrator's read of ${path} doesn't fail`);
    case "text":
    case undefined:
      throw new Refused(`the text of ${path} is the server's own`);
  }
}

function objectsOf(wish: Wish): readonly { readonly path: string; readonly object: JsonObject }[] {
  if (wish.kind === "absent") return [];
  if (wish.kind === "object") return [wish];
  return wish.items.map((object) => ({ path: itemPath(wish.path, object), object }));
}

/** Definitions before their objects, namespaces before what is in them, webhooks when there is nothing more to be sent. */
function turn(path: string): number {
  if (path.startsWith(CRDS)) return 0;
  if (/^\/api\/v1\/namespaces\/[^/]+$/.test(path)) return 1;
  return path.includes("webhookconfigurations/") ? 3 : 2;
}

/** Takes away what is there and shouldn't be. */
async function clear({ api, etcd }: Garden, wish: Wish): Promise<void> {
  const place = placeOf(wish.path);
  if (!place) throw new Refused(`${wish.path} is the server's own`);
  // Without definitions nothing else could be planted; to list them all takes a second.
  if (wish.kind === "object" || (wish.kind === "only" && wish.path === CRDS)) return;
  if (wish.kind === "absent") return makeAbsent({ api, etcd }, wish.path, place, wish.what);
  const there = await api.call("GET", wish.path);
  if (there.code !== 200) throw new Refused(`no ${place.resource}.${place.group} ${place.version} are served`);
  const wanted = new Set(wish.items.map((item) => itemPath(wish.path, item)));
  const extra = listAt(there.body, "items")
    .map((item) => objectAt(item))
    .filter((item) => !wanted.has(itemPath(wish.path, item)) && !isKept(place, item));
  await etcd.remove(extra.map((item) => storeKey({ ...place, ...namesOf(item) })));
}

/** What an API server renews at once. */
function isKept({ resource }: Place, item: JsonObject): boolean {
  return resource === "apiservices" && textAt(item, "spec", "service", "name") === undefined;
}

/** A kind that is not to be there is served no more once its definition has gone. */
async function makeAbsent({ api, etcd }: Garden, path: string, place: Place, what?: string): Promise<void> {
  if (place.name !== undefined && what !== "resource") return etcd.remove([storeKey(place)]);
  const kind = place.name === undefined ? path : collectionOf(path);
  if ((await api.call("GET", kind)).code === 404) return;
  const definition = placeOf(`${CRDS}/${place.resource}.${place.group}`);
  if (definition) await etcd.remove([storeKey(definition)]);
  await until(async () => (await api.call("GET", kind)).code === 404, `every API server serves ${kind}`);
}

async function plantOne(garden: Garden, path: string, given: JsonObject, defined: ReadonlySet<string>): Promise<void> {
  const place = placeOf(path);
  if (!place) throw new Refused(`${path} names no object`);
  const object = await whole(garden, place, given);
  const body = { ...object, metadata: withoutServers(objectAt(object, "metadata")) };
  if (place.resource !== "customresourcedefinitions") await create(garden, place, path, body, defined);
  else if (!(await replaced(garden.api, path, body))) await define(garden, place, path, body);
  const { status } = object;
  if (isObject(status) && !isStamped(place)) await plantStatus(garden.api, path, status);
  await stamp(garden, path, place, given, defined);
}

/** Anew where there is one already, so that no immutable field stands in the way. */
async function create(
  { api, etcd }: Garden,
  place: Place,
  path: string,
  body: JsonObject,
  defined: ReadonlySet<string>,
): Promise<void> {
  await etcd.remove([storeKey(place)]);
  await makeNamespace(api, place);
  const post = (): Promise<Answer> => api.call("POST", `${collectionOf(path)}?fieldValidation=Strict`, body);
  const isNew = defined.has(`${place.resource}.${place.group}`);
  const created = await retried(
    post,
    ({ body: { message } }) => isNew || /webhook|being terminated|not found/.test(String(message)),
  );
  // An API server that made it anew in between is overruled.
  if (created.code === 409 && (await replaced(api, path, body))) return;
  if (created.code >= 300) throw new Refused(refusal(path, created));
}

/** A definition that is served can be changed within the moment; a new one takes its time. */
async function replaced(api: Api, path: string, body: JsonObject): Promise<boolean> {
  const there = await api.call("GET", path);
  if (there.code !== 200) return false;
  const resourceVersion = textAt(there.body, "metadata", "resourceVersion") ?? "";
  const changed = { ...body, metadata: { ...objectAt(body, "metadata"), resourceVersion } };
  return (await api.call("PUT", path, changed)).code === 200;
}

async function define(garden: Garden, place: Place, path: string, body: JsonObject): Promise<void> {
  await create(garden, place, path, body, new Set());
  await established(garden.api, path);
}

async function whole({ api }: Garden, { group, version, resource }: Place, given: JsonObject): Promise<JsonObject> {
  if (!group.includes(".")) return completed(given);
  const { body } = await api.call("GET", `${CRDS}/${resource}.${group}`);
  const of = listAt(body, "spec", "versions").find((one) => textAt(one, "name") === version);
  const value = withRequired(objectAt(of, "schema", "openAPIV3Schema"), completed(given));
  return isObject(value) ? value : given;
}

async function plantStatus(api: Api, path: string, status: JsonObject): Promise<void> {
  const answer = await writeStatus(api, path, status);
  if (answer.code < 300 || answer.code === 404) return;
  // Some fields may be set only where the item is there without them.
  await writeStatus(api, path, withoutRevisions(status));
  const again = await writeStatus(api, path, status);
  if (again.code >= 300) throw new Refused(refusal(`${path}/status`, again));
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

/** Who asks for a certificate and whether he gets it nobody can write. */
function isStamped({ resource }: Place): boolean {
  return resource === "certificatesigningrequests";
}

const SERVERS = ["creationTimestamp", "deletionTimestamp", "generation", "managedFields", "uid"];

function withoutServers(metadata: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(metadata).filter(([key]) => !SERVERS.includes(key) && key !== "resourceVersion"),
  );
}

/** Writes past the API server what it would not let anybody set: when something was made, by whom, and how often it was changed. */
async function stamp(
  { api, etcd }: Garden,
  path: string,
  place: Place,
  given: JsonObject,
  defined: ReadonlySet<string>,
): Promise<void> {
  const set = Object.entries(objectAt(given, "metadata")).filter(([key]) => SERVERS.includes(key));
  // That it was us who wrote an object of the case's own kind is no part of the case.
  const isOwn = defined.has(`${place.resource}.${place.group}`);
  if (set.length === 0 && !isOwn && !isStamped(place)) return;
  const { body } = await api.call("GET", path);
  const own = isOwn ? { managedFields: [] } : {};
  const metadata = { ...objectAt(body, "metadata"), ...own, ...Object.fromEntries(set) };
  const spec = { ...objectAt(body, "spec"), ...objectAt(given, "spec") };
  const more = isStamped(place) ? { spec, status: objectAt(given, "status") } : {};
  await etcd.put(storeKey(place), { ...body, ...more, metadata });
}

async function makeNamespace(api: Api, { namespace }: Place): Promise<void> {
  if (namespace === undefined) return;
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  await api.call("POST", "/api/v1/namespaces", body);
}

async function established(api: Api, path: string): Promise<void> {
  const { body } = await api.call("GET", path);
  const version = listAt(body, "spec", "versions").find((one) => objectAt(one)["served"] === true);
  const [group, plural] = [textAt(body, "spec", "group"), textAt(body, "spec", "names", "plural")];
  if (version === undefined) return;
  const list = `/apis/${group}/${textAt(version, "name")}/${plural}?limit=1`;
  await until(async () => (await api.call("GET", list)).code !== 404, `${path} is not established`);
}

const PAUSE = 50;
const TRIES = 60;

async function until(attempt: () => Promise<boolean>, why: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await attempt()) return;
    await sleep(PAUSE);
  }
  throw new Refused(why);
}

const PATIENCE = 12;

/** A definition, a namespace or a webhook of a moment ago may not be known yet, or be known still. */
async function retried(attempt: () => Promise<Answer>, mayPass: (answer: Answer) => boolean): Promise<Answer> {
  let answer = await attempt();
  for (let tries = 0; tries < PATIENCE && answer.code >= 300 && mayPass(answer); tries += 1) {
    await sleep(PAUSE);
    answer = await attempt();
  }
  return answer;
}

function refusal(path: string, { code, body }: Answer): string {
  return `the API server refuses ${path}: ${code} ${textAt(body, "message") ?? ""}`.slice(0, 2500);
}
