import type { ApiClient } from "../../src/cluster/writer/api-client.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { type FakeOperator, startOperator } from "../operator/fake-operator.ts";
import { buildSyncedStatus, type OperatorView, retain } from "./operator-view.ts";
import { askUpdateService } from "./service-server.ts";
import type { SyncKind, UpdateService } from "./update-service.ts";
import type { World } from "./world.ts";

/** It syncs when the play says so. */
const NEVER_MS = 2 ** 30;

/** A stand-in for the operator that asks an update service over HTTP. Of what is so, it knows only whether it reports. */
export function createPlaneOperator(
  api: ApiClient,
  service: UpdateService,
  url: string,
): Pick<World, "startOperator" | "stopOperator" | "sync"> {
  let running: FakeOperator | undefined;
  let memory: OperatorView | undefined;
  let kind: SyncKind = "retrieves";
  const buildStatus = async (clusterVersion: JsonObject): Promise<JsonObject> => {
    if (kind === "sees the channel") return buildSyncedStatus(clusterVersion, undefined, new Date());
    const channel = textAt(clusterVersion, "spec", "channel") ?? "";
    const retrieval = kind === "retrieves" ? await askUpdateService(url, channel, service.target.source) : undefined;
    memory = retain(memory, channel, retrieval, service.isReporting);
    return buildSyncedStatus(clusterVersion, memory, new Date());
  };
  const sync = async (next: SyncKind): Promise<void> => {
    kind = next;
    await running?.sync();
  };
  return {
    sync,
    async startOperator() {
      [kind, memory] = ["retrieves", undefined];
      running = await startOperator(api, { buildStatus, intervalMs: NEVER_MS });
      await sync("retrieves");
    },
    async stopOperator() {
      await running?.stop();
      running = undefined;
    },
  };
}
