import { parseRecorded } from "../../src/cluster/recorded-entry.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { type Garden, Refused, until } from "./garden.ts";
import { CRDS, NAMESPACES, type Place, collectionOf, itemPath, namesOf, placeOf, storeKey } from "./place.ts";
import { plantOne } from "./plant-one.ts";

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
  // Objects got the namespaces that they need; a list of namespaces that lacks them means it.
  for (const wish of wishes) if (wish.path === NAMESPACES) await clear(garden, wish);
}

function wishOf(path: string, recorded: ReturnType<typeof parseRecorded>): Wish {
  switch (recorded?.kind) {
    case "object":
      return { kind: "object", path, object: recorded.object };
    case "list":
      return { kind: "only", path, items: recorded.items };
    case "absent":
      return { kind: "absent", path, ...(recorded.what ? { what: recorded.what } : {}) };
    case "failed":
      throw new Refused(`it wants ${path} to fail, which an administrator's read doesn't`);
    case "text":
    case undefined:
      throw new Refused(`the API server writes the text of ${path} itself`);
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
  if (collectionOf(path) === NAMESPACES) return 1;
  return path.includes("webhookconfigurations/") ? 3 : 2;
}

/** Takes away what is there and shouldn't be. */
async function clear(garden: Garden, wish: Wish): Promise<void> {
  // Without definitions nothing else could be planted; to list them all takes a second.
  if (wish.kind === "object" || (wish.kind === "only" && wish.path === CRDS)) return;
  const place = placeOf(wish.path);
  if (!place) throw new Refused(`the API server answers ${wish.path} itself`);
  if (wish.kind === "absent") return makeAbsent(garden, wish.path, place, wish.what);
  const there = await garden.api.call("GET", wish.path);
  if (there.code !== 200) throw new Refused(`${place.resource}.${place.group} ${place.version} is not served`);
  const wanted = new Set(wish.items.map((item) => itemPath(wish.path, item)));
  const extra = listAt(there.body, "items")
    .map((item) => objectAt(item))
    .filter((item) => !wanted.has(itemPath(wish.path, item)) && !isKept(place, item));
  await garden.etcd.remove(extra.map((item) => storeKey({ ...place, ...namesOf(item) })));
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
