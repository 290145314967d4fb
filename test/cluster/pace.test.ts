import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createPace } from "../../src/cluster/access/transport.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import {
  buildStatus,
  createCollector,
  createFakeClock,
  neverAborted,
  serve,
  writeKubeconfig,
} from "../support/cluster/mock-server.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";

const NODES = parseResource("v1/nodes");
const PODS = parseResource("v1/pods");

test("holds every read back while the API server refuses one of them with 429", async (t) => {
  const mock = await serve(t, (request, response) => {
    const kind = request.url?.includes("nodes") ? "Node" : "Pod";
    if (mock.requests.length > 1)
      return sendJson(response, { apiVersion: "v1", kind: `${kind}List`, metadata: {}, items: [] });
    return sendJson(response, buildStatus(429, "TooManyRequests", "slow down"), 429, { "retry-after": "7" });
  });
  const connection = await connect({ kubeconfig: writeKubeconfig(t, { cluster: { server: mock.url } }), env: {} });
  t.after(connection.close);
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let now = 0;
  let asleep = 0;
  const sleep = async (): Promise<void> => {
    (++asleep === 1 ? first : second).resolve();
    await isOver;
    now = 8_000;
  };
  const reader = createLiveReader(connection, { userAgent: "test", clock: { sleep, random: () => 0, now: () => now } });
  const nodes = reader.list(NODES, createCollector().begin, neverAborted);
  await first.promise;
  const pods = reader.list(PODS, createCollector().begin, neverAborted);
  await second.promise;
  assert.equal(mock.requests.length, 1, "the pods wait too");
  end();
  assert.deepEqual([(await nodes).kind, (await pods).kind, mock.requests.length], ["listed", "listed", 3]);
});

test("other requests wait for the end of the pause, spread over a quarter of a second", async () => {
  const clock = createFakeClock(1_000);
  const pace = createPace(clock);
  await pace.wait(neverAborted);
  assert.deepEqual(clock.slept, []);
  pace.onRefused("10");
  await pace.wait(neverAborted);
  assert.deepEqual(clock.slept, [10_062.5 + 250]);
  await pace.wait(neverAborted);
  assert.equal(clock.slept.length, 1);
});

test("sixteen requests that wait are sent over a second, as many in a time as four would be", async () => {
  const clock = createFakeClock();
  const pace = createPace({ ...clock, sleep: async (ms) => void clock.slept.push(ms) });
  pace.onRefused("10");
  await Promise.all(Array.from({ length: 16 }, () => pace.wait(AbortSignal.any([]))));
  assert.deepEqual(
    [clock.slept[0], clock.slept[3], clock.slept[15]],
    [10_062.5 + 250, 10_062.5 + 250, 10_062.5 + 1_000],
  );
});

test("a request that waits also waits for a later refusal's pause", async () => {
  const clock = createFakeClock();
  const pace = createPace({
    ...clock,
    sleep: async (ms, signal) => {
      if (clock.slept.length === 0) pace.onRefused("20");
      return clock.sleep(ms, signal);
    },
  });
  pace.onRefused("5");
  await pace.wait(neverAborted);
  assert.equal(clock.slept.length, 2);
  assert.ok(clock.now() >= 20_000, `${clock.now()}`);
});

test("pauses grow with refusals in a row, not with those that came together, and begin anew after an answer", async () => {
  const clock = createFakeClock();
  const pace = createPace(clock);
  const refuseAndWait = async (times: number): Promise<number | undefined> => {
    for (let i = 0; i < times; i++) pace.onRefused(undefined);
    await pace.wait(neverAborted);
    return clock.slept.at(-1);
  };
  assert.deepEqual([await refuseAndWait(4), await refuseAndWait(1), await refuseAndWait(1)], [500, 750, 1_250]);
  pace.onAnswered();
  assert.equal(await refuseAndWait(1), 500);
});

test("an aborted request does not wait", async () => {
  const clock = createFakeClock();
  const pace = createPace(clock);
  pace.onRefused("30");
  await pace.wait(AbortSignal.abort());
  assert.deepEqual(clock.slept, []);
});
