import assert from "node:assert/strict";
import { test } from "node:test";
import { createChildCycles } from "../../../../src/cli/commands/run/child-cycles.ts";
import type { ChildMessage } from "../../../../src/cli/process/messages.ts";
import {
  begin,
  createChildren,
  describeSent,
  ended,
  JUDGED,
  OUT_OF_MEMORY,
  READY,
  type Step,
} from "../../../support/cli/scripted-children.ts";

const RESULT: ChildMessage = {
  kind: "result",
  result: { kind: "failed", failure: { reason: "Unauthorized", message: "no" }, observedAt: new Date(0) },
};

async function createCycles(scripts: readonly (readonly Step[])[]) {
  const children = createChildren(scripts);
  const warnings: unknown[] = [];
  const cycles = await createChildCycles({
    startChild: children.startChild,
    onRead: () => {},
    now: () => new Date(0),
    log: { warn: (_, fields) => void warnings.push(fields?.["checks"]) },
    cycleTimeout: 1_000,
    signal: new AbortController().signal,
  });
  assert.ok("cycle" in cycles);
  const run = async (): Promise<string> => {
    const before = children.sent.length;
    const result = await cycles.cycle();
    const asked = children.sent.slice(before).map(describeSent).join(", ");
    return `${asked}: ${result.kind === "failed" ? result.failure.reason : result.kind}`;
  };
  return { run, warnings, log: children.log };
}

test("a check whose own process ends is unknown in the same cycle, and alone from then on", async () => {
  const { run, warnings } = await createCycles([
    [READY, begin("a"), begin("b"), OUT_OF_MEMORY],
    [READY, begin("b"), OUT_OF_MEMORY],
    [READY, RESULT],
    [READY, begin("b"), OUT_OF_MEMORY],
    [READY, RESULT],
  ]);
  assert.equal(await run(), "all, alone b, all with b unknown: Unauthorized");
  assert.deepEqual(warnings, [["b"], ["b"]]);
  assert.equal(await run(), "alone b, all with b unknown: Unauthorized");
});

test("a check that recovers counts, and is back in the common process after the next cycle", async () => {
  const { run, log } = await createCycles([
    [READY, begin("a"), begin("b"), OUT_OF_MEMORY],
    [READY, begin("b"), JUDGED],
    [READY, RESULT],
    [READY, begin("b"), JUDGED],
    [READY, RESULT, RESULT, RESULT],
  ]);
  assert.equal(await run(), "all, alone b, all with b judged: Unauthorized");
  assert.equal(await run(), "alone b, all with b judged: Unauthorized");
  assert.equal(await run(), "all: Unauthorized");
  assert.equal(await run(), "all: Unauthorized");
  assert.equal(log.started, 5);
});

test("an end before any check runs fails the cycle, and nothing runs alone", async () => {
  const { run } = await createCycles([
    [READY, OUT_OF_MEMORY],
    [READY, begin("a"), begin(), OUT_OF_MEMORY],
    [READY, RESULT],
  ]);
  assert.deepEqual(
    [await run(), await run(), await run()],
    ["all: OutOfMemory", "all: OutOfMemory", "all: Unauthorized"],
  );
});

test("a cluster that the suspect's process can't read fails the cycle, and the suspect stays apart", async () => {
  const { run } = await createCycles([
    [READY, begin("a"), begin("b"), OUT_OF_MEMORY],
    [READY, begin("b"), OUT_OF_MEMORY],
    [READY, RESULT],
    [READY, RESULT],
    [READY, begin("b"), JUDGED],
    [READY, RESULT],
  ]);
  await run();
  assert.equal(await run(), "alone b: Unauthorized");
  assert.equal(await run(), "alone b, all with b judged: Unauthorized");
});

test("a child that was told to stop is not asked again", async () => {
  const { run } = await createCycles([
    [READY, begin("a"), ended({ kind: "exited", code: 143 })],
    [READY, RESULT],
  ]);
  assert.equal(await run(), "all: RunnerCrashed");
});
