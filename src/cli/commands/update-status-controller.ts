import { systemClock } from "../../cluster/access/retry.ts";
import { performance } from "node:perf_hooks";
import { createApiClient } from "../../controller/api/api-client.ts";
import { createLoopMonitor } from "../../controller/loop-monitor.ts";
import { runStatusController } from "../../controller/status-controller.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { connectCluster } from "../client/connection.ts";
import type { Io } from "../io.ts";
import { createJsonLogger } from "../logger.ts";
import { createProcessMetrics } from "../monitoring/controller-metrics.ts";
import { startMonitoringServer } from "../monitoring/server.ts";
import { USER_AGENT } from "../version.ts";

export async function updateStatusController(args: Arguments, io: Io): Promise<number> {
  const log = createJsonLogger(io.err, io.now);
  const connection = await connectCluster(args, io);
  const api = createApiClient(connection, USER_AGENT);
  log.info("the update status controller follows ClusterVersion", { server: connection.server });
  const monitor = createLoopMonitor(() => performance.now());
  const readiness = (): string | undefined =>
    monitor.hasProgressed() ? monitor.findStuck() : "ClusterVersion has not been read yet";
  const listen = args.text("listen");
  const server =
    listen === undefined
      ? undefined
      : await startMonitoringServer(listen, createProcessMetrics(), readiness, monitor.findStuck);
  try {
    await runStatusController({ api, sleep: systemClock.sleep, log, monitor }, io.stopSignal);
  } finally {
    await server?.close();
    connection.close();
  }
  log.info("stopped");
  return 0;
}
