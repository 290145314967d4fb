import { type Json, type JsonObject, isObject, listAt, numberAt, textAt } from "../../src/model/json.ts";
import type { ControlPlane } from "./control-plane.ts";

const MOST_OPERATIONS = 100;

/** The store behind a test control plane: for what an API server alone may set, and for putting all back as it was. */
export type Etcd = {
  readonly put: (key: string, object: JsonObject) => Promise<void>;
  readonly remove: (keys: readonly string[]) => Promise<void>;
  /** Remembers all that is stored now; what it gives puts that back, and tells the keys that had changed. */
  readonly remember: () => Promise<() => Promise<readonly string[]>>;
};

export function etcdOf({ env }: ControlPlane): Etcd {
  const store = storeAt(env["ETCD_URL"] ?? "");
  return {
    put: (key, object) => store.write([put(encode(key), encode(JSON.stringify(object)))]),
    remove: (keys) => store.write(keys.map((key) => remove(encode(key)))),
    async remember() {
      const values = new Map((await store.read(false)).map((entry) => [entry.key, entry.value]));
      let revisions = await revisionsIn(store);
      return async () => {
        const now = await revisionsIn(store);
        const created = [...now.keys()].filter((key) => !values.has(key));
        const changed = [...values].filter(([key]) => now.get(key) !== revisions.get(key));
        await store.write([...created.map(remove), ...changed.map(([key, value]) => put(key, value))]);
        revisions = await revisionsIn(store);
        return [...created, ...changed.map(([key]) => key)].map(decode);
      };
    },
  };
}

type Entry = { readonly key: string; readonly value: string; readonly revision: number };
type Store = {
  readonly read: (keysOnly: boolean) => Promise<readonly Entry[]>;
  readonly write: (operations: readonly JsonObject[]) => Promise<void>;
};

/** Keys and values are base64 in etcd's gateway; they stay so here. */
function storeAt(url: string): Store {
  return {
    async read(keysOnly) {
      const range = { key: encode("/registry/"), range_end: encode("/registry0"), keys_only: keysOnly };
      const entries = listAt(await send(`${url}/v3/kv/range`, range), "kvs").map(entryOf);
      return entries.filter(({ key }) => !isServers(decode(key)));
    },
    async write(operations) {
      for (let from = 0; from < operations.length; from += MOST_OPERATIONS)
        await send(`${url}/v3/kv/txn`, { success: operations.slice(from, from + MOST_OPERATIONS) });
    },
  };
}

/** What the API server keeps for itself and renews all the time. */
function isServers(key: string): boolean {
  return /^\/registry\/(?:leases|events|masterleases)\//.test(key);
}

async function revisionsIn(store: Store): Promise<ReadonlyMap<string, number>> {
  return new Map((await store.read(true)).map(({ key, revision }) => [key, revision]));
}

function entryOf(value: Json): Entry {
  const revision = Number(textAt(value, "mod_revision") ?? numberAt(value, "mod_revision"));
  return { key: textAt(value, "key") ?? "", value: textAt(value, "value") ?? "", revision };
}

function put(key: string, value: string): JsonObject {
  return { request_put: { key, value } };
}

function remove(key: string): JsonObject {
  return { request_delete_range: { key } };
}

async function send(url: string, body: JsonObject): Promise<JsonObject> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  const value: unknown = await answer.json();
  if (!answer.ok || !isObject(value)) throw new Error(`etcd answered ${answer.status}: ${JSON.stringify(value)}`);
  return value;
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

function decode(text: string): string {
  return Buffer.from(text, "base64").toString();
}
