import { systemClock } from "../../cluster/retry.ts";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";
import { apiOf } from "../../controller/api.ts";
import { type ControllerOptions, runController } from "../../controller/controller.ts";
import { UsageError } from "../../model/errors.ts";
import type { Arguments } from "../arguments.ts";
import { connectionOf } from "../connection.ts";
import { controllerMetrics } from "../controller-metrics.ts";
import { documentState } from "../document-state.ts";
import { parseDuration } from "../duration.ts";
import type { Io } from "../io.ts";
import { jsonLog } from "../log.ts";
import { parseAddress, serve } from "../serve.ts";
import { USER_AGENT } from "../version.ts";

/** Serves requests for a preflight until it is told to stop. */
export async function controller(args: Arguments, io: Io): Promise<number> {
  const options = optionsOf(args, io);
  const path = required(args, "document");
  const say = jsonLog(io.err, io.now);
  const connection = await connectionOf(args, io);
  const metrics = controllerMetrics();
  const listen = args.text("listen");
  const serving = listen === undefined ? undefined : await serve(listen, metrics, () => undefined);
  const tools = {
    api: apiOf(connection, USER_AGENT),
    say,
    readDocument: async () => documentState(path),
    sleep: systemClock.sleep,
    now: io.now,
    clock: () => performance.now(),
    onLook: metrics.onLook,
    onLeading: metrics.onLeading,
  };
  say.info("the preflight controller serves requests", { server: connection.server, document: path });
  try {
    await runController(tools, options, io.stop);
  } finally {
    await serving?.close();
    connection.close();
  }
  say.info("stopped");
  return 0;
}

const LEAST_LEASE_SECONDS = 3;

function optionsOf(args: Arguments, io: Io): ControllerOptions {
  const leaseSeconds = Math.round(parseDuration(args.text("lease-duration") ?? "0", "lease-duration") / 1_000);
  if (leaseSeconds < LEAST_LEASE_SECONDS) throw new UsageError("--lease-duration must be 3s or longer");
  const pollMs = parseDuration(args.text("poll") ?? "0", "poll");
  if (pollMs === 0) throw new UsageError("--poll must be longer than 0");
  return {
    runner: runnerSettings(args),
    writeStatus: args.flag("write-status"),
    useMode: args.flag("use-mode"),
    form: args.text("risk-text") === "proposal" ? "proposal" : "versions",
    patienceSeconds: parseDuration(args.text("patience") ?? "0", "patience") / 1_000,
    failedTimeoutSeconds: parseDuration(args.text("failed-timeout") ?? "0", "failed-timeout") / 1_000,
    identity: args.text("identity") ?? `${hostname()}_${io.random().toString(36).slice(2, 12)}`,
    leaseSeconds,
    pollMs,
  };
}

function runnerSettings(args: Arguments): ControllerOptions["runner"] {
  const node = args.text("node-name");
  const interval = args.text("runner-interval") ?? "";
  if (parseDuration(interval, "runner-interval") === 0)
    throw new UsageError("--runner-interval must be longer than 0: the runner goes on for as long as it is asked for");
  return {
    image: required(args, "image"),
    serviceAccount: required(args, "service-account"),
    priorityClass: required(args, "priority-class"),
    hostPath: required(args, "host-path"),
    interval,
    ...(node === undefined ? {} : { node }),
    listen: listenOf(required(args, "runner-listen")),
    cpuRequest: required(args, "cpu-request"),
    memoryRequest: required(args, "memory-request"),
    memoryLimit: required(args, "memory-limit"),
  };
}

/** The probes need a port that is known. */
function listenOf(address: string): ControllerOptions["runner"]["listen"] {
  const { host, port } = parseAddress(address, "runner-listen");
  if (port === 0) throw new UsageError("--runner-listen must name a port other than 0");
  return { address, port, ...(host === undefined ? {} : { host }) };
}

function required(args: Arguments, flag: string): string {
  const value = args.text(flag);
  if (value === undefined) throw new UsageError(`--${flag} is needed; see 'preflight controller --help'`);
  return value;
}
