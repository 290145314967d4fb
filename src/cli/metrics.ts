import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { CycleResult, OutcomeKind, Report } from "../model/report.ts";
import { isComplete } from "../model/report.ts";
import type { ReadEnd } from "../runner/gather.ts";

const OUTCOMES: readonly OutcomeKind[] = ["clear", "risk", "unknown", "notApplicable"];
const CYCLE_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export type Metrics = {
  readonly onRead: (end: ReadEnd) => void;
  readonly onCycle: (result: CycleResult, seconds: number) => void;
  readonly onPublish: (written: boolean, observedAt: Date | undefined) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/** The runner's Prometheus metrics. `clock` gives milliseconds since the epoch. */
export function makeMetrics(clock: () => number): Metrics {
  const registry = new Registry();
  const m = instruments(registry, clock);
  const onReport = (report: Report): void => {
    m.risk.reset();
    for (const risk of report.risks) m.risk.set({ name: risk.name, check: risk.check }, 1);
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
      if (result.kind === "completed") onReport(result.report);
    },
    onPublish: (written, observedAt) => {
      m.writes.inc({ result: written ? "written" : "failed" });
      if (written && observedAt) m.observed(observedAt.getTime());
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function instruments(registry: Registry, clock: () => number) {
  const registers = [registry];
  let observed: number | undefined;
  new Gauge({
    name: "preflight_document_age_seconds",
    help: "Time since the reads behind the risks of the document began; absent before the first completed cycle",
    registers,
    collect() {
      if (observed === undefined) this.reset();
      else this.set((clock() - observed) / 1_000);
    },
  });
  return {
    observed: (time: number) => void (observed = time),
    cycles: new Counter({
      name: "preflight_cycles_total",
      help: "Cycles that ended, by result",
      labelNames: ["result"],
      registers,
    }),
    duration: new Histogram({
      name: "preflight_cycle_duration_seconds",
      help: "How long cycles took",
      buckets: CYCLE_SECONDS,
      registers,
    }),
    outcome: new Gauge({
      name: "preflight_check_outcome",
      help: "1 for the outcome of each check in the last completed cycle",
      labelNames: ["check", "outcome"],
      registers,
    }),
    risk: new Gauge({
      name: "preflight_risk",
      help: "1 for each risk of the last completed cycle",
      labelNames: ["name", "check"],
      registers,
    }),
    complete: new Gauge({
      name: "preflight_complete",
      help: "1 if every check reached a verdict in the last completed cycle",
      registers,
    }),
    writes: new Counter({
      name: "preflight_document_writes_total",
      help: "Attempts to write the document, by result",
      labelNames: ["result"],
      registers,
    }),
    reads: new Counter({
      name: "preflight_reads_total",
      help: "Reads of objects and kinds, by outcome",
      labelNames: ["outcome"],
      registers,
    }),
    objects: new Counter({ name: "preflight_objects_read_total", help: "Objects read", registers }),
    bytes: new Counter({ name: "preflight_bytes_read_total", help: "Bytes of answers read", registers }),
  };
}
