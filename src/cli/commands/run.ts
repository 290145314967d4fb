import { systemClock } from "../../cluster/access/retry.ts";
import { UsageError } from "../../model/errors.ts";
import { parseTargetVersion } from "../../model/target-version.ts";
import { loop, type LoopResult } from "../../runner/loop.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { createCycleRunner } from "../run/cycle-runner.ts";
import { parseDuration } from "../command-line/duration.ts";
import type { Io } from "../io.ts";
import { createJsonLogger, type Logger } from "../logger.ts";
import { createRunnerMetrics, type RunnerMetrics } from "../monitoring/runner-metrics.ts";
import { selectOutput } from "../run/output.ts";
import { type DocumentPublisher, createDocumentPublisher } from "../run/document-publisher.ts";
import { startMonitoringServer, type MonitoringServer } from "../monitoring/server.ts";
import { parseChecks, parseReadLimits } from "../inputs/cycle-inputs.ts";

const FORMATS = ["preflight-v1-json"];

/** The runner: cycles at an interval, a document after each, until it is told to stop. */
export async function run(args: Arguments, io: Io): Promise<number> {
  requireFormat(args);
  const interval = parseDuration(args.text("interval") ?? "0", "interval");
  const [checks, readLimits] = [parseChecks(args), parseReadLimits(args)];
  const output = await selectOutput(args.text("output"), interval);
  const log = createJsonLogger(io.err, io.now);
  const metrics = createRunnerMetrics(() => io.now().getTime(), interval);
  const cycleRunner = await createCycleRunner({ args, io, checks, readLimits, metrics, log });
  const publisher = await createDocumentPublisher({
    output,
    interval,
    args,
    target: cycleRunner.target,
    io,
    log,
    metrics,
  });
  const server = await startMonitoring(args, metrics, publisher, log);
  try {
    await publisher.announce("running");
    const end = await loop({
      cycle: cycleRunner.cycle,
      publish: publisher.announce,
      interval,
      random: io.random,
      sleep: systemClock.sleep,
      clock: () => io.now().getTime(),
      signal: io.stopSignal,
    });
    log.info("stopped", { why: end });
    return getExitCode(end, publisher, args);
  } finally {
    cycleRunner.close();
    await server?.close();
  }
}

function requireFormat(args: Arguments): void {
  const format = args.text("format");
  if (format === undefined)
    throw new UsageError("give a command, or --format=preflight-v1-json to start the runner; see 'preflight --help'");
  if (!FORMATS.includes(format))
    throw new UsageError(`--format "${format}" is not known: known is ${FORMATS.join(", ")}`);
}

async function startMonitoring(
  args: Arguments,
  metrics: RunnerMetrics,
  publisher: DocumentPublisher,
  log: Logger,
): Promise<MonitoringServer | undefined> {
  const listen = args.text("listen");
  if (listen === undefined) return undefined;
  const server = await startMonitoringServer(listen, metrics, publisher.readiness);
  log.info("listening", { address: server.address });
  return server;
}

/** A runner that was told to stop did what it should; one that ran one cycle says whether that cycle ran and was written. */
function getExitCode(end: LoopResult, publisher: DocumentPublisher, args: Arguments): number {
  const version = args.text("target-version");
  if (end !== "stopped" && version !== undefined && parseTargetVersion(version) === undefined) return 2;
  if (end === "stopped") return 0;
  return end === "published" && publisher.isLastCycleCompleted() ? 0 : 1;
}
