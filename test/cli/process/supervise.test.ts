import assert from "node:assert/strict";
import { test } from "node:test";
import type { StartChild } from "../../../src/cli/process/child.ts";
import type { Death } from "../../../src/cli/process/isolated-checks.ts";
import { StopError } from "../../../src/cli/process/stop-signal.ts";
import { supervise } from "../../../src/cli/launcher/supervised-command.ts";
import {
  begin,
  createChildren,
  describeSent,
  ended,
  JUDGED,
  OUT_OF_MEMORY,
  READY,
  type Step,
} from "../../support/cli/scripted-children.ts";

const FOUND_RISK = ended({ kind: "exited", code: 3 });

/** `stopAt`: the start at which the command is told to stop. */
async function run(scripts: readonly (readonly Step[])[], stopAt?: number) {
  const children = createChildren(scripts);
  const stop = new AbortController();
  const deaths: Death[] = [];
  const startChild: StartChild = (...options) => {
    if (children.log.started + 1 === stopAt) stop.abort(new StopError("stopped by SIGINT", 130));
    return children.startChild(...options);
  };
  const onDeath = (death: Death): void => void deaths.push(death);
  const end = await supervise({ startChild, now: () => new Date(0), onDeath, stopSignal: stop.signal });
  const asked = children.sent.map(describeSent).join(", ");
  const said = deaths.map(({ kind, checks, why }) => `${kind} ${checks.join(" ")}: ${why}`);
  return { end, asked, said, started: children.log.started };
}

test("a command that ends by itself is run once", async () => {
  const { end, asked, said, started } = await run([[READY, begin("a"), begin(), FOUND_RISK]]);
  assert.deepEqual({ end, asked, said, started }, { end: { code: 3 }, asked: "all", said: [], started: 1 });
});

test("each check that ran at the end runs alone, once, and then the rest together", async () => {
  const { end, asked, said } = await run([
    [READY, begin("a"), begin("b", "c"), OUT_OF_MEMORY],
    [READY, begin("b"), JUDGED],
    [READY, begin("c"), ended({ kind: "killed" })],
    [READY, begin("a"), begin(), FOUND_RISK],
  ]);
  assert.deepEqual(end, { code: 3 });
  assert.equal(asked, "all, alone b, alone c, all with b judged and c unknown");
  assert.deepEqual(said, [
    "together b c: 192 MiB of heap are not enough",
    "alone c: it was killed (SIGKILL), as the kernel does if no memory is left",
  ]);
});

test("if the common process ends a third time, all that it had begun with run alone", async () => {
  const { end, asked } = await run([
    [READY, begin("a", "b", "c", "d"), begin("a"), OUT_OF_MEMORY],
    [READY, JUDGED],
    [READY, begin("b", "c", "d"), begin("b"), OUT_OF_MEMORY],
    [READY, JUDGED],
    [READY, begin("c", "d"), begin("c"), OUT_OF_MEMORY],
    [READY, JUDGED],
    [READY, JUDGED],
    [READY, FOUND_RISK],
  ]);
  assert.deepEqual(end, { code: 3 });
  assert.match(asked, /, alone c, alone d, all with a judged and b judged and c judged and d judged$/);
});

test("an end while no check runs is the command's, with what to do", async () => {
  const problem =
    "out of memory: 192 MiB of heap are not enough. Raise the limit with NODE_OPTIONS=--max-old-space-size=384, or leave out checks with --skip";
  for (const script of [[OUT_OF_MEMORY], [READY, OUT_OF_MEMORY], [READY, begin("a"), begin(), OUT_OF_MEMORY]]) {
    const { end, said, started } = await run([script]);
    assert.deepEqual({ end, said, started }, { end: { code: 1, problem }, said: [], started: 1 });
  }
});

test("a check that was tried alone does not run alone again", async () => {
  const { end, asked } = await run([
    [READY, begin("a"), OUT_OF_MEMORY],
    [READY, begin("a"), JUDGED],
    [READY, begin("a"), OUT_OF_MEMORY],
  ]);
  assert.equal(end.code, 1);
  assert.equal(asked, "all, alone a, all with a judged");
});

test("what a process exits with is the command's answer, unless an error that nobody expected ended it", async () => {
  const stopped = await run([[READY, begin("a"), ended({ kind: "exited", code: 143 })]]);
  assert.deepEqual([stopped.end, stopped.started], [{ code: 143 }, 1]);
  const failed = await run([
    [READY, begin("a"), ended({ kind: "exited", code: 1 })],
    [READY, JUDGED],
    [READY, FOUND_RISK],
  ]);
  assert.deepEqual([failed.end, failed.asked], [{ code: 3 }, "all, alone a, all with a judged"]);
});

test("after a stop signal no process is started", async () => {
  const killed = ended({ kind: "killed" });
  for (const stopAt of [1, 2]) {
    const { end, started } = await run(
      [
        [READY, begin("a"), killed],
        [READY, begin("a"), killed],
      ],
      stopAt,
    );
    assert.deepEqual([end, started], [{ code: 130, problem: "stopped by SIGINT" }, stopAt]);
  }
});
