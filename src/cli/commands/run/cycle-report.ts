import { createChangeLogger, type Logger } from "../../../model/logger.ts";
import { type CycleResult, isEndedByUpdate } from "../../../model/report.ts";
import type { RunnerMetrics } from "./runner-metrics.ts";

type Cycle = (signal: AbortSignal) => Promise<CycleResult>;

export type CycleReportInput = {
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
