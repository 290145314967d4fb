import { systemClock } from "../../../network/retry.ts";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";
import { type ControllerOptions, runController } from "../../../controller/controller.ts";
import { createLoopMonitor } from "../../../controller/loop-monitor.ts";
import { UsageError } from "../../../model/errors.ts";
import type { ControllerValues } from "./definition.ts";
import { runService } from "../../client/service.ts";
import { createControllerMetrics } from "./controller-metrics.ts";
import { readDocumentState } from "./document-state.ts";
import { parseDuration } from "../../settings/duration.ts";
import type { Io } from "../../io/io.ts";
import { parseAddress } from "../../io/monitoring-server.ts";
import process from "node:process";
import type { VerifySignature } from "../../../controller/signature-verifier.ts";
import type { ImageVerification } from "../../../model/release.ts";
import { type ClusterSession, withSession } from "../../client/connection.ts";
import { USER_AGENT } from "../../io/program.ts";
import { type ConnectionValues } from "../../settings/shared-settings.ts";
import { foundChecksSettings } from "../../settings/checks-settings.ts";
import { parseCustomStores } from "../../target-release/custom-signature-stores.ts";
import { verifyImage } from "../../target-release/image-signature.ts";

/** Serves requests for a preflight until the process is stopped. */
export async function run(values: ControllerValues, io: Io): Promise<0> {
  const options = parseControllerOptions(values, io);
  const { document: path } = values;
  const metrics = createControllerMetrics(io.now);
  const clock = (): number => performance.now();
  const monitor = createLoopMonitor(clock, options.leaseSeconds * 1_000);
  const service = { metrics, monitor, beforeFirstTurn: "the API server has not been asked yet" };
  return runService(values, io, service, async ({ api, server, log }) => {
    log.info("the preflight controller serves requests", { server, document: path });
    const tools = {
      api,
      log,
      readDocument: async () => readDocumentState(path),
      verifySignature: createImageVerification(values, io),
      sleep: systemClock.sleep,
      now: io.now,
      clock,
      onReconcile: metrics.onReconcile,
      onReconciled: metrics.onReconciled,
      onWatchFailure: metrics.onWatchFailure,
      onLeadershipChange: metrics.onLeading,
      monitor,
    };
    await runController(tools, options, io.stopSignal);
  });
}

const MIN_LEASE_SECONDS = 3;

function parseControllerOptions(values: ControllerValues, io: Io): ControllerOptions {
  const leaseSeconds = Math.round(values["lease-duration"] / 1_000);
  if (leaseSeconds < MIN_LEASE_SECONDS) throw new UsageError("--lease-duration must be 3s or longer");
  return {
    runner: parseRunnerSettings(values),
    writeStatus: values["write-status"],
    useMode: values["use-mode"],
    form: values["risk-text"],
    patienceSeconds: values.patience / 1_000,
    failureDeadlineSeconds: values["failed-timeout"] / 1_000,
    identity: values.identity ?? `${hostname()}_${io.random().toString(36).slice(2, 12)}`,
    leaseSeconds,
    pollMs: values.poll,
  };
}

function parseRunnerSettings(values: ControllerValues): ControllerOptions["runner"] {
  const interval = values["runner-interval"];
  if (parseDuration(interval, "runner-interval") === 0)
    throw new UsageError("--runner-interval must be longer than 0: the runner runs until the request ends");
  return {
    image: values.image,
    serviceAccount: values["service-account"],
    priorityClass: values["priority-class"],
    hostPath: values["host-path"],
    interval,
    node: values["node-name"],
    listen: parseRunnerListen(values["runner-listen"], values["runner-listen-cert"]),
    showsMessages: values["runner-risk-messages"],
    promql: values["runner-promql"],
    checksFrom: parseChecksFrom(values["runner-checks-from"]),
    cpuRequest: values["cpu-request"],
    memoryRequest: values["memory-request"],
    memoryLimit: values["memory-limit"],
  };
}

/** The runner's own default is left out, so that its Deployment stays as it is. */
function parseChecksFrom(sources: readonly string[]): readonly string[] | undefined {
  return sources.join() === foundChecksSettings["checks-from"].default ? undefined : sources;
}

/** The probes of the Deployment need a fixed port. */
function parseRunnerListen(address: string, certSecret: string | undefined): ControllerOptions["runner"]["listen"] {
  const { host, port } = parseAddress(address, "runner-listen");
  if (port === 0) throw new UsageError("--runner-listen must name a port other than 0");
  return { address, port, host, certSecret };
}

/** Verifies images as `check --to-image` does, with a connection of its own each time, so that no setting of the cluster is an old one. */
export function createImageVerification(values: ConnectionValues, io: Io): VerifySignature {
  return async (digest, clusterVersion, signal) => {
    const options = { env: io.env, now: io.now(), signal, userAgent: USER_AGENT, machine: process.arch };
    const stores = parseCustomStores(clusterVersion);
    const verify = (session: ClusterSession): Promise<ImageVerification> =>
      verifyImage(digest, { ...session, values: { "signature-store": undefined } }, options, stores);
    // The controller has already said what its connection lacks.
    return withSession(values, { ...io, warn: () => {} }, verify);
  };
}
