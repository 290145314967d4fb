import { systemClock } from "../../cluster/access/retry.ts";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";
import { createApiClient } from "../../controller/api/api-client.ts";
import { type ControllerOptions, runController } from "../../controller/controller.ts";
import { createLoopMonitor } from "../../controller/loop-monitor.ts";
import { UsageError } from "../../model/errors.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { connectCluster } from "../client/connection.ts";
import { createControllerMetrics } from "../monitoring/controller-metrics.ts";
import { readDocumentState } from "../document-state.ts";
import { parseDuration } from "../command-line/duration.ts";
import type { Io } from "../io.ts";
import { createJsonLogger } from "../logger.ts";
import { parseAddress, startMonitoringServer } from "../monitoring/server.ts";
import { USER_AGENT } from "../version.ts";
import { defined } from "../../model/optional.ts";

/** Serves requests for a preflight until it is told to stop. */
export async function controller(args: Arguments, io: Io): Promise<number> {
  const options = parseControllerOptions(args, io);
  const path = requireText(args, "document");
  const log = createJsonLogger(io.err, io.now);
  const connection = await connectCluster(args, io);
  const metrics = createControllerMetrics();
  const listen = args.text("listen");
  const monitor = createLoopMonitor(() => performance.now(), options.leaseSeconds * 1_000);
  const readiness = (): string | undefined =>
    monitor.hasProgressed() ? monitor.findStuck() : "the API server has not been asked yet";
  const server =
    listen === undefined ? undefined : await startMonitoringServer(listen, metrics, readiness, monitor.findStuck);
  const tools = {
    api: createApiClient(connection, USER_AGENT),
    log,
    readDocument: async () => readDocumentState(path),
    sleep: systemClock.sleep,
    now: io.now,
    clock: () => performance.now(),
    onReconcile: metrics.onReconcile,
    onLeadershipChange: metrics.onLeading,
    monitor,
  };
  log.info("the preflight controller serves requests", { server: connection.server, document: path });
  try {
    await runController(tools, options, io.stopSignal);
  } finally {
    await server?.close();
    connection.close();
  }
  log.info("stopped");
  return 0;
}

const MIN_LEASE_SECONDS = 3;

function parseControllerOptions(args: Arguments, io: Io): ControllerOptions {
  const leaseSeconds = Math.round(parseDuration(args.text("lease-duration") ?? "0", "lease-duration") / 1_000);
  if (leaseSeconds < MIN_LEASE_SECONDS) throw new UsageError("--lease-duration must be 3s or longer");
  const pollMs = parseDuration(args.text("poll") ?? "0", "poll");
  if (pollMs === 0) throw new UsageError("--poll must be longer than 0");
  return {
    runner: parseRunnerSettings(args),
    writeStatus: args.flag("write-status"),
    useMode: args.flag("use-mode"),
    form: args.text("risk-text") === "proposal" ? "proposal" : "versions",
    patienceSeconds: parseDuration(args.text("patience") ?? "0", "patience") / 1_000,
    failureDeadlineSeconds: parseDuration(args.text("failed-timeout") ?? "0", "failed-timeout") / 1_000,
    identity: args.text("identity") ?? `${hostname()}_${io.random().toString(36).slice(2, 12)}`,
    leaseSeconds,
    pollMs,
  };
}

function parseRunnerSettings(args: Arguments): ControllerOptions["runner"] {
  const node = args.text("node-name");
  const interval = args.text("runner-interval") ?? "";
  if (parseDuration(interval, "runner-interval") === 0)
    throw new UsageError("--runner-interval must be longer than 0: the runner goes on for as long as it is asked for");
  return {
    image: requireText(args, "image"),
    serviceAccount: requireText(args, "service-account"),
    priorityClass: requireText(args, "priority-class"),
    hostPath: requireText(args, "host-path"),
    interval,
    ...defined({ node }),
    listen: parseRunnerListen(requireText(args, "runner-listen")),
    cpuRequest: requireText(args, "cpu-request"),
    memoryRequest: requireText(args, "memory-request"),
    memoryLimit: requireText(args, "memory-limit"),
  };
}

/** The probes need a port that is known. */
function parseRunnerListen(address: string): ControllerOptions["runner"]["listen"] {
  const { host, port } = parseAddress(address, "runner-listen");
  if (port === 0) throw new UsageError("--runner-listen must name a port other than 0");
  return { address, port, ...defined({ host }) };
}

function requireText(args: Arguments, flag: string): string {
  const value = args.text(flag);
  if (value === undefined) throw new UsageError(`--${flag} is needed; see 'preflight controller --help'`);
  return value;
}
