import type { Io } from "../../io/io.ts";
import { createJsonLogger } from "../../io/logger.ts";
import type { Parent } from "../../process/parent.ts";
import { createCycleRunner, type CycleRunner } from "./cycle-runner.ts";
import type { RunValues } from "./definition.ts";

/** The child process of a runner: runs a cycle whenever the parent asks for one, until it is stopped. */
export async function serveCycles(values: RunValues, io: Io, parent: Parent): Promise<0> {
  const log = createJsonLogger(io.err, io.now);
  // Risks are accepted in ClusterVersion.
  for (const { risk } of values.config?.accept ?? [])
    log.warn("the configuration accepts a risk, which the document has no place for", { risk });
  const runner = await createCycleRunner(values, io, log, (stats) => parent.send({ kind: "read", stats }));
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
