import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { ApiClient, ApiResponse } from "../../src/cluster/writer/api-client.ts";
import { CONTROLLER_LEASE, INFRASTRUCTURE, LEASES, RUNNER } from "../../src/controller/api/api-paths.ts";
import { runController } from "../../src/controller/controller.ts";
import { createLoopMonitor } from "../../src/controller/work-loop.ts";
import { objectAt, textAt } from "../../src/model/json.ts";
import { clusterVersion } from "../../verify/operator/status-sample.ts";
import type { MemoryApi } from "../support/controller/memory-api.ts";
import { createStore, MISSING, requestFor, SETTINGS } from "../support/controller/reconcile.ts";
import { createWorld, type World } from "../support/controller/world.ts";

const LEASE = `${LEASES}/${CONTROLLER_LEASE}`;
const UNREACHABLE = { kind: "unreachable", message: "no route" } as const;

type LeaseFault = "none" | "refused" | "hanging";

/** As the world passes. */
const STEP_MS = 250;

/** A controller whose objects never become what it wants, so that it writes at every poll while it leads. */
function startController(world: World, leaseSeconds: number) {
  const store = createStore(requestFor({ to: "5.2.0", "allow-unverified": "true" }), clusterVersion());
  const renewals: number[] = [];
  const writes: number[] = [];
  const said: string[] = [];
  const state: { fault: LeaseFault } = { fault: "none" };
  const onLease = async (signal: AbortSignal, call: () => Promise<ApiResponse>): Promise<ApiResponse> => {
    if (state.fault === "hanging") await untilAborted(signal);
    return state.fault === "refused" || state.fault === "hanging" ? UNREACHABLE : call();
  };
  const api: ApiClient = {
    read: async (path, signal) => {
      if (path === LEASE) return onLease(signal, () => store.read(path, signal));
      return readAsServer(store, path, signal);
    },
    write: async (change, signal) => {
      const isLease = change.path.startsWith(LEASES);
      if (!isLease) {
        writes.push(world.clock());
        return { kind: "ok", object: change.body ?? {} };
      }
      return onLease(signal, () => {
        renewals.push(world.clock());
        return store.write(change, signal);
      });
    },
    watch: async (_path, _onEvent, signal) => {
      await untilAborted(signal);
      return { kind: "closed" };
    },
  };
  const note = (message: string, fields: object = {}): void => void said.push(`${message} ${JSON.stringify(fields)}`);
  const tools = {
    api,
    log: { info: note, warn: note, error: note },
    now: world.now,
    clock: world.clock,
    sleep: world.sleep,
    readDocument: async () => MISSING,
    verifySignature: () => assert.fail("nothing is verified"),
    onReconcile: () => {},
    onReconciled: () => {},
    onWatchFailure: () => {},
    onLeadershipChange: () => {},
    monitor: createLoopMonitor(world.clock, leaseSeconds * 1_000),
  };
  const stop = new AbortController();
  const options = { ...SETTINGS, identity: "a", leaseSeconds, pollMs: 300 };
  return { store, renewals, writes, said, state, stop, done: runController(tools, options, stop.signal) };
}

/** A list has a version at least as high as that of any object; the runner is never there. */
async function readAsServer({ objects, read }: MemoryApi, path: string, signal: AbortSignal): Promise<ApiResponse> {
  const [base = "", query] = path.split("?");
  if (base === RUNNER) return { kind: "absent", message: "not found" };
  if (query === undefined) return read(path, signal);
  const name = /metadata\.name%3D([^&]+)/.exec(query)?.[1];
  const items = [...objects].flatMap(([one, object]) =>
    one !== RUNNER && (name === undefined ? one.startsWith(`${base}/`) : one === `${base}/${name}`) ? [object] : [],
  );
  return { kind: "ok", object: { apiVersion: "v1", kind: "List", metadata: { resourceVersion: "1000000" }, items } };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The work queue takes the timers of the process, and the rest the world's. */
async function pass(t: TestContext, world: World, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await world.pass(STEP_MS);
    t.mock.timers.tick(STEP_MS);
  }
}

function stealLease({ store }: ReturnType<typeof startController>, world: World): void {
  const lease = objectAt(store.objects.get(LEASE));
  const spec = { ...objectAt(lease, "spec"), holderIdentity: "another", renewTime: world.now().toISOString() };
  const metadata = { ...objectAt(lease, "metadata"), resourceVersion: "stolen" };
  store.objects.set(LEASE, { ...lease, spec, metadata });
}

describe("the controller", () => {
  test("writes nothing but its lease in a cluster with a hosted control plane, and says why once", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const world = createWorld();
    const controller = startController(world, 10);
    const { store, writes, said } = controller;
    store.objects.set(INFRASTRUCTURE, { status: { controlPlaneTopology: "External" } });
    await pass(t, world, 12_000);
    assert.deepEqual(writes, []);
    assert.equal(said.filter((line) => line.startsWith("nothing is written: ")).length, 1, said.join("\n"));
    controller.stop.abort();
    await controller.done;
  });

  for (const seconds of [10, 20])
    test(`keeps a lease of ${seconds} s and writes on`, async (t) => {
      t.mock.timers.enable({ apis: ["setTimeout"] });
      const world = createWorld();
      const controller = startController(world, seconds);
      const { renewals, writes, said, store } = controller;
      await pass(t, world, 3 * seconds * 1_000);
      const gaps = renewals.slice(1).map((time, i) => time - (renewals[i] ?? 0));
      assert.ok(renewals.length > 4 && Math.max(...gaps) < (seconds * 1_000) / 2, gaps.join(", "));
      assert.ok((writes.at(-1) ?? 0) > (renewals.at(-2) ?? 0), "it writes on");
      assert.doesNotMatch(said.join("\n"), /lost leadership/);
      controller.stop.abort();
      await controller.done;
      assert.equal(textAt(store.objects.get(LEASE), "spec", "holderIdentity"), "");
    });

  for (const fault of ["refused", "hanging"] as const)
    test(`writes nothing once its lease may have expired, if the lease is ${fault}`, async (t) => {
      t.mock.timers.enable({ apis: ["setTimeout"] });
      const world = createWorld();
      const controller = startController(world, 10);
      const { renewals, writes, said, state } = controller;
      await pass(t, world, 12_000);
      state.fault = fault;
      await pass(t, world, 20_000);
      assert.match(said.join("\n"), /lost leadership/);
      const lastWrite = writes.at(-1) ?? 0;
      const lastRenewal = renewals.at(-1) ?? 0;
      assert.ok(lastWrite >= 12_000, `it wrote until then, ${lastWrite}`);
      assert.ok(lastWrite < lastRenewal + 10_000 - 3_000, `${lastWrite - lastRenewal} ms after the last renewal`);
      state.fault = "none";
      const before = writes.length;
      if (fault === "refused") await pass(t, world, 10_000);
      assert.equal(
        writes.length > before,
        fault === "refused",
        "it leads again; a read that hangs ends by itself alone",
      );
      controller.stop.abort();
      await controller.done;
    });

  test("writes nothing while another controller has its lease", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const world = createWorld();
    const controller = startController(world, 10);
    const { writes, said, store } = controller;
    await pass(t, world, 12_000);
    stealLease(controller, world);
    await pass(t, world, 2_000);
    assert.match(said.join("\n"), /another controller is the leader.*another/);
    const before = writes.length;
    await pass(t, world, 6_000);
    assert.equal(writes.length, before);
    assert.match(said.join("\n"), /lost leadership/);
    controller.stop.abort();
    await controller.done;
    assert.equal(textAt(store.objects.get(LEASE), "spec", "holderIdentity"), "another");
  });
});
