import assert from "node:assert/strict";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { ApiWrite } from "../../src/cluster/writer/api-client.ts";
import { CLUSTER_VERSION, CONFIG_MAPS, REQUEST, RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import { getClusterUpdates, releaseOf } from "../../src/lift/objects/cluster-version.ts";
import { buildConfigMap, REQUEST_NAME } from "../../src/lift/objects/preflight-request.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { formatTime } from "../../src/model/time.ts";
import { assertCleared, readObject, type Stage } from "../operator/stage.ts";
import { eventually } from "../shared/eventually.ts";
import { buildPlayedDocument } from "./document.ts";
import { createSettle } from "./plane-observer.ts";
import { createPlaneOperator } from "./plane-operator.ts";
import { startServiceServer } from "./service-server.ts";
import type { Target, UpdateService } from "./update-service.ts";
import type { World } from "./world.ts";

const MERGE_PATCH = "application/merge-patch+json";
const IDENTITY = ["--identity", "outages"];
const DAY_MS = 86_400_000;

/** An update of the seeded cluster, with images whose signatures it can verify. */
export function findPlaneTarget(clusterVersion: JsonObject): Target {
  const { available, conditional } = getClusterUpdates(clusterVersion);
  const releases = [...available, ...conditional.map(releaseOf)];
  const find = (version: string): string =>
    textAt(
      releases.find((one) => textAt(one, "version") === version),
      "image",
    ) ?? assert.fail(version);
  const other = { version: "5.0.9", image: find("5.0.9") };
  return { source: "5.0.8", version: "5.1.2", images: [find("5.1.2"), find("5.1.0")], other };
}

export type PlaneWorld = World & {
  /** Cancels the preflight, and ends what was started. */
  readonly stop: () => Promise<void>;
};

/** A control plane with our controller, the stand-in for the operator and its update service. The runner does nothing. */
export async function startPlaneWorld(set: Stage, service: UpdateService): Promise<PlaneWorld> {
  set.nodes.setMode({ kind: "hangs" });
  const server = await startServiceServer(service);
  const operator = createPlaneOperator(set.api, service, server.url);
  await operator.startOperator();
  let controller = set.controllerProcess(...IDENTITY);
  return {
    ...operator,
    now: () => new Date(),
    // Not there, pending, starting, checking, and with the documents of before and of now.
    startStates: 6,
    setChannel: (channel) =>
      write(set, { method: "PATCH", path: CLUSTER_VERSION, type: MERGE_PATCH, body: { spec: { channel } } }),
    request: () => request(set, service.target),
    deleteRunner: () => write(set, { method: "DELETE", path: RUNNER }),
    deleteResult: () => write(set, { method: "DELETE", path: RESULT }),
    async restartController() {
      controller.kill("SIGKILL");
      await controller.result;
      controller = set.controllerProcess(...IDENTITY);
    },
    settle: createSettle(set),
    async stop() {
      await operator.stopOperator();
      await set.command("cancel");
      await eventually(() => assertCleared(set.api));
      controller.kill("SIGTERM");
      await Promise.all([controller.result, server.stop()]);
      await rm(dirname(set.document), { recursive: true, force: true });
    },
  };
}

/** What is to be deleted may be gone. */
async function write({ api }: Stage, change: ApiWrite): Promise<void> {
  const answer = await api.write(change, AbortSignal.timeout(60_000));
  const isDone = answer.kind === "ok" || (answer.kind === "absent" && change.method === "DELETE");
  assert.ok(isDone, `${change.method} ${change.path}: ${JSON.stringify(answer)}`);
}

/** Without the command, which refuses what is not offered. The runner's document follows. */
async function request(set: Stage, target: Target): Promise<void> {
  const now = new Date();
  const data = { to: target.version, "requested-at": formatTime(now) };
  const isThere = (await readObject(set.api, REQUEST)) !== undefined;
  await write(
    set,
    isThere
      ? { method: "PATCH", path: REQUEST, type: MERGE_PATCH, body: { data } }
      : { method: "POST", path: CONFIG_MAPS, body: { ...buildConfigMap(REQUEST_NAME), data } },
  );
  const document = buildPlayedDocument(target, { observedAt: now, validUntil: new Date(now.getTime() + DAY_MS) });
  await mkdir(dirname(set.document), { recursive: true });
  await writeFile(`${set.document}.new`, JSON.stringify(document));
  await rename(`${set.document}.new`, set.document);
}
