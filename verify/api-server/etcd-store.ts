import { type Json, type JsonObject, isObject, listAt, numberAt, textAt } from "../../src/model/json.ts";
import type { ControlPlane } from "./control-plane.ts";

const MAX_OPERATIONS = 100;

/** The store behind a test control plane: to set fields that only an API server may set, and to restore a snapshot. */
export type EtcdStore = {
  readonly put: (key: string, object: JsonObject) => Promise<void>;
  readonly putAll: (objects: ReadonlyMap<string, JsonObject>) => Promise<void>;
  readonly remove: (keys: readonly string[]) => Promise<void>;
  /** Takes a snapshot. The returned function restores it and returns the keys that had changed. */
  readonly takeSnapshot: () => Promise<() => Promise<readonly string[]>>;
};

export function connectEtcd({ env }: ControlPlane): EtcdStore {
  const gateway = createGateway(env["ETCD_URL"] ?? "");
  return {
    put: (key, object) => gateway.write([buildPut(encode(key), encode(JSON.stringify(object)))]),
    putAll: (objects) =>
      gateway.write([...objects].map(([key, object]) => buildPut(encode(key), encode(JSON.stringify(object))))),
    remove: (keys) => gateway.write(keys.map((key) => buildRemove(encode(key)))),
    async takeSnapshot() {
      const values = new Map((await gateway.read(false)).map((entry) => [entry.key, entry.value]));
      let revisions = await readRevisions(gateway);
      return async () => {
        const now = await readRevisions(gateway);
        const created = [...now.keys()].filter((key) => !values.has(key));
        const changed = [...values].filter(([key]) => now.get(key) !== revisions.get(key));
        await gateway.write([...created.map(buildRemove), ...changed.map(([key, value]) => buildPut(key, value))]);
        revisions = await readRevisions(gateway);
        return [...created, ...changed.map(([key]) => key)].map(decode);
      };
    },
  };
}

type EtcdEntry = { readonly key: string; readonly value: string; readonly revision: number };
type EtcdGateway = {
  readonly read: (keysOnly: boolean) => Promise<readonly EtcdEntry[]>;
  readonly write: (operations: readonly JsonObject[]) => Promise<void>;
};

/** Keys and values stay in base64, as in etcd's gateway. */
function createGateway(url: string): EtcdGateway {
  return {
    async read(keysOnly) {
      const range = { key: encode("/registry/"), range_end: encode("/registry0"), keys_only: keysOnly };
      const entries = listAt(await send(`${url}/v3/kv/range`, range), "kvs").map(parseEntry);
      return entries.filter(({ key }) => !isServerKey(decode(key)));
    },
    async write(operations) {
      for (let from = 0; from < operations.length; from += MAX_OPERATIONS)
        await send(`${url}/v3/kv/txn`, { success: operations.slice(from, from + MAX_OPERATIONS) });
    },
  };
}

/** Keys that the API server uses internally and renews constantly. */
function isServerKey(key: string): boolean {
  return /^\/registry\/(?:leases|events|masterleases)\//.test(key);
}

async function readRevisions(gateway: EtcdGateway): Promise<ReadonlyMap<string, number>> {
  return new Map((await gateway.read(true)).map(({ key, revision }) => [key, revision]));
}

function parseEntry(value: Json): EtcdEntry {
  const revision = Number(textAt(value, "mod_revision") ?? numberAt(value, "mod_revision"));
  return { key: textAt(value, "key") ?? "", value: textAt(value, "value") ?? "", revision };
}

function buildPut(key: string, value: string): JsonObject {
  return { request_put: { key, value } };
}

function buildRemove(key: string): JsonObject {
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
