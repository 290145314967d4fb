import { systemClock } from "../../../network/retry.ts";
import { performance } from "node:perf_hooks";
import { createLoopMonitor } from "../../../controller/loop-monitor.ts";
import { runStatusController } from "../../../controller/status-controller.ts";
import type { StatusControllerValues } from "./definition.ts";
import { createStatusControllerMetrics } from "./status-controller-metrics.ts";
import { openApi } from "../../client/api-client.ts";
import { readClientAuthorities } from "../../client/client-authorities.ts";
import type { Io } from "../../io/io.ts";
import { createJsonLogger } from "../../io/logger.ts";
import { startMonitoring } from "../../io/monitoring.ts";

export async function run(values: StatusControllerValues, io: Io): Promise<0> {
  const log = createJsonLogger(io.err, io.now);
  const session = await openApi(values, io, log.warn);
  log.info("the update status controller follows ClusterVersion", { server: session.server });
  const monitor = createLoopMonitor(() => performance.now());
  const readiness = (): string | undefined =>
    monitor.hasProgressed() ? monitor.findStuck() : "ClusterVersion has not been read yet";
  const metrics = createStatusControllerMetrics(io.now);
  const server = await startMonitoring(values, {
    metrics,
    readiness,
    liveness: monitor.findStuck,
    readClientAuthorities: () => readClientAuthorities(session.api, io.stopSignal),
    log,
  });
  try {
    const tools = { api: session.api, sleep: systemClock.sleep, log, monitor, onWrite: metrics.onWrite };
    await runStatusController(tools, io.stopSignal);
  } finally {
    await server?.close();
    session.close();
  }
  log.info("stopped");
  return 0;
}
