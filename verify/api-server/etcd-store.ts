import type { JsonObject } from "../../src/model/json.ts";
import type { ControlPlane } from "./control-plane.ts";
import { createGateway, encode, type EtcdGateway } from "./etcd-gateway.ts";

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
  const putAll = (objects: ReadonlyMap<string, JsonObject>): Promise<void> =>
    gateway.write([...objects].map(([key, object]) => ({ key, value: encode(JSON.stringify(object)) })));
  return {
    put: (key, object) => putAll(new Map([[key, object]])),
    putAll,
    remove: (keys) => gateway.write(keys.map((key) => ({ key, value: undefined }))),
    async takeSnapshot() {
      const entries = (await gateway.read()).filter(({ key }) => !isServerKey(key));
      const values = new Map(entries.map(({ key, value }) => [key, value]));
      let revisions = await readRevisions(gateway);
      return async () => {
        const now = await readRevisions(gateway);
        const created = [...now.keys()].filter((key) => !values.has(key));
        const changed = [...values.keys()].filter((key) => now.get(key) !== revisions.get(key));
        const keys = [...created, ...changed];
        await gateway.write(keys.map((key) => ({ key, value: values.get(key) })));
        revisions = await readRevisions(gateway);
        return keys;
      };
    },
  };
}

async function readRevisions(gateway: EtcdGateway): Promise<ReadonlyMap<string, number>> {
  return new Map([...(await gateway.readRevisions())].filter(([key]) => !isServerKey(key)));
}

/** Keys that the API server uses internally and renews constantly. */
function isServerKey(key: string): boolean {
  return /^\/registry\/(?:leases|events|masterleases|peerserverleases)\//.test(key);
}
