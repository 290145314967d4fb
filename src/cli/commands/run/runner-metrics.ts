import { Gauge, Histogram } from "prom-client";
import { type CycleResult, isEndedByUpdate, type OutcomeKind, type Report } from "../../../model/report.ts";
import { isComplete } from "../../../model/unseen.ts";
import type { ReadStats } from "../../../runner/gather/gather.ts";
import { createMetrics, type Metrics } from "../../io/monitoring-server.ts";

const OUTCOMES: readonly OutcomeKind[] = ["clear", "risk", "unknown", "notApplicable"];
const RISK_LABELS = ["name", "check", "source", "target"] as const;
const CYCLE_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export type RunnerMetrics = Pick<Metrics, "text" | "contentType"> & {
  readonly onRead: (end: ReadStats) => void;
  readonly onCycle: (result: CycleResult, seconds: number) => void;
  readonly onPublish: (isWritten: boolean, observedAt: Date | undefined) => void;
};

export type RunnerMetricsOptions = {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Milliseconds. */
  readonly interval: number;
  /** Whether the risks' messages, which name objects, are shown to everyone who can read the metrics. */
  readonly showsMessages: boolean;
};

/** The runner's Prometheus metrics. */
export function createRunnerMetrics({ clock, interval, showsMessages }: RunnerMetricsOptions): RunnerMetrics {
  const metrics = createMetrics();
  const m = createInstruments(metrics, clock);
  // Apart from preflight_risk, so that a text that changes does not end an alert and begin another.
  const help = "1 for the message of each risk of the last completed cycle, which names objects";
  const message = showsMessages ? metrics.gauge("preflight_risk_message", help, ...RISK_LABELS, "message") : undefined;
  m.interval.set(interval / 1_000);
  const onReport = (report: Report): void => {
    const versions = { source: report.source.text, target: report.target.text };
    // What a target or an operator brought may be gone.
    for (const one of [m.risk, m.outcome, ...(message ? [message] : [])]) one.reset();
    for (const { name, check = "", message: text } of report.risks) {
      m.risk.set({ name, check, ...versions }, 1);
      message?.set({ name, check, ...versions, message: text }, 1);
    }
    for (const check of report.checks) {
      for (const outcome of OUTCOMES)
        m.outcome.set({ check: check.id, outcome }, check.outcome.kind === outcome ? 1 : 0);
    }
    m.complete.set(isComplete(report) ? 1 : 0);
  };
  const withdraw = (reason: string): void => {
    m.ended.set({ reason }, 1);
    for (const one of [m.risk, m.outcome, ...(message ? [message] : [])]) one.reset();
    m.complete.remove();
    m.observed(undefined);
  };
  return {
    onRead: (end) => {
      m.reads.inc({ outcome: end.outcome });
      m.objects.inc(end.objects);
      m.bytes.inc(end.bytes);
    },
    onCycle: (result, seconds) => {
      for (const one of [m.failed, m.ended]) one.reset();
      if (result.kind === "failed" && isEndedByUpdate(result.failure)) return withdraw(result.failure.reason);
      m.cycles.inc({ result: result.kind });
      m.duration.observe(seconds);
      if (result.kind === "failed") m.failed.set({ reason: result.failure.reason }, 1);
      if (result.kind === "completed") onReport(result.report);
    },
    onPublish: (isWritten, observedAt) => {
      m.writes.inc({ result: isWritten ? "written" : "failed" });
      m.written.set(isWritten ? 1 : 0);
      if (isWritten && observedAt) m.observed(observedAt.getTime());
    },
    text: metrics.text,
    contentType: metrics.contentType,
  };
}

function createInstruments({ counter, gauge, registers }: Metrics, clock: () => number) {
  return {
    cycles: counter("preflight_cycles_total", "Cycles that ended, by result", "result"),
    writes: counter("preflight_document_writes_total", "Attempts to write the document, by result", "result"),
    duration: new Histogram({
      name: "preflight_cycle_duration_seconds",
      help: "Duration of cycles",
      buckets: CYCLE_BUCKETS,
      registers,
    }),
    outcome: gauge(
      "preflight_check_outcome",
      "1 for the outcome of each check in the last completed cycle",
      "check",
      "outcome",
    ),
    // At most one series for each risk name, since a run has one source and one target.
    risk: gauge("preflight_risk", "1 for each risk of the last completed cycle", ...RISK_LABELS),
    failed: gauge("preflight_cycle_failed", "1 for the reason why the last cycle failed", "reason"),
    ended: gauge("preflight_ended", "1 for the reason why an update leaves nothing to check", "reason"),
    written: gauge("preflight_document_written", "1 if the last attempt to write the document succeeded"),
    interval: gauge("preflight_interval_seconds", "Configured interval between cycles"),
    complete: gauge("preflight_complete", "1 if every check reached a verdict in the last completed cycle"),
    reads: counter("preflight_reads_total", "Reads of objects and lists, by outcome", "outcome"),
    objects: counter("preflight_objects_read_total", "Objects read"),
    bytes: counter("preflight_bytes_read_total", "Bytes of responses read"),
    observed: createDocumentAgeGauge(registers, clock),
  };
}

/** Returns the setter for the time at which the document's reads began, in milliseconds since the epoch. */
function createDocumentAgeGauge(
  registers: Metrics["registers"],
  clock: () => number,
): (time: number | undefined) => void {
  let observed: number | undefined;
  new Gauge({
    name: "preflight_document_age_seconds",
    help: "Time since the reads of the document's risks began; absent if no completed cycle holds",
    registers,
    collect() {
      if (observed === undefined) this.remove();
      else this.set((clock() - observed) / 1_000);
    },
  });
  return (time) => void (observed = time);
}
