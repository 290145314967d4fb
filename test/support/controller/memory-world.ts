import { CLUSTER_VERSION, RESULT, REQUEST, RUNNER } from "../../../src/controller/api/api-paths.ts";
import { formatStatus } from "../../../src/cli/commands/request/status-text.ts";
import { at, type JsonObject, objectAt, textAt } from "../../../src/model/json.ts";
import { formatTime } from "../../../src/model/time.ts";
import { buildSyncedStatus, type OperatorView, retain } from "../../../verify/outages/operator-view.ts";
import { retrieve, type SyncKind, type Target, type UpdateService } from "../../../verify/outages/update-service.ts";
import type { Observed, World } from "../../../verify/outages/world.ts";
import { buildPlayedDocument } from "../../../verify/outages/document.ts";
import { clusterVersion, NOW, release } from "../../../verify/operator/status-sample.ts";
import type { Random } from "../../../verify/schema/random/random.ts";
import { getClusterVersion, type MemoryApi } from "./memory-api.ts";
import { createStore, reconcileOnce, reconcileUntilStable, requestFor, type Scene } from "./reconcile.ts";

export const MEMORY_TARGET: Target = {
  source: "5.0.3",
  version: "5.2.0",
  images: [`registry.example/release@sha256:${"a".repeat(64)}`, `registry.example/release@sha256:${"b".repeat(64)}`],
  other: release("5.0.9"),
};

const DAY_MS = 86_400_000;

/** A store in memory, whose controller reconciles when the play waits for it. */
export function createMemoryWorld(service: UpdateService, random: Random): World {
  const api = createStore(undefined, clusterVersion({ available: [MEMORY_TARGET.other] }));
  let memory: OperatorView | undefined;
  let isRestarted = false;
  const clock = { now: NOW, requestedAt: NOW };
  const sync = async (kind: SyncKind): Promise<void> => {
    const { channel, isReporting } = service;
    const isSeen = kind === "sees the channel";
    if (!isSeen) memory = retain(memory, channel, kind === "retrieves" ? retrieve(service) : undefined, isReporting);
    const view = isSeen ? undefined : memory;
    change(api, (one) => ({ ...one, status: buildSyncedStatus(one, view, clock.now) }));
  };
  const buildScene = (): Scene => {
    const { now, requestedAt } = clock;
    const times = { observedAt: requestedAt, validUntil: new Date(NOW.getTime() + DAY_MS) };
    return { now, document: { kind: "read", document: buildPlayedDocument(service.target, times) } };
  };
  return {
    now: () => clock.now,
    startStates: 3,
    sync,
    async startOperator() {
      memory = undefined;
      await sync("retrieves");
    },
    stopOperator: async () => {},
    async setChannel(channel) {
      change(api, (one) => ({
        ...one,
        metadata: { ...objectAt(one, "metadata"), generation: Number(at(one, "metadata", "generation")) + 1 },
        spec: { ...objectAt(one, "spec"), channel },
      }));
      // The controller may see it before the operator does.
      if (random.chance(0.5)) await reconcileUntilStable(api, buildScene());
    },
    async request() {
      clock.requestedAt = clock.now;
      const data = { to: service.target.version, "requested-at": formatTime(clock.now) };
      api.objects.set(REQUEST, { ...requestFor(data), ...api.objects.get(REQUEST), data });
    },
    deleteRunner: async () => void api.objects.delete(RUNNER),
    deleteResult: async () => void api.objects.delete(RESULT),
    restartController: async () => void (isRestarted = true),
    async settle(judge) {
      const scene = buildScene();
      // A controller that has just started knows no signature yet, and may end at any time.
      if (isRestarted) await reconcileOnce(api, { ...scene, signature: { kind: "pending" } }, random.below(5));
      isRestarted = false;
      await reconcileUntilStable(api, scene);
      const observed = observe(api, clock.now);
      judge(observed);
      clock.now = new Date(clock.now.getTime() + 1_000 * (1 + random.below(120)));
      return observed;
    },
  };
}

function change(api: MemoryApi, build: (clusterVersion: JsonObject) => JsonObject): void {
  api.objects.set(CLUSTER_VERSION, build(getClusterVersion(api)));
}

function observe({ objects, writes }: MemoryApi, now: Date): Observed {
  const [request, result, deployment] = [REQUEST, RESULT, RUNNER].map((path) => objects.get(path));
  const image = textAt(deployment, "metadata", "annotations", "preflight-target-image");
  const present = objects.get(CLUSTER_VERSION) ?? {};
  const input = { request, result, deployment, clusterVersion: present, now };
  return {
    clusterVersion: present,
    runner: image === undefined ? undefined : { image, uid: textAt(deployment, "metadata", "uid") ?? "" },
    hasResult: result !== undefined,
    status: formatStatus({ ...input, controllerPresence: "yes", operator: { kind: "absent" } }),
    writes: writes.filter((write) => write.includes(CLUSTER_VERSION) || write.includes(RESULT)).length,
  };
}
