import { createMetrics, type Metrics } from "../../io/metrics.ts";

type StatusControllerMetrics = Pick<Metrics, "text" | "contentType"> & {
  readonly onWrite: (isWritten: boolean) => void;
};

/** The update status controller's Prometheus metrics. */
export function createStatusControllerMetrics(now: () => Date): StatusControllerMetrics {
  const { counter, gauge, text, contentType } = createMetrics();
  const writes = counter("update_status_controller_writes_total", "Writes of the status insight, by result.", "result");
  const failing = gauge("update_status_controller_failing", "1 if the last write of the status insight failed.");
  const written = gauge("update_status_controller_written_timestamp_seconds", "When the insight was last written.");
  return {
    onWrite: (isWritten) => {
      writes.inc({ result: isWritten ? "written" : "failed" });
      failing.set(isWritten ? 0 : 1);
      if (isWritten) written.set(now().getTime() / 1_000);
    },
    text,
    contentType,
  };
}
