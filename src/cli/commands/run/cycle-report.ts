import type { Logger } from "../../../model/logger.ts";
import type { CycleResult } from "../../../model/report.ts";
import type { RunnerMetrics } from "./runner-metrics.ts";

type Cycle = (signal: AbortSignal) => Promise<CycleResult>;

export type CycleReportInput = {
  readonly metrics: RunnerMetrics;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
};

/** Counts and logs each cycle that was not abandoned. */
export function reportCycles(cycle: Cycle, input: CycleReportInput): Cycle {
  return async (signal) => {
    const start = input.clock();
    const result = await cycle(signal);
    if (!signal.aborted) reportCycle(result, (input.clock() - start) / 1_000, input);
    return result;
  };
}

function reportCycle(result: CycleResult, seconds: number, { metrics, log }: CycleReportInput): void {
  metrics.onCycle(result, seconds);
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
