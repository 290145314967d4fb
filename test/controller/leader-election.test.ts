import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ApiClient } from "../../src/cluster/writer/api-client.ts";
import { runLeaderElection } from "../../src/controller/leader-election.ts";
import { CONTROLLER_LEASE, LEASES } from "../../src/controller/api/api-paths.ts";
import { textAt } from "../../src/model/json.ts";
import { createMemoryApi } from "../support/controller/memory-api.ts";
import { SILENT_LOGGER } from "../support/controller/reconcile.ts";
import { createWorld, type World } from "../support/controller/world.ts";

const LEASE = `${LEASES}/${CONTROLLER_LEASE}`;

/** A controller that can be cut off from the API; `at` lists the times when it worked. */
function controller(api: ApiClient, of: World, identity: string, skew = 0) {
  const stop = new AbortController();
  const state = { working: false, cut: false, most: 0 };
  const unreachable = { kind: "unreachable", message: "no route" } as const;
  const own: ApiClient = {
    ...api,
    read: async (path, signal) => (state.cut ? unreachable : api.read(path, signal)),
    write: async (change, signal) => (state.cut ? unreachable : api.write(change, signal)),
  };
  const work = (signal: AbortSignal): Promise<void> => {
    state.working = true;
    return new Promise((resolve) => {
      signal.addEventListener(
        "abort",
        () => {
          state.working = false;
          resolve();
        },
        { once: true },
      );
    });
  };
  const now = (): Date => new Date(of.now().getTime() + skew);
  const tools = { api: own, log: SILENT_LOGGER, identity, leaseSeconds: 12, now, clock: of.clock, sleep: of.sleep };
  return { state, stop, done: runLeaderElection(tools, work, stop.signal) };
}

describe("several controllers", () => {
  test("one leads, and the next takes over as soon as the lease is released", async () => {
    const api = createMemoryApi({});
    const of = createWorld();
    const a = controller(api, of, "a");
    const b = controller(api, of, "b");
    await of.pass(60_000);
    assert.deepEqual([a.state.working, b.state.working].toSorted(), [false, true]);
    const [first, second] = a.state.working ? [a, b] : [b, a];
    first.stop.abort();
    await first.done;
    assert.equal(textAt(api.objects.get(LEASE), "spec", "holderIdentity"), "");
    await of.pass(4_000);
    assert.equal(second.state.working, true);
    second.stop.abort();
    await second.done;
  });

  test("an unresponsive leader stops before a standby starts, whatever the clocks say", async () => {
    for (const skew of [-3_600_000, 0, 3_600_000]) {
      const api = createMemoryApi({});
      const of = createWorld();
      const a = controller(api, of, "a");
      await of.pass(5_000);
      const b = controller(api, of, "b", skew);
      await of.pass(10_000);
      assert.deepEqual([a.state.working, b.state.working], [true, false]);
      a.state.cut = true;
      for (let waited = 0; waited < 30_000; waited += 250) {
        await of.pass(250);
        assert.ok(!(a.state.working && b.state.working), `both at ${waited}`);
      }
      assert.deepEqual([a.state.working, b.state.working], [false, true]);
      a.state.cut = false;
      await of.pass(20_000);
      assert.deepEqual([a.state.working, b.state.working], [false, true]);
      for (const one of [a, b]) one.stop.abort();
      await Promise.all([a.done, b.done]);
    }
  });

  test("a short outage does not change the leader", async () => {
    const api = createMemoryApi({});
    const of = createWorld();
    const a = controller(api, of, "a");
    await of.pass(5_000);
    a.state.cut = true;
    await of.pass(6_000);
    a.state.cut = false;
    await of.pass(30_000);
    assert.equal(a.state.working, true);
    a.stop.abort();
    await a.done;
  });

  test("a failure of the work ends the controller", async () => {
    const api = createMemoryApi({});
    const of = createWorld();
    const tools = {
      api,
      log: SILENT_LOGGER,
      identity: "a",
      leaseSeconds: 12,
      now: of.now,
      clock: of.clock,
      sleep: of.sleep,
    };
    await assert.rejects(
      runLeaderElection(tools, async () => Promise.reject(new Error("a fault")), new AbortController().signal),
      /a fault/,
    );
  });
});
