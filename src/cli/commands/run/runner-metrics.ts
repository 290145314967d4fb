import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { CycleResult, OutcomeKind, Report } from "../../../model/report.ts";
import { isComplete } from "../../../model/unseen.ts";
import type { ReadStats } from "../../../runner/gather.ts";

const OUTCOMES: readonly OutcomeKind[] = ["clear", "risk", "unknown", "notApplicable"];
const CYCLE_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export type RunnerMetrics = {
  readonly onRead: (end: ReadStats) => void;
  readonly onCycle: (result: CycleResult, seconds: number) => void;
  readonly onPublish: (isWritten: boolean, observedAt: Date | undefined) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
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
  const registry = new Registry();
  const m = createInstruments(registry, clock);
  const message = showsMessages ? createMessageGauge([registry]) : undefined;
  m.interval.set(interval / 1_000);
  const onReport = (report: Report): void => {
    const versions = { source: report.source.text, target: report.target.text };
    m.risk.reset();
    message?.reset();
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
  return {
    onRead: (end) => {
      m.reads.inc({ outcome: end.outcome });
      m.objects.inc(end.objects);
      m.bytes.inc(end.bytes);
    },
    onCycle: (result, seconds) => {
      m.cycles.inc({ result: result.kind });
      m.duration.observe(seconds);
      m.failed.reset();
      if (result.kind === "failed") m.failed.set({ reason: result.failure.reason }, 1);
      if (result.kind === "completed") onReport(result.report);
    },
    onPublish: (isWritten, observedAt) => {
      m.writes.inc({ result: isWritten ? "written" : "failed" });
      m.written.set(isWritten ? 1 : 0);
      if (isWritten && observedAt) m.observed(observedAt.getTime());
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function createInstruments(registry: Registry, clock: () => number) {
  const registers = [registry];
  return {
    ...createCycleInstruments(registers),
    ...createReadInstruments(registers),
    observed: createDocumentAgeGauge(registers, clock),
  };
}

/** Returns the setter for the time at which the document's reads began, in milliseconds since the epoch. */
function createDocumentAgeGauge(registers: Registry[], clock: () => number): (time: number) => void {
  let observed: number | undefined;
  new Gauge({
    name: "preflight_document_age_seconds",
    help: "Time since the reads of the document's risks began; absent before the first completed cycle",
    registers,
    collect() {
      if (observed === undefined) this.remove();
      else this.set((clock() - observed) / 1_000);
    },
  });
  return (time) => void (observed = time);
}

/** Apart from preflight_risk, so that a text that changes does not end an alert and begin another. */
function createMessageGauge(registers: Registry[]) {
  return new Gauge({
    name: "preflight_risk_message",
    help: "1 for the message of each risk of the last completed cycle, which names objects",
    labelNames: ["name", "check", "source", "target", "message"],
    registers,
  });
}

function createCycleInstruments(registers: Registry[]) {
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames: ["result"], registers });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    cycles: counter("preflight_cycles_total", "Cycles that ended, by result"),
    writes: counter("preflight_document_writes_total", "Attempts to write the document, by result"),
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
    risk: gauge("preflight_risk", "1 for each risk of the last completed cycle", "name", "check", "source", "target"),
    failed: gauge("preflight_cycle_failed", "1 for the reason why the last cycle failed", "reason"),
    written: gauge("preflight_document_written", "1 if the last attempt to write the document succeeded"),
    interval: gauge("preflight_interval_seconds", "Configured interval between cycles"),
    complete: gauge("preflight_complete", "1 if every check reached a verdict in the last completed cycle"),
  };
}

function createReadInstruments(registers: Registry[]) {
  const labelNames = ["outcome"];
  return {
    reads: new Counter({
      name: "preflight_reads_total",
      help: "Reads of objects and lists, by outcome",
      labelNames,
      registers,
    }),
    objects: new Counter({ name: "preflight_objects_read_total", help: "Objects read", registers }),
    bytes: new Counter({ name: "preflight_bytes_read_total", help: "Bytes of responses read", registers }),
  };
}
