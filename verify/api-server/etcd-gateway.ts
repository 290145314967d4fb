import { type Json, type JsonObject, isObject, listAt, numberAt, textAt } from "../../src/model/json.ts";

/** etcd takes 1.5 MiB in a request, and this many operations in a transaction. */
const MAX_BYTES = 1024 * 1024;
const MAX_OPERATIONS = 100;

/** The keys of all objects. */
export const REGISTRY = { key: "/registry/", end: "/registry0" };

/** A key, as text, and its value in base64. */
export type EtcdEntry = { readonly key: string; readonly value: string; readonly revision: number };

/** Without a value, a key is removed. */
export type EtcdWrite = { readonly key: string; readonly value: string | undefined };

/** The JSON gateway of the etcd behind a test control plane. */
export type EtcdGateway = {
  readonly read: () => Promise<readonly EtcdEntry[]>;
  /** Revisions without values. */
  readonly readRevisions: () => Promise<ReadonlyMap<string, number>>;
  readonly write: (writes: readonly EtcdWrite[]) => Promise<void>;
};

export function createGateway(url: string): EtcdGateway {
  const range = async (keysOnly: boolean): Promise<readonly EtcdEntry[]> => {
    const body = { key: encode(REGISTRY.key), range_end: encode(REGISTRY.end), keys_only: keysOnly };
    return listAt(await send(`${url}/v3/kv/range`, body), "kvs").map(parseEntry);
  };
  return {
    read: () => range(false),
    readRevisions: async () => new Map((await range(true)).map(({ key, revision }) => [key, revision])),
    async write(writes) {
      for (const batch of batchWrites(writes)) await send(`${url}/v3/kv/txn`, { success: batch.map(buildOperation) });
    },
  };
}

function batchWrites(writes: readonly EtcdWrite[]): readonly (readonly EtcdWrite[])[] {
  const batches: EtcdWrite[][] = [];
  let bytes = Infinity;
  for (const write of writes) {
    const size = write.key.length + (write.value?.length ?? 0);
    const last = batches.at(-1);
    if (last === undefined || bytes + size > MAX_BYTES || last.length === MAX_OPERATIONS) {
      batches.push([write]);
      bytes = size;
      continue;
    }
    last.push(write);
    bytes += size;
  }
  return batches;
}

function buildOperation({ key, value }: EtcdWrite): JsonObject {
  if (value === undefined) return { request_delete_range: { key: encode(key) } };
  return { request_put: { key: encode(key), value } };
}

function parseEntry(value: Json): EtcdEntry {
  const revision = Number(textAt(value, "mod_revision") ?? numberAt(value, "mod_revision"));
  return { key: decode(textAt(value, "key") ?? ""), value: textAt(value, "value") ?? "", revision };
}

async function send(url: string, body: JsonObject): Promise<JsonObject> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  const value: unknown = await answer.json();
  if (!answer.ok || !isObject(value)) throw new Error(`etcd answered ${answer.status}: ${JSON.stringify(value)}`);
  return value;
}

export function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

export function decode(text: string): string {
  return Buffer.from(text, "base64").toString();
}
