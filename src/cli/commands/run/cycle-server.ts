import type { CheckAcceptance } from "../../../model/acceptance.ts";
import type { Logger } from "../../../model/logger.ts";
import type { RunValues } from "./definition.ts";
import { acceptLeftOut, parseChecks } from "../../checks/check-selection.ts";
import { parseReadLimits } from "../../settings/read-limits.ts";
import type { Io } from "../../io/io.ts";
import { createJsonLogger } from "../../io/logger.ts";
import type { Parent } from "../../process/parent.ts";
import { createCycleRunner, type CycleRunner } from "./cycle-runner.ts";

/** The child process of a runner: runs a cycle whenever the parent asks for one, until it is stopped. */
export async function serveCycles(values: RunValues, io: Io, parent: Parent): Promise<0> {
  const log = createJsonLogger(io.err, io.now);
  const { checks, leftOut } = parseChecks(values);
  const runner = await createCycleRunner({
    values,
    io,
    checks,
    leftOut: acceptLeftOut(leftOut, listCheckAcceptances(values, log)),
    readLimits: parseReadLimits(values),
    onRead: (stats) => parent.send({ kind: "read", stats }),
    log,
  });
  try {
    await answerUntilStopped(runner, io.stopSignal, parent);
    return 0;
  } finally {
    runner.close();
  }
}

/** Risks are accepted in ClusterVersion: the document has no place for that. */
function listCheckAcceptances({ config }: RunValues, log: Logger): readonly CheckAcceptance[] {
  for (const { risk } of config?.accept ?? [])
    log.warn("the configuration accepts a risk, which the document has no place for", { risk });
  return config?.acceptChecks ?? [];
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
