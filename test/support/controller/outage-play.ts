import assert from "node:assert/strict";
import { CLUSTER_VERSION, REQUEST, RESULT, RUNNER } from "../../../src/controller/api/api-paths.ts";
import { findCondition } from "../../../src/model/conditions.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import { formatTime } from "../../../src/model/time.ts";
import { buildSampleDocument, clusterVersion, NOW, risk } from "../../../verify/operator/status-sample.ts";
import type { Random } from "../../../verify/schema/random/random.ts";
import { getClusterVersion, type MemoryApi } from "./memory-api.ts";
import { createStore, reconcileOnce, reconcileUntilStable, requestFor, type Scene } from "./reconcile.ts";
import {
  changeChannel,
  CHANNELS,
  createUpdateService,
  isSeenAbsent,
  syncOperator,
  type UpdateService,
  VERSION,
} from "./update-service.ts";

const IMAGES = ["a", "b"].map((digit) => `registry.example/release@sha256:${digit.repeat(64)}`);
const TYPES = ["PreflightRunning", "PreflightCompleted", "PreflightFailed"];

type Play = {
  readonly api: MemoryApi;
  readonly service: UpdateService;
  readonly random: Random;
  now: Date;
  /** When the preflight was requested, and the cluster checked. */
  requestedAt: Date;
  /** Whether the present request has not been resolved by ClusterVersion's lists yet. */
  isFresh: boolean;
  listedAt: number;
};

/** What was played, so that a test knows that the play reached it. */
export type PlayCounts = {
  readonly changes: number;
  readonly writes: number;
  readonly reasons: ReadonlyMap<string, number>;
  readonly removals: number;
};

type Step = (play: Play) => void;

const STEPS: Readonly<Record<string, Step>> = {
  "the service goes down or comes back": ({ service }) => void (service.isUp = !service.isUp),
  "the operator syncs": sync,
  "the operator syncs again": sync,
  "the operator stops or starts": ({ service }) => void (service.isOperatorUp = !service.isOperatorUp),
  "the channel changes": ({ service, api, random }) =>
    changeChannel(service, api, random.pick(CHANNELS), random.chance(0.5)),
  "the update is withdrawn": ({ service, random }) => void service.images.delete(random.pick(CHANNELS)),
  "the update is offered": ({ service, random }) =>
    void service.images.set(random.pick(CHANNELS), (random.chance(0.8) ? IMAGES[0] : IMAGES[1]) ?? ""),
  "the preflight is requested again": (play) => {
    const data = { to: VERSION, "requested-at": formatTime(play.now) };
    play.api.objects.set(REQUEST, { ...objectAt(play.api.objects.get(REQUEST)), data });
    play.isFresh = true;
    play.requestedAt = play.now;
  },
  "somebody deletes the runner": ({ api }) => void api.objects.delete(RUNNER),
  "somebody deletes the result": (play) => {
    play.api.objects.delete(RESULT);
    play.isFresh = true;
  },
};

function sync({ service, api, now }: Play): void {
  syncOperator(service, api, now);
}

/**
 * Plays steps around a preflight that is requested, with a controller that starts anew after some of them. After each step: no runner is
 * gone that no evidence speaks against, what the conditions say is so, and nothing is written twice.
 */
export async function playOutages(random: Random, steps: number): Promise<PlayCounts> {
  const image = IMAGES[0] ?? "";
  const service = createUpdateService(image);
  const cluster = clusterVersion();
  const api = createStore(requestFor({ to: VERSION }), {
    ...cluster,
    spec: { ...objectAt(cluster, "spec"), channel: service.channel },
  });
  const play: Play = { api, service, random, now: NOW, requestedAt: NOW, isFresh: true, listedAt: NOW.getTime() };
  sync(play);
  await reconcile(play);
  const names = Object.keys(STEPS);
  const reasons = new Map<string, number>();
  const counts = { changes: 0, writes: 0, removals: 0 };
  for (let step = 0; step < steps; step += 1) {
    play.now = new Date(play.now.getTime() + 1_000 * (1 + random.below(120)));
    const name = random.oneOf(names) ?? "";
    const [before, stateBefore, written] = [imageOf(api), formatState(play), countWrites(api)];
    STEPS[name]?.(play);
    const [running, { isFresh }] = [imageOf(api), play];
    await reconcile(play);
    const where = `step ${step}, ${name}`;
    assertRunner(play, running, isFresh, where);
    assertSentences(play, where);
    const isChanged = formatState(play) !== stateBefore || before !== running || /result|requested/.test(name);
    const writes = countWrites(api) - written;
    // A runner that is made is not there at first, then verified, then starting.
    const states = imageOf(api) !== running ? 3 : 1;
    assert.ok(writes <= (isChanged ? 2 * states : 0), `${where}: ${writes} writes of ClusterVersion and the result`);
    if (isChanged) counts.changes += 1;
    if (running !== undefined && imageOf(api) === undefined) counts.removals += 1;
    counts.writes += writes;
    for (const reason of listReasons(api)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return { ...counts, reasons };
}

/** A controller that has just started knows no signature yet. */
async function reconcile(play: Play): Promise<void> {
  const { api, now, requestedAt, random } = play;
  const validUntil = formatTime(new Date(NOW.getTime() + 86_400_000));
  const observedAt = formatTime(requestedAt);
  const document = { kind: "read", document: buildSampleDocument([risk("A")], { observedAt, validUntil }) } as const;
  const scene: Scene = { now, document };
  if (random.chance(0.3)) await reconcileOnce(api, { ...scene, signature: { kind: "pending" } }, random.below(5));
  await reconcileUntilStable(api, scene);
  if (listImages(api).length === 0) return;
  play.isFresh = false;
  play.listedAt = now.getTime();
}

function assertRunner({ api, service }: Play, running: string | undefined, isFresh: boolean, where: string): void {
  const image = imageOf(api);
  if (running === undefined || image === running) return;
  if (image === undefined) return assert.ok(isSeenAbsent(service), `${where}: the runner was removed without evidence`);
  assert.ok(isFresh, `${where}: another image was taken for the same request`);
}

/** Each sentence that the conditions have about what is offered, held against the world. */
function assertSentences({ api, service, now, listedAt }: Play, where: string): void {
  const [images, running] = [listImages(api), imageOf(api)];
  if (images.length > 0 && running !== undefined && !images.includes(running))
    assert.ok(
      listReasons(api).includes("TargetImageChanged"),
      `${where}: another image is offered, which nothing says`,
    );
  for (const { type, reason, message } of listConditions(api)) {
    const what = `${where}, ${type} ${reason}: ${message}`;
    if (message.includes("does not offer") || reason === "TargetNotOffered") {
      assert.deepEqual(images, [], what);
      assert.equal(textAt(findCondition(getClusterVersion(api), "RetrievedUpdates"), "status"), "True", what);
      assert.ok(service.isObserved && message.includes(`Its channel is ${service.channel}.`), what);
    }
    if (message.includes("Whether") || reason === "UpdatesNotRetrieved") {
      assert.ok(images.length === 0 && !isSeenAbsent(service) && type !== "PreflightFailed", what);
      const since = Date.parse(/has been unknown since (\S+Z):/.exec(message)?.[1] ?? formatTime(now));
      assert.ok(since >= Math.floor(listedAt / 1_000) * 1_000 && since <= now.getTime(), `${what}, after ${listedAt}`);
    }
    const kept = /goes on with (?:the image that was offered before: )?(\S+?)[.,](?: |$)/.exec(message)?.[1];
    if (kept !== undefined) assert.equal(running, kept, what);
    if (message.includes("now offers")) assert.ok(images.length > 0 && !images.includes(running ?? ""), what);
    if (message.includes("could not retrieve")) assert.equal(service.view.isRetrieved, false, what);
    if (message.includes("latest spec")) assert.equal(service.isObserved, false, what);
    if (type === "PreflightRunning")
      assert.equal(message.includes("The runner is starting"), running !== undefined, what);
  }
}

function listConditions(api: MemoryApi) {
  return TYPES.map((type) => {
    const condition = findCondition(getClusterVersion(api), type);
    return { type, reason: textAt(condition, "reason") ?? "", message: textAt(condition, "message") ?? "" };
  });
}

function listReasons(api: MemoryApi): readonly string[] {
  return listConditions(api).map(({ reason }) => reason);
}

function listImages(api: MemoryApi): readonly string[] {
  return listAt(getClusterVersion(api), "status", "availableUpdates")
    .filter((one) => textAt(one, "version") === VERSION)
    .map((one) => textAt(one, "image") ?? "");
}

function imageOf({ objects }: MemoryApi): string | undefined {
  const deployment: JsonObject = objects.get(RUNNER) ?? {};
  return textAt(deployment, "metadata", "annotations", "preflight-target-image");
}

/** All that a write may follow from. */
function formatState({ api, service }: Play): string {
  const { channel, isObserved, view } = service;
  const { message: _, ...retrieved } = objectAt(findCondition(getClusterVersion(api), "RetrievedUpdates") ?? {});
  return JSON.stringify([channel, isObserved, view, retrieved, listImages(api), imageOf(api), api.objects.has(RESULT)]);
}

function countWrites({ writes }: MemoryApi): number {
  return writes.filter((write) => write.includes(CLUSTER_VERSION) || write.includes(RESULT)).length;
}
