import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { each } from "../../src/model/read.ts";
import type { Reader } from "../../src/model/reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import type { Sleep } from "../../src/model/time.ts";
import { limitSilence } from "../../src/runner/gather/gathering.ts";
import { fakeReader } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, release, version } from "../support/fixtures.ts";
import { neverAborted, openReader, serve, writeKubeconfig } from "../support/cluster/mock-server.ts";

type TestSleep = {
  readonly sleep: Sleep;
  /** Time passes, and everything that waits for it goes on in its order. */
  readonly pass: (ms: number) => Promise<void>;
  /** Time passes while the process is busy: whatever is due by then goes on once. */
  readonly stall: (ms: number) => Promise<void>;
};

function createTestSleep(): TestSleep {
  let now = 0;
  const waiting = new Set<{ readonly at: number; readonly wake: () => void }>();
  const sleep: Sleep = (ms, signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = { at: now + ms, wake: resolve };
    waiting.add(one);
    signal.addEventListener("abort", () => void (waiting.delete(one) && resolve()));
    return promise;
  };
  const wake = async (due: readonly { readonly wake: () => void }[]): Promise<void> => {
    for (const one of waiting) if (due.includes(one) && waiting.delete(one)) one.wake();
    await nextTurn();
  };
  const dueBy = (end: number) => [...waiting].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
  return {
    sleep,
    async pass(ms) {
      const end = now + ms;
      for (let [next] = dueBy(end); next !== undefined; [next] = dueBy(end)) {
        now = next.at;
        await wake([next]);
      }
      now = end;
    },
    async stall(ms) {
      now += ms;
      await wake(dueBy(now));
    },
  };
}

const PODS = parseResource("v1/pods");
const ITEM = { metadata: { name: "a", namespace: "b" } };

type SlowServer = {
  readonly reader: Reader;
  /** Sends a text once the client has asked for it, and waits until the client has received it. */
  readonly send: (text: string) => Promise<void>;
  readonly end: (text: string) => Promise<void>;
};

async function openSlowServer(t: TestContext): Promise<SlowServer> {
  const asked: ServerResponse[] = [];
  const mock = await serve(t, (_, response) => void asked.push(response));
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  let received = 0;
  const counting: Reader = {
    ...reader,
    list: (resource, begin, signal, part, onProgress) =>
      reader.list(resource, begin, signal, part, () => {
        received += 1;
        onProgress?.();
      }),
  };
  const find = async (): Promise<ServerResponse> => {
    for (let [response] = asked; ; [response] = asked) {
      if (response !== undefined) return response;
      await nextTurn();
    }
  };
  const send = async (text: string): Promise<void> => {
    const response = await find();
    const before = received;
    response.write(text);
    while (received === before) await nextTurn();
  };
  const end = async (text: string): Promise<void> => {
    const response = await find();
    asked.shift();
    response.end(text);
  };
  return { reader: counting, send, end };
}

const buildPage = (token: string) =>
  JSON.stringify({
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion: "1", continue: token },
    items: [{ ...ITEM, metadata: { ...ITEM.metadata, name: `a${token}` } }],
  });

test("a slow list is read to its end, however long it takes: bytes and pages are progress", async (t) => {
  const { sleep, pass } = createTestSleep();
  const server = await openSlowServer(t);
  const reader = limitSilence(server.reader, { timeout: 60_000, sleep });
  const listed = reader.list(PODS, () => () => {}, neverAborted);
  for (const token of ["second", ""]) {
    const page = buildPage(token);
    for (const text of page.slice(0, 20)) {
      await server.send(text);
      await pass(55_000);
    }
    await server.end(page.slice(20));
  }
  assert.partialDeepStrictEqual(await listed, { kind: "listed", objects: 2 });
});

test("a read for which nothing arrives for so long fails, and says for how long", async (t) => {
  const { sleep, pass } = createTestSleep();
  const server = await openSlowServer(t);
  const reader = limitSilence(server.reader, { timeout: 60_000, sleep });
  const listed = reader.list(PODS, () => () => {}, neverAborted);
  await server.send(buildPage("").slice(0, 20));
  await pass(61_000);
  const message = "/api/v1/pods: nothing arrived for 60 seconds";
  assert.deepEqual(await listed, { kind: "failed", reason: "TimedOut", message });
});

test("the process's own work is not the server's silence", async (t) => {
  const { sleep, pass, stall } = createTestSleep();
  const server = await openSlowServer(t);
  const reader = limitSilence(server.reader, { timeout: 60_000, sleep });
  const listed = reader.list(PODS, () => () => {}, neverAborted);
  const page = buildPage("");
  await server.send(page.slice(0, 20));
  await pass(50_000);
  for (let times = 0; times < 3; times++) await stall(3_600_000);
  await server.end(page.slice(20));
  assert.partialDeepStrictEqual(await listed, { kind: "listed", objects: 1 });
});

test("objects of a recording or an archive are progress too", async () => {
  const { sleep, pass } = createTestSleep();
  const archive: Reader = {
    ...fakeReader({}),
    list: async (_, begin, signal) => {
      const visit = begin(undefined);
      for (let objects = 0; objects < 10 && !signal.aborted; objects++) {
        await pass(50_000);
        visit(ITEM);
      }
      return { kind: "listed", objects: 10, bytes: signal.aborted ? 0 : 10 };
    },
  };
  const listed = await limitSilence(archive, { timeout: 60_000, sleep }).list(PODS, () => () => {}, neverAborted);
  assert.partialDeepStrictEqual(listed, { bytes: 10 });
});

test("a list that never ends is ended by the cycle's limit, and all checks that share it are unknown", async () => {
  const { sleep, pass } = createTestSleep();
  const answers = fakeReader(clusterRunning("4.18.8"));
  const reader: Reader = {
    ...answers,
    list: async (_, begin, signal, _part, onProgress) => {
      begin(undefined);
      while (!signal.aborted) {
        await pass(1_000);
        onProgress?.();
      }
      const { name } = signal.reason;
      return { kind: "failed", reason: "TimedOut", message: `the pods: ${name}` };
    },
  };
  const reads = () => ({ pods: each("v1/pods", () => 1) });
  const result = await runCycle({
    selection: {
      checks: [checkWith({ id: "One", reads }), checkWith({ id: "Two", reads }), checkWith({ id: "Well" })],
    },
    reader,
    target: { kind: "read", version: version("4.19.3"), select: () => release("4.19.3") },
    now: new Date("2026-01-02T03:04:05Z"),
    signal: neverAborted,
    limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 300_000, sleep },
  });
  if (result.kind !== "completed") assert.fail(JSON.stringify(result));
  const outcomes = result.report.checks.map(({ id, outcome }) => [id, outcome.kind]);
  assert.deepEqual(outcomes.toSorted(), [
    ["One", "unknown"],
    ["Two", "unknown"],
    ["Well", "clear"],
  ]);
  assert.match(JSON.stringify(result.report.risks), /the pods: TimeoutError/);
});
