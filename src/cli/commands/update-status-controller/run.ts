import { systemClock } from "../../../network/retry.ts";
import { performance } from "node:perf_hooks";
import { createLoopMonitor } from "../../../controller/loop-monitor.ts";
import { runStatusController } from "../../../controller/status-controller.ts";
import type { StatusControllerValues } from "./definition.ts";
import { openApi } from "../../client/api-client.ts";
import type { Io } from "../../io/io.ts";
import { createJsonLogger } from "../../io/logger.ts";
import { createMetrics } from "../../io/metrics.ts";
import { startMonitoringServer } from "../../io/monitoring-server.ts";

export async function run(values: StatusControllerValues, io: Io): Promise<0> {
  const log = createJsonLogger(io.err, io.now);
  const session = await openApi(values, io, log.warn);
  log.info("the update status controller follows ClusterVersion", { server: session.server });
  const monitor = createLoopMonitor(() => performance.now());
  const readiness = (): string | undefined =>
    monitor.hasProgressed() ? monitor.findStuck() : "ClusterVersion has not been read yet";
  const { listen } = values;
  const server =
    listen === undefined
      ? undefined
      : await startMonitoringServer(listen, createMetrics(), readiness, monitor.findStuck);
  try {
    await runStatusController({ api: session.api, sleep: systemClock.sleep, log, monitor }, io.stopSignal);
  } finally {
    await server?.close();
    session.close();
  }
  log.info("stopped");
  return 0;
}
