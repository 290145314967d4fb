import assert from "node:assert/strict";
import { test } from "node:test";
import { createChildCycles } from "../../../../src/cli/commands/run/child-cycles.ts";
import type { ChildMessage } from "../../../../src/cli/process/messages.ts";
import type { SeparateResult } from "../../../../src/runner/separate.ts";
import { createChildren, ended, type Step } from "../../../support/cli/scripted-children.ts";

const READY: ChildMessage = { kind: "ready", target: undefined };
const RESULT: ChildMessage = {
  kind: "result",
  result: { kind: "failed", failure: { reason: "Unauthorized", message: "no" }, observedAt: new Date(0) },
};
const OUT_OF_MEMORY = ended({ kind: "outOfMemory", heapMib: 192 });

function begin(...checks: readonly string[]): ChildMessage {
  return { kind: "progress", events: [{ kind: "begin", checks }] };
}

function judged(id: string): ChildMessage {
  const report = { id, name: id, title: id, outcome: { kind: "clear", notices: [] } } as const;
  return { kind: "judged", results: new Map([[id, { report, risks: [] }]]) };
}

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
    const asked = children.sent.slice(before).map(describe).join(", ");
    return `${asked}: ${result.kind === "failed" ? result.failure.reason : result.kind}`;
  };
  const separate = (): ReadonlyMap<string, SeparateResult> => {
    const last = children.sent.at(-1);
    return last?.kind === "cycle" ? last.separate : assert.fail("no cycle was asked for");
  };
  return { run, separate, warnings, log: children.log };
}

function describe(message: ReturnType<typeof createChildren>["sent"][number]): string {
  if (message.kind === "separate") return `alone ${message.checks.join(" ")}`;
  if (message.kind !== "cycle") return message.kind;
  const results = [...message.separate].map(([id, { kind }]) => `${id} ${kind}`);
  return results.length === 0 ? "all" : `all with ${results.join(" and ")}`;
}

test("the check that ran at the end runs alone; if it ends again, it is unknown, and the others' results stand", async () => {
  const { run, separate, warnings } = await createCycles([
    [READY, begin("a"), begin("b"), OUT_OF_MEMORY],
    [READY, begin("b"), OUT_OF_MEMORY],
    [READY, RESULT],
  ]);
  assert.equal(await run(), "all: OutOfMemory");
  assert.equal(await run(), "alone b, all with b unknown: Unauthorized");
  const message = "the process that ran it ended: 192 MiB of heap are not enough";
  const unknown = { reason: "OutOfMemory", where: "check b", message };
  assert.deepEqual([...separate()], [["b", { kind: "unknown", unknown }]]);
  assert.deepEqual(warnings, [["b"]]);
});

test("a check that recovers counts, and is back in the common process with the next cycle", async () => {
  const { run, log } = await createCycles([
    [READY, begin("a"), begin("b"), OUT_OF_MEMORY],
    [READY, begin("b"), judged("b")],
    [READY, RESULT, RESULT, RESULT],
  ]);
  assert.equal(await run(), "all: OutOfMemory");
  assert.equal(await run(), "alone b, all with b judged: Unauthorized");
  assert.equal(await run(), "all: Unauthorized");
  assert.equal(await run(), "all: Unauthorized");
  assert.equal(log.started, 3);
});

test("several suspects share a process, and are unknown together until they are told apart", async () => {
  const [crash, late] = [ended({ kind: "crashed", why: "it ended with SIGSEGV" }), begin("c")];
  const { run, separate } = await createCycles([
    [READY, begin("a"), begin("b", "c"), crash],
    [READY, begin("b", "c"), late, crash],
    [READY, RESULT],
    [READY, begin("c"), crash],
    [READY, begin("b"), judged("b")],
    [READY, RESULT],
  ]);
  await run();
  assert.equal(await run(), "alone b c, all with b unknown and c unknown: Unauthorized");
  const why = "the process that ran it and 1 other check ended: it ended with SIGSEGV";
  const message = `${why}, which is a bug in preflight: please report it`;
  const unknown = { reason: "CheckFailed", where: "check b", message };
  assert.deepEqual(separate().get("b"), { kind: "unknown", unknown });
  assert.equal(await run(), "alone c, alone b, all with c unknown and b judged: Unauthorized");
});

test("an end before any check runs fails the cycle, and nothing runs apart", async () => {
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
    [READY, RESULT],
    [READY, begin("b"), judged("b")],
    [READY, RESULT],
  ]);
  await run();
  assert.equal(await run(), "alone b: Unauthorized");
  assert.equal(await run(), "alone b, all with b judged: Unauthorized");
});
