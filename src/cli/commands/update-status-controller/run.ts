import { systemClock } from "../../../network/retry.ts";
import { performance } from "node:perf_hooks";
import { createLoopMonitor } from "../../../controller/loop-monitor.ts";
import { runStatusController } from "../../../controller/status-controller.ts";
import type { StatusControllerValues } from "./definition.ts";
import { createStatusControllerMetrics } from "./status-controller-metrics.ts";
import { runService } from "../../client/service.ts";
import type { Io } from "../../io/io.ts";

export async function run(values: StatusControllerValues, io: Io): Promise<0> {
  const metrics = createStatusControllerMetrics(io.now);
  const monitor = createLoopMonitor(() => performance.now());
  const service = { metrics, monitor, beforeFirstTurn: "ClusterVersion has not been read yet" };
  return runService(values, io, service, async ({ api, server, log }) => {
    log.info("the update status controller follows ClusterVersion", { server });
    const tools = { api, sleep: systemClock.sleep, log, monitor, onWrite: metrics.onWrite };
    await runStatusController(tools, io.stopSignal);
  });
}
