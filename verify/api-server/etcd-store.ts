import type { JsonObject } from "../../src/model/json.ts";
import type { ControlPlane } from "./control-plane.ts";
import { createGateway, encode } from "./etcd-gateway.ts";
import { watchEtcd } from "./etcd-watch.ts";

/** The store behind a test control plane: to set fields that only an API server may set, and to restore a snapshot. */
export type EtcdStore = {
  readonly put: (key: string, object: JsonObject) => Promise<void>;
  readonly putAll: (objects: ReadonlyMap<string, JsonObject>) => Promise<void>;
  readonly remove: (keys: readonly string[]) => Promise<void>;
  readonly takeSnapshot: () => Promise<EtcdSnapshot>;
};

export type EtcdSnapshot = { readonly restore: () => Promise<void>; readonly close: () => void };

export function connectEtcd({ env }: ControlPlane): EtcdStore {
  const url = env["ETCD_URL"] ?? "";
  const gateway = createGateway(url);
  const putAll = (objects: ReadonlyMap<string, JsonObject>): Promise<void> =>
    gateway.write([...objects].map(([key, object]) => ({ key, value: encode(JSON.stringify(object)) })));
  return {
    put: (key, object) => putAll(new Map([[key, object]])),
    putAll,
    remove: (keys) => gateway.write(keys.map((key) => ({ key, value: undefined }))),
    async takeSnapshot() {
      const watch = await watchEtcd(url, gateway);
      const entries = (await gateway.read()).filter(({ key }) => !isServerKey(key));
      const values = new Map(entries.map(({ key, value }) => [key, value]));
      return {
        async restore() {
          const written = [...(await watch.readWritten())];
          const changed = written.filter(([key, value]) => !isServerKey(key) && values.get(key) !== value);
          await gateway.write(changed.map(([key]) => ({ key, value: values.get(key) })));
        },
        close: watch.close,
      };
    },
  };
}

/** Keys that the API server uses internally and renews constantly. */
function isServerKey(key: string): boolean {
  return /^\/registry\/(?:leases|events|masterleases|peerserverleases)\//.test(key);
}
