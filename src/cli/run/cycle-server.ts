import type { RunValues } from "../definitions/run.ts";
import { parseChecks } from "../inputs/check-selection.ts";
import { parseReadLimits } from "../inputs/read-limits.ts";
import type { Io } from "../io.ts";
import { createJsonLogger } from "../logger.ts";
import type { Parent } from "../process/parent.ts";
import { createCycleRunner, type CycleRunner } from "./cycle-runner.ts";

/** The child process of a runner: runs a cycle whenever the parent asks for one, until it is stopped. */
export async function serveCycles(values: RunValues, io: Io, parent: Parent): Promise<number> {
  const runner = await createCycleRunner({
    values,
    io,
    checks: parseChecks(values),
    readLimits: parseReadLimits(values),
    onRead: (stats) => parent.send({ kind: "read", stats }),
    log: createJsonLogger(io.err, io.now),
  });
  try {
    await answerUntilStopped(runner, io.stopSignal, parent);
    return 0;
  } finally {
    runner.close();
  }
}

function answerUntilStopped(runner: CycleRunner, signal: AbortSignal, parent: Parent): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    parent.onMessage((message) => {
      if (message.kind !== "cycle") return;
      runner.cycle(signal).then((result) => parent.send({ kind: "result", result }), reject);
    });
    parent.send({ kind: "ready", target: runner.target() });
  });
}
