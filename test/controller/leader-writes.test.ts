import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ApiClient, ApiResponse } from "../../src/cluster/writer/api-client.ts";
import { CONTROLLER_LEASE, LEASES } from "../../src/controller/api/api-paths.ts";
import { guardWrites } from "../../src/controller/controller.ts";
import { runLeaderElection } from "../../src/controller/leader-election.ts";
import { objectAt } from "../../src/model/json.ts";
import { createMemoryApi, type MemoryApi } from "../support/controller/memory-api.ts";
import { SILENT_LOGGER } from "../support/controller/reconcile.ts";
import { createWorld, type World } from "../support/controller/world.ts";

const LEASE = `${LEASES}/${CONTROLLER_LEASE}`;
const OBJECT = "/api/v1/object";
const LEASE_SECONDS = 12;
const UNREACHABLE = { kind: "unreachable", message: "no route" } as const;

type Fault = "none" | "unreachable" | "hanging" | "throwing";
type Leader = {
  readonly api: MemoryApi;
  readonly writes: readonly number[];
  readonly renewals: readonly number[];
  readonly state: { fault: Fault };
  readonly stop: AbortController;
  readonly done: Promise<void>;
};

/** A leader that writes at every tick, as fast as its guard allows. */
function startLeader(world: World, leaseSeconds: number): Leader {
  const api = createMemoryApi({ [OBJECT]: {} });
  const writes: number[] = [];
  const renewals: number[] = [];
  const state: { fault: Fault } = { fault: "none" };
  const failing = async (path: string, signal: AbortSignal, call: () => Promise<ApiResponse>): Promise<ApiResponse> => {
    if (!path.startsWith(LEASES) || state.fault === "none") return call();
    if (state.fault === "throwing") throw new Error("a fault");
    if (state.fault === "hanging" && !signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    return UNREACHABLE;
  };
  const own: ApiClient = {
    ...api,
    read: (path, signal) => failing(path, signal, () => api.read(path, signal)),
    write: (change, signal) =>
      failing(change.path, signal, () => {
        (change.path === OBJECT ? writes : renewals).push(world.clock());
        return api.write(change, signal);
      }),
  };
  const work = async (signal: AbortSignal, isLeading: () => boolean): Promise<void> => {
    const guarded = guardWrites(own, isLeading);
    // The first tick after a pause must not write either, so it does not check the signal.
    while (isLeading() || !signal.aborted) {
      await guarded.write({ method: "PATCH", path: OBJECT, body: {} }, signal);
      await world.sleep(250, signal);
    }
  };
  const stop = new AbortController();
  const { clock, now, sleep } = world;
  const config = { api: own, log: SILENT_LOGGER, identity: "a", leaseSeconds, now, clock, sleep };
  return { api, writes, renewals, state, stop, done: runLeaderElection(config, work, stop.signal) };
}

async function stopLeader({ state, stop, done }: Leader): Promise<void> {
  state.fault = "none";
  stop.abort();
  await done;
}

function stealLease(api: MemoryApi, world: World): void {
  const lease = objectAt(api.objects.get(LEASE));
  const spec = { ...objectAt(lease, "spec"), holderIdentity: "b", renewTime: world.now().toISOString() };
  api.objects.set(LEASE, { ...lease, spec, metadata: { ...objectAt(lease, "metadata"), resourceVersion: "stolen" } });
}

describe("a leader", () => {
  test("keeps its lease and keeps writing, for every lease duration from 1 s to 120 s", async () => {
    for (let seconds = 1; seconds <= 120; seconds += 1) {
      const world = createWorld();
      const leader = startLeader(world, seconds);
      await world.pass(seconds * 2_000 + 1_000);
      const gaps = leader.renewals.slice(1).map((time, i) => time - (leader.renewals[i] ?? 0));
      assert.ok(Math.max(...gaps) <= seconds * 500, `${seconds} s: renewed every ${gaps.join(", ")} ms`);
      const pauses = leader.writes.slice(1).map((time, i) => time - (leader.writes[i] ?? 0));
      assert.ok(Math.max(...pauses) <= 500, `${seconds} s: paused for ${Math.max(...pauses)} ms`);
      assert.ok((leader.writes.at(-1) ?? 0) >= seconds * 2_000, `${seconds} s`);
      await stopLeader(leader);
    }
  });

  for (const fault of ["unreachable", "hanging"] as const)
    test(`writes nothing after its lease may have expired, if the lease is ${fault} from any moment on`, async () => {
      for (let moment = 0; moment < LEASE_SECONDS * 1_000; moment += 250) {
        const world = createWorld();
        const leader = startLeader(world, LEASE_SECONDS);
        await world.pass(3_000 + moment);
        leader.state.fault = fault;
        await world.pass(3 * LEASE_SECONDS * 1_000);
        const expiry = (leader.renewals.at(-1) ?? 0) + LEASE_SECONDS * 1_000;
        assert.ok((leader.writes.at(-1) ?? 0) < expiry - 3_000, `${moment}: ${leader.writes.at(-1)} of ${expiry}`);
        assert.ok((leader.writes.at(-1) ?? 0) >= 3_000 + moment, "it wrote until then");
        await stopLeader(leader);
      }
    });

  test("writes nothing after it sees another holder, whenever the lease is lost", async () => {
    for (let moment = 0; moment < LEASE_SECONDS * 1_000; moment += 250) {
      const world = createWorld();
      const leader = startLeader(world, LEASE_SECONDS);
      await world.pass(3_000 + moment);
      stealLease(leader.api, world);
      await world.pass(LEASE_SECONDS * 1_000);
      const last = leader.writes.at(-1) ?? 0;
      assert.ok(last <= 3_000 + moment + (LEASE_SECONDS * 1_000) / 6, `${moment}: ${last}`);
      await stopLeader(leader);
    }
  });

  test("writes nothing when it wakes after a pause longer than its lease, at any moment", async () => {
    for (let moment = 0; moment < LEASE_SECONDS * 1_000; moment += 250) {
      const world = createWorld();
      const leader = startLeader(world, LEASE_SECONDS);
      await world.pass(3_000 + moment);
      stealLease(leader.api, world);
      const before = leader.writes.length;
      await world.jump(LEASE_SECONDS * 1_000);
      await world.pass(LEASE_SECONDS * 1_000);
      assert.equal(leader.writes.length, before, `${moment}`);
      await stopLeader(leader);
    }
  });

  test("rejects without another write if a renewal throws", async () => {
    const world = createWorld();
    const leader = startLeader(world, LEASE_SECONDS);
    const outcome = assert.rejects(leader.done, /a fault/);
    await world.pass(3_000);
    leader.state.fault = "throwing";
    await world.pass(2_000);
    const before = leader.writes.length;
    await outcome;
    leader.state.fault = "none";
    await world.pass(10_000);
    assert.equal(leader.writes.length, before);
  });
});
