import type { ApiClient } from "../../cluster/writer/api-client.ts";
import type { LoopMonitor } from "../../controller/work-loop.ts";
import type { Logger } from "../../model/logger.ts";
import type { Io } from "../io/io.ts";
import { type ListenValues, type MetricsSource, createJsonLogger, startMonitoring } from "../io/monitoring-server.ts";
import type { ConnectionValues } from "../settings/shared-settings.ts";
import { openApi } from "./api-client.ts";
import { readClientAuthorities } from "./cluster-network.ts";

type Service = {
  readonly metrics: MetricsSource;
  readonly monitor: LoopMonitor;
  /** Why it is not ready before its loop has made a first turn. */
  readonly beforeFirstTurn: string;
};

type ServiceTools = { readonly api: ApiClient; readonly server: string; readonly log: Logger };

/** Runs a controller with its log, its connection, and what its settings ask for of probes and metrics, until its work ends. */
export async function runService(
  values: ConnectionValues & ListenValues,
  io: Io,
  { metrics, monitor, beforeFirstTurn }: Service,
  work: (tools: ServiceTools) => Promise<void>,
): Promise<0> {
  const log = createJsonLogger(io.err, io.now);
  const session = await openApi(values, { ...io, warn: log.warn });
  const server = await startMonitoring(values, {
    metrics,
    readiness: () => (monitor.hasProgressed() ? monitor.findStuck() : beforeFirstTurn),
    liveness: monitor.findStuck,
    readClientAuthorities: () => readClientAuthorities(session.api, io.stopSignal),
    log,
  });
  try {
    await work({ api: session.api, server: session.server, log });
  } finally {
    await server?.close();
    session.close();
  }
  log.info("stopped");
  return 0;
}
