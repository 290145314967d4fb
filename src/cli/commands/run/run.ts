import { systemClock } from "../../../network/retry.ts";
import { UsageError } from "../../../model/errors.ts";
import { parseTargetVersion } from "../../../model/version.ts";
import type { RunValues } from "./definition.ts";
import { getChildExitCode } from "../../session/result.ts";
import { createChildCycles, type CycleRunner } from "./child-cycles.ts";
import type { Io } from "../../io/io.ts";
import { type Logger, createChangeLogger } from "../../../model/logger.ts";
import { createJsonLogger, startMonitoring } from "../../io/monitoring-server.ts";
import { createRunnerMetrics, type RunnerMetrics } from "./runner-metrics.ts";
import { createDocumentPublisher, type DocumentPublisherInput } from "./document-publisher.ts";
import { hasRequestEnded } from "./work-end.ts";
import { type CycleResult, isEndedByUpdate } from "../../../model/report.ts";
import { stat } from "node:fs/promises";
import { DEFAULT_DOCUMENT, SHARED_FOLDER } from "../../settings/shared-settings.ts";
import type { Sleep } from "../../../model/time.ts";

const FORMATS = ["preflight-v1-json"];

/** The runner: cycles at an interval, with a document after each, until the process is stopped. */
export async function run(values: RunValues, io: Io): Promise<0 | 1 | 2> {
  requireFormat(values, io.program);
  if (io.parent) {
    const { serveCycles } = await import("./cycle-server.ts");
    return serveCycles(values, io, io.parent);
  }
  const { interval, "cycle-timeout": cycleTimeout } = values;
  const output = await selectOutput(values.document, interval);
  const metrics = createRunnerMetrics({
    clock: () => io.now().getTime(),
    interval,
    showsMessages: values["risk-messages"],
  });
  const { startChild, now, stopSignal: signal } = io;
  const log = createJsonLogger(io.err, now);
  const cycles = await createChildCycles({ startChild, onRead: metrics.onRead, now, log, cycleTimeout, signal });
  if ("exitCode" in cycles) return getChildExitCode(cycles.exitCode);
  try {
    return await publishCycles(cycles, { values, io, output, metrics, log });
  } finally {
    cycles.close();
  }
}

type Publication = Omit<DocumentPublisherInput, "target"> & { readonly values: RunValues };

async function publishCycles(
  cycles: CycleRunner,
  { values, io, output, metrics, log }: Publication,
): Promise<0 | 1 | 2> {
  const clock = () => io.now().getTime();
  const publisher = await createDocumentPublisher({ output, values, target: cycles.target(), io, log, metrics });
  const { readiness } = publisher;
  const readClientAuthorities = async () => cycles.clientAuthorities();
  const server = await startMonitoring(values, { metrics, readiness, readClientAuthorities, log });
  if (server !== undefined) log.info("listening", { address: server.address });
  try {
    await publisher.announce("running");
    const end = await loop({
      cycle: reportCycles(cycles.cycle, { metrics, log, clock }),
      publish: publisher.announce,
      interval: values.interval,
      random: io.random,
      sleep: systemClock.sleep,
      clock,
      signal: io.stopSignal,
    });
    if (end === "stopped" && values["end-with-request"] && (await hasRequestEnded(values, io, log)))
      await publisher.withdraw();
    log.info("stopped", { why: end });
    return getRunnerExitCode(end, publisher.isLastCycleCompleted(), values["target-version"]);
  } finally {
    await server?.close();
  }
}

/** A signal is a normal end. A run of one cycle succeeds if the cycle completed and its document was written. */
function getRunnerExitCode(end: LoopResult, isCompleted: boolean, targetVersion: string | undefined): 0 | 1 | 2 {
  if (end === "stopped") return 0;
  if (targetVersion !== undefined && parseTargetVersion(targetVersion) === undefined) return 2;
  return end === "published" && isCompleted ? 0 : 1;
}

function requireFormat({ format }: RunValues, program: string): void {
  if (format === undefined)
    throw new UsageError(
      `name a command, or use --format=preflight-v1-json to start the runner; see '${program} --help'`,
    );
  if (!FORMATS.includes(format)) throw new UsageError(`--format "${format}" is not known: use ${FORMATS.join(", ")}`);
}

type Cycle = (signal: AbortSignal) => Promise<CycleResult>;

type CycleReportInput = {
  readonly metrics: RunnerMetrics;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
};

/** Counts and logs each cycle that was not abandoned; one that an update prevents, only once. */
export function reportCycles(cycle: Cycle, input: CycleReportInput): Cycle {
  const warnOnce = createChangeLogger(input.log.warn);
  return async (signal) => {
    const start = input.clock();
    const result = await cycle(signal);
    if (signal.aborted) return result;
    const seconds = (input.clock() - start) / 1_000;
    input.metrics.onCycle(result, seconds);
    const isEnded = result.kind === "failed" && isEndedByUpdate(result.failure);
    warnOnce(isEnded ? result.failure.message : "");
    if (!isEnded) logCycle(result, seconds, input.log);
    return result;
  };
}

function logCycle(result: CycleResult, seconds: number, log: Logger): void {
  if (result.kind === "failed") {
    log.error("cycle failed", { reason: result.failure.reason, why: result.failure.message, seconds });
    return;
  }
  const { source, target, risks, coverage, checks } = result.report;
  const names = (unknown: boolean) => risks.filter((risk) => risk.unknown === unknown).map((risk) => risk.name);
  const fields = {
    source: source.text,
    target: target.text,
    risks: names(false),
    unknown: names(true),
    checks: checks.length,
  };
  log.info("cycle completed", { ...fields, ...coverage, seconds });
}

/** Where the document is written. */
export type Output = { readonly kind: "file"; readonly path: string } | { readonly kind: "stdout" };

async function selectOutput(given: string | undefined, interval: number): Promise<Output> {
  if (given !== undefined) return { kind: "file", path: given };
  if (await isFolder(SHARED_FOLDER)) return { kind: "file", path: DEFAULT_DOCUMENT };
  if (interval === 0) return { kind: "stdout" };
  throw new UsageError(
    `${SHARED_FOLDER} does not exist, so the document needs another place: use --document FILE, or --interval 0 to print it once`,
  );
}

async function isFolder(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isDirectory() ?? false;
}

export type LoopInput = {
  readonly cycle: (signal: AbortSignal) => Promise<CycleResult>;
  /** Publishes a result; false if it could not be published and has to be retried. */
  readonly publish: (result: CycleResult) => Promise<boolean>;
  /** Milliseconds between the starts of cycles; 0 runs one cycle. */
  readonly interval: number;
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly sleep: Sleep;
  readonly clock: () => number;
  readonly signal: AbortSignal;
};

/** 10% of the interval either way, so that the runners of many clusters do not read at the same moment. */
const JITTER = 0.1;
const RETRY_DELAYS = [1_000, 5_000, 15_000];

type LoopResult = "stopped" | "published" | "unpublished";

/** Runs cycles until the signal is aborted. A cycle that is then running is abandoned: the last published result stays. */
export async function loop(input: LoopInput): Promise<LoopResult> {
  for (;;) {
    const startedAt = input.clock();
    const result = await input.cycle(input.signal);
    if (input.signal.aborted) return "stopped";
    const isPublished = await publishWithRetries(result, input);
    if (input.signal.aborted) return "stopped";
    if (input.interval === 0) return isPublished ? "published" : "unpublished";
    await input.sleep(computeWait(startedAt, input), input.signal);
    if (input.signal.aborted) return "stopped";
  }
}

async function publishWithRetries(result: CycleResult, { publish, sleep, signal }: LoopInput): Promise<boolean> {
  for (const wait of RETRY_DELAYS) {
    if (await publish(result)) return true;
    await sleep(wait, signal);
    if (signal.aborted) return false;
  }
  return publish(result);
}

function computeWait(startedAt: number, { interval, random, clock }: LoopInput): number {
  const period = interval * (1 - JITTER + 2 * JITTER * random());
  return Math.max(0, period - (clock() - startedAt));
}
