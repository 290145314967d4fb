import assert from "node:assert/strict";
import { test } from "node:test";
import { parseVersion } from "../../../../src/model/version.ts";
import type { CycleResult } from "../../../../src/model/report.ts";
import type { ReadStats } from "../../../../src/runner/gather/gather.ts";
import { createChildCycles } from "../../../../src/cli/commands/run/child-cycles.ts";
import type { ChildEnd } from "../../../../src/cli/process/child-end.ts";
import { getChildExitCode } from "../../../../src/cli/session/result.ts";
import type { ChildMessage } from "../../../../src/cli/process/messages.ts";
import { createChildren, ended, type Step } from "../../../support/cli/scripted-children.ts";

const target = parseVersion("4.18.6");
const READY: ChildMessage = { kind: "ready", target };
const FAILED: CycleResult = {
  kind: "failed",
  failure: { reason: "Unauthorized", message: "no" },
  observedAt: new Date(0),
};
const RESULT: ChildMessage = { kind: "result", result: FAILED };
const STATS: ReadStats = { path: "/version", outcome: "found", objects: 0, bytes: 10 };

const READ: ChildMessage = { kind: "progress", events: [{ kind: "read", stats: STATS }] };

async function createCycles(
  scripts: readonly (readonly Step[])[],
  signal = new AbortController().signal,
  cycleTimeout = 1_000,
) {
  const { startChild, log } = createChildren(scripts);
  const onRead = () => void (log.reads += 1);
  const quiet = { now: () => new Date(0), log: { warn: () => {} } };
  const cycles = await createChildCycles({ startChild, onRead, ...quiet, cycleTimeout, signal });
  if ("exitCode" in cycles) return { log, exitCode: cycles.exitCode, run: () => assert.fail("it has exited") };
  const run = async () => {
    const result = await cycles.cycle();
    return result.kind === "failed" ? result.failure.reason : result.kind;
  };
  return { log, cycles, run };
}

test("a healthy child stays between cycles, and its reads are counted", async () => {
  const { cycles, run, log } = await createCycles([[READY, READ, RESULT, RESULT]]);
  assert.equal(cycles?.target(), target);
  assert.deepEqual([await run(), await run()], ["Unauthorized", "Unauthorized"]);
  assert.deepEqual(log, { started: 1, killed: 0, reads: 1 });
});

const ENDS: readonly [end: ChildEnd, reason: string, message: RegExp][] = [
  [{ kind: "outOfMemory", heapMib: 192 }, "OutOfMemory", /192 MiB.*Raise.*max-old-space-size=384.*--skip/],
  [{ kind: "killed" }, "OutOfMemory", /SIGKILL.*Raise the memory limit.*--skip/],
  [{ kind: "crashed", why: "it ended with SIGSEGV" }, "RunnerCrashed", /it ended with SIGSEGV.*report it/],
  [{ kind: "exited", code: 1 }, "RunnerCrashed", /it exited with 1/],
];

for (const [end, reason, message] of ENDS) {
  test(`a child that ended (${end.kind}) fails its cycle alone: the next one has a new child`, async () => {
    const { cycles, log } = await createCycles([
      [READY, ended(end)],
      [READY, RESULT],
    ]);
    const failed = await cycles?.cycle();
    assert.ok(failed?.kind === "failed");
    assert.equal(failed.failure.reason, reason);
    assert.match(failed.failure.message, message);
    assert.equal(failed.target, target);
    assert.equal(await cycles?.cycle(), FAILED);
    assert.equal(log.started, 2);
  });
}

test("a child that ends between cycles costs no cycle", async () => {
  const { run, log } = await createCycles([
    [READY, RESULT, ended({ kind: "killed" })],
    [READY, RESULT],
  ]);
  assert.deepEqual([await run(), await run(), log.started], ["Unauthorized", "Unauthorized", 2]);
});

test("a target that takes all memory fails each cycle", async () => {
  const outOfMemory = ended({ kind: "outOfMemory", heapMib: 192 });
  const { run } = await createCycles([[outOfMemory], [outOfMemory], [READY, RESULT]]);
  assert.deepEqual([await run(), await run()], ["OutOfMemory", "Unauthorized"]);
});

test("a child that exits at its start has said why: its exit code is the runner's", async () => {
  const { exitCode } = await createCycles([[ended({ kind: "exited", code: 2 })]]);
  assert.equal(exitCode, 2);
});

test("a child that does not answer in time is ended", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { run, log } = await createCycles([
    [READY, { kind: "silent" }],
    [READY, RESULT],
  ]);
  const cycle = run();
  await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
  t.mock.timers.tick(31_000);
  assert.equal(await cycle, "CycleTimedOut");
  assert.equal(log.killed, 1);
  assert.equal(await run(), "Unauthorized");
});

test("the longest timeout of a cycle is not shortened", async () => {
  const stop = new AbortController();
  const { run, log } = await createCycles([[READY, { kind: "silent" }]], stop.signal, 2_147_483_647);
  const cycle = run();
  await new Promise((resolve) => void setTimeout(resolve, 50));
  assert.equal(log.killed, 0);
  stop.abort();
  await cycle;
});

test("a stop signal ends a cycle at once", async () => {
  const stop = new AbortController();
  const { run, log } = await createCycles([[READY, { kind: "silent" }]], stop.signal);
  const cycle = run();
  setImmediate(() => stop.abort());
  await cycle;
  assert.equal(log.killed, 1);
});

test("a child that exits before it began is never a success", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 143].map(getChildExitCode), [1, 1, 2, 1, 1, 1]);
});
