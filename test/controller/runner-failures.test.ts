import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CLUSTER_VERSION, RESULT } from "../../src/controller/api/api-paths.ts";
import { FAILURE_START_KEY } from "../../src/controller/failure-deadline.ts";
import type { DocumentState } from "../../src/lift/progress/runner-state.ts";
import { type JsonObject, listAt, objectAt, parseObject, textAt } from "../../src/model/json.ts";
import { formatTime } from "../../src/model/time.ts";
import { buildSampleDocument, risk } from "../../verify/operator/status-sample.ts";
import { getClusterVersion } from "../support/controller/memory-api.ts";
import {
  buildContainer,
  buildCrashLoop,
  buildPod,
  ended,
  type RunnerLife,
  running,
  startRunnerLife,
  timeAt,
  waiting,
} from "../support/controller/runner-life.ts";

const HOUR = 3_600;
const FIRST_CRASH = 20;
const CHECKING = "Running=True Checking";
const CRASHED = "Failed=True RunnerCrashed; Running=False RunnerCrashed";
const OUT_OF_MEMORY = "Failed=True OutOfMemory; Running=False OutOfMemory";
const RECOVERED = `Failed=False AsExpected; ${CHECKING}`;

function resultOf(second: number): DocumentState {
  const observedAt = formatTime(timeAt(second));
  const validUntil = formatTime(timeAt(second + 900));
  return { kind: "read", document: buildSampleDocument([risk("A")], { observedAt, validUntil }) };
}

/** What a runner writes when it starts, with its own ID each time. */
function startedDocument(second: number): DocumentState {
  const preflightID = `${formatTime(timeAt(second))}-preflight-5.2.0`;
  const { observedAt: _, validUntil: __, ...document } = buildSampleDocument([], { executionStatus: "running" });
  return { kind: "read", document: { ...document, preflightID } };
}

/** A runner that has checked the cluster for a while. */
async function startCheckingRunner(): Promise<RunnerLife> {
  const life = await startRunnerLife();
  await life.observe(1, [buildPod(buildContainer({ state: running(0), ready: true }))], resultOf(1));
  assert.ok(life.conditions().endsWith(RECOVERED));
  return life;
}

function podThatCrashed(second: number): JsonObject {
  return buildPod(buildContainer({ state: ended(second) }));
}

function podThatRestarted(crash: number, ready = false): JsonObject {
  return buildPod(buildContainer({ state: running(crash + 10), lastState: ended(crash), ready }));
}

function recordOf({ api }: RunnerLife): string | undefined {
  return textAt(api.objects.get(RESULT), "data", FAILURE_START_KEY);
}

function setRecord({ api }: RunnerLife, text: string | null): void {
  const result = objectAt(api.objects.get(RESULT));
  const { [FAILURE_START_KEY]: _, ...data } = objectAt(result, "data");
  api.objects.set(RESULT, { ...result, data: text === null ? data : { ...data, [FAILURE_START_KEY]: text } });
}

describe("a runner that fails again and again is one failure", () => {
  for (const [what, name, end, expected] of [
    ["crashes", "preflight", {}, CRASHED],
    ["runs out of memory", "preflight", { reason: "OOMKilled", exitCode: 137 }, OUT_OF_MEMORY],
    ["ends without an error", "preflight", { reason: "Completed", exitCode: 0 }, CRASHED],
    ["can't copy the target", "target", {}, CRASHED],
  ] as const) {
    test(`if it ${what} 60 times in 50 minutes`, async () => {
      const life = await startRunnerLife();
      await life.observe(2, [buildPod(buildContainer({ state: running(0) }, name))]);
      const writes = life.writes();
      for (const { at, status } of buildCrashLoop(60, 30, end)) {
        await life.observe(at, [buildPod(buildContainer(status, name))]);
        assert.ok(life.conditions().endsWith(expected), `${at}: ${life.conditions()}`);
      }
      assert.equal(life.writes() - writes, 1);
      assert.equal(life.failedSince(), FIRST_CRASH);
    });
  }

  test("and is removed an hour after the first failure, whatever it does at that time", async () => {
    const life = await startRunnerLife();
    for (const { at, status } of buildCrashLoop(40, 300)) {
      await life.observe(at, [buildPod(buildContainer(status))]);
      assert.equal(life.isRemoved(), at >= FIRST_CRASH + HOUR, `${at}`);
    }
    assert.ok(life.isRemoved());
    assert.ok(life.conditions().endsWith(CRASHED));
  });

  test("if each start writes a document, and no cycle completes", async () => {
    const life = await startCheckingRunner();
    const writes = life.writes();
    for (const { at, status } of buildCrashLoop(60, 30)) {
      const starts = Math.ceil(at / 50) * 50;
      await life.observe(at, [buildPod(buildContainer(status))], startedDocument(starts));
      assert.ok(life.conditions().endsWith(CRASHED));
    }
    // The crash, with the first document that says that a cycle runs.
    assert.equal(life.writes() - writes, 1);
  });

  test("if its pod is evicted and replaced", async () => {
    const life = await startCheckingRunner();
    const writes = life.writes();
    let evicted: readonly JsonObject[] = [];
    for (let n = 0; n < 20; n += 1) {
      const name = `runner-${n}`;
      const createdAt = n * 60;
      const message = `The node was low on resource: memory. Threshold quantity: 100Mi, available: ${n}Ki.`;
      const container = buildContainer({ state: ended(createdAt + 30) });
      const eviction = { phase: "Failed", reason: "Evicted", message, ...container };
      if (n > 0) {
        await life.observe(createdAt + 1, [buildPod({ phase: "Pending" }, { name, createdAt }), ...evicted]);
        const started = { phase: "Running", ...buildContainer({ state: running(createdAt + 2) }) };
        await life.observe(createdAt + 3, [buildPod(started, { name, createdAt }), ...evicted]);
      }
      evicted = [...evicted, buildPod(eviction, { name, createdAt })];
      await life.observe(createdAt + 30, evicted);
      assert.ok(life.conditions().endsWith(OUT_OF_MEMORY), life.conditions());
    }
    assert.equal(life.writes() - writes, 1);
    assert.equal(life.failedSince(), 30);
  });

  test("whose hour goes on if it only starts, or fails for another cause", async () => {
    const life = await startRunnerLife();
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/6 nodes" };
    await life.observe(10, [buildPod({ phase: "Pending", conditions: [condition] })]);
    await life.observe(2_400, [buildPod({ phase: "Pending" }, { createdAt: 2_400 })]);
    assert.ok(life.conditions().endsWith("Failed=False AsExpected; Running=True Starting"));
    const pull = buildContainer({ state: waiting("ImagePullBackOff", "manifest unknown") });
    await life.observe(2_500, [buildPod({ phase: "Pending", ...pull }, { createdAt: 2_400 })]);
    assert.equal(life.isRemoved(), false);
    await life.observe(10 + HOUR, [buildPod({ phase: "Pending", ...pull }, { createdAt: 2_400 })]);
    assert.ok(life.isRemoved());
  });
});

describe("a failure ends", () => {
  test("with a result of the container that runs now, and not with an earlier one that is still valid", async () => {
    const life = await startCheckingRunner();
    await life.observe(60, [podThatCrashed(60)], resultOf(1));
    await life.observe(75, [podThatRestarted(60)], resultOf(1));
    assert.ok(life.conditions().endsWith(CRASHED));
    await life.observe(90, [podThatRestarted(60)], resultOf(72));
    assert.ok(life.conditions().endsWith(RECOVERED));
    assert.equal(recordOf(life), undefined);
    const writes = life.writes();
    for (let second = 300; second < 3 * HOUR; second += 300)
      await life.observe(second, [podThatRestarted(60, true)], resultOf(second));
    assert.equal(life.writes(), writes);
    assert.ok(!life.isRemoved());
  });

  test("for the hour, too: the next crash begins a new one", async () => {
    const life = await startCheckingRunner();
    await life.observe(60, [podThatCrashed(60)], resultOf(1));
    // Nobody observes the recovery between the two crashes.
    await life.observe(3_000, [podThatCrashed(3_000)], resultOf(2_990));
    assert.equal(textAt(parseObject(recordOf(life) ?? ""), "since"), formatTime(timeAt(3_000)));
    await life.observe(60 + HOUR, [podThatCrashed(3_000)], resultOf(2_990));
    assert.ok(!life.isRemoved());
    await life.observe(3_000 + HOUR, [podThatCrashed(3_000)], resultOf(2_990));
    assert.ok(life.isRemoved());
  });

  test("if the restarted container is ready", async () => {
    const life = await startCheckingRunner();
    await life.observe(75, [podThatRestarted(60, true)], resultOf(1));
    assert.ok(life.conditions().endsWith(RECOVERED));
  });

  test("if the restarted container has run for the patience, which then ends as well", async () => {
    const life = await startCheckingRunner();
    await life.observe(75, [podThatRestarted(60)]);
    assert.ok(life.conditions().endsWith(CRASHED));
    await life.observe(700, [podThatRestarted(60)]);
    assert.ok(life.conditions().endsWith(`Failed=True NoDocumentInTime; ${CHECKING}`));
    assert.equal(life.failedSince(), 75);
  });

  test("if the pod after the evicted one has had a result, even if that pod is replaced later", async () => {
    const life = await startCheckingRunner();
    const evicted = buildPod({ phase: "Failed", reason: "Evicted", ...buildContainer({ state: ended(60) }) });
    await life.observe(61, [evicted], resultOf(1));
    const second = { name: "runner-2", createdAt: 62 };
    await life.observe(90, [buildPod(buildContainer({ state: running(70) }), second), evicted], resultOf(80));
    assert.ok(life.conditions().endsWith(RECOVERED));
    const third = buildPod({ phase: "Pending" }, { name: "runner-3", createdAt: 200 });
    await life.observe(201, [evicted, third], resultOf(80));
    assert.ok(life.conditions().endsWith("Failed=False AsExpected; Running=True Starting"));
  });
});

describe("the hour survives", () => {
  const crashed = podThatCrashed(60);
  for (const [what, change] of [
    ["a removed record", (life: RunnerLife) => setRecord(life, null)],
    ["a record that is no JSON", (life: RunnerLife) => setRecord(life, "{")],
    ["a removed result", (life: RunnerLife) => life.api.objects.delete(RESULT)],
    ["removed conditions", removeConditions],
  ] as const)
    test(`with ${what}`, async () => {
      const life = await startCheckingRunner();
      await life.observe(60, [crashed]);
      change(life);
      await life.observe(1_800, [crashed]);
      await life.observe(59 + HOUR, [crashed]);
      assert.ok(!life.isRemoved());
      await life.observe(60 + HOUR, [crashed]);
      assert.ok(life.isRemoved());
    });

  test("a record of a time before the request, which ends the preflight no earlier than an hour after the request", async () => {
    const life = await startRunnerLife();
    await life.observe(60, [crashed]);
    setRecord(life, (recordOf(life) ?? "").replace(/"since": "[^"]*"/, '"since": "1970-01-01T00:00:00Z"'));
    await life.observe(120, [crashed]);
    assert.ok(!life.isRemoved());
  });

  test("a clock that goes back: a time in the future is now, and is written once", async () => {
    const life = await startCheckingRunner();
    await life.observe(300, [podThatCrashed(0)]);
    await life.observe(60, [podThatCrashed(0)]);
    const writes = life.api.writes.length;
    for (let second = 61; second < 60 + HOUR; second += 300) await life.observe(second, [podThatCrashed(0)]);
    assert.equal(life.api.writes.length, writes);
    await life.observe(60 + HOUR, [podThatCrashed(0)]);
    assert.ok(life.isRemoved());
  });
});

function removeConditions({ api }: RunnerLife): void {
  const clusterVersion = getClusterVersion(api);
  assert.ok(listAt(clusterVersion, "status", "conditions").length > 0);
  api.objects.set(CLUSTER_VERSION, {
    ...clusterVersion,
    status: { ...objectAt(clusterVersion, "status"), conditions: [] },
  });
}
