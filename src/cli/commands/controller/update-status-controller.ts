import { systemClock } from "../../../network/retry.ts";
import { performance } from "node:perf_hooks";
import { createLoopMonitor } from "../../../controller/work-loop.ts";
import { runStatusController } from "../../../controller/status-controller.ts";
import type { StatusControllerValues } from "./definition.ts";
import { runService } from "../../client/service.ts";
import type { Io } from "../../io/io.ts";
import { createMetrics, type Metrics } from "../../io/monitoring-server.ts";

export async function run(values: StatusControllerValues, io: Io): Promise<0> {
  const metrics = createStatusControllerMetrics(io.now);
  const monitor = createLoopMonitor(() => performance.now());
  const service = { metrics, monitor, beforeFirstTurn: "ClusterVersion has not been read yet" };
  return runService(values, io, service, async ({ api, server, log }) => {
    log.info("the update status controller follows ClusterVersion", { server });
    const clock = (): number => performance.now();
    const tools = { api, sleep: systemClock.sleep, now: io.now, clock, log, monitor, onWrite: metrics.onWrite };
    await runStatusController(tools, io.stopSignal);
  });
}

type StatusControllerMetrics = Pick<Metrics, "text" | "contentType"> & {
  readonly onWrite: (isWritten: boolean) => void;
};

/** The update status controller's Prometheus metrics. */
function createStatusControllerMetrics(now: () => Date): StatusControllerMetrics {
  const { counter, gauge, text, contentType } = createMetrics();
  const writes = counter("update_status_controller_writes_total", "Writes of status insights, by result.", "result");
  const failing = gauge("update_status_controller_failing", "1 if the last write of status insights failed.");
  const written = gauge("update_status_controller_written_timestamp_seconds", "When insights were last written.");
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
