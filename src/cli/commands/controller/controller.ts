import { parseTrustedNamespaces } from "../../checks/trusted-namespaces.ts";
import { systemClock } from "../../../network/retry.ts";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";
import { type ControllerOptions, type ReconcileFailure, runController } from "../../../controller/controller.ts";
import { createLoopMonitor } from "../../../controller/work-loop.ts";
import { UsageError, errorCode, formatError } from "../../../model/errors.ts";
import type { ControllerValues } from "./definition.ts";
import { runService } from "../../client/service.ts";
import { parseDuration } from "../../settings/values.ts";
import type { Io } from "../../io/io.ts";
import { type Metrics, parseAddress, createMetrics } from "../../io/monitoring-server.ts";
import process from "node:process";
import type { VerifySignature } from "../../../controller/signature.ts";
import type { ImageVerification } from "../../../model/release.ts";
import { type ClusterSession, withSession } from "../../client/connection.ts";
import { USER_AGENT } from "../../io/program.ts";
import type { ConnectionValues } from "../../settings/shared-settings.ts";
import { foundChecksSettings } from "../../settings/judging-settings.ts";
import { parseCustomStores, verifyImage } from "../../target-release/image-signature.ts";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { parseDocument } from "../../../format/document/document-parser.ts";
import type { DocumentState } from "../../../lift/progress/runner-state.ts";
import { TOO_LARGE } from "../../../files/named-file.ts";
import { readPublishedDocument } from "../../../publish/published-document.ts";
import type { Action } from "../../../controller/action.ts";
import { hasFailureDeadline } from "../../../controller/failure-deadline.ts";
import type { Observation } from "../../../controller/observation.ts";
import { selectPreflightConditions } from "../../../lift/progress/preflight-conditions.ts";
import { getRetainedResult } from "../../../lift/preflight-result.ts";
import { textAt } from "../../../model/json.ts";
import { parseTimestamp } from "../../../model/time.ts";

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
    servesAnnotation: values["use-annotation"],
    promql: values["runner-promql"],
    checksFrom: parseChecksFrom(values["runner-checks-from"]),
    cpuRequest: values["cpu-request"],
    memoryRequest: values["memory-request"],
    memoryLimit: values["memory-limit"],
  };
}

/** The runner's own default is left out, so that its Deployment stays as it is. */
function parseChecksFrom(sources: readonly string[]): readonly string[] | undefined {
  parseTrustedNamespaces(sources);
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

/** Reads the document at the path. The controller never writes it. */
export async function readDocumentState(path: string): Promise<DocumentState> {
  try {
    const text = await readPublishedDocument(path);
    if (text === undefined) return await explainMissingDocument(path);
    const read = await parseDocument(text);
    if (read.kind === "valid") return { kind: "read", document: read.document };
    return { kind: "invalid", problems: read.problems };
  } catch (thrown) {
    // The volume is fine, and no runner wrote this.
    if (thrown instanceof Error && errorCode(thrown.cause) === TOO_LARGE)
      return { kind: "invalid", problems: [formatError(thrown)] };
    return { kind: "unreadable", message: formatError(thrown) };
  }
}

/** The runner creates its folder, but not the volume that holds it. */
async function explainMissingDocument(path: string): Promise<DocumentState> {
  const folder = dirname(path);
  const volume = basename(folder).startsWith(".") ? dirname(folder) : folder;
  const entry = await stat(volume).catch(() => undefined);
  if (entry?.isDirectory()) return { kind: "missing" };
  return { kind: "unreadable", message: `the folder ${volume} does not exist` };
}

type ControllerMetrics = Pick<Metrics, "text" | "contentType"> & {
  readonly onReconcile: (state: Observation, actions: readonly Action[]) => void;
  readonly onReconciled: (failed: readonly ReconcileFailure[]) => void;
  readonly onWatchFailure: () => void;
  readonly onLeading: (isLeading: boolean) => void;
};

/** The controller's Prometheus metrics: ClusterVersion and the result as last reconciled, and the number of writes. */
export function createControllerMetrics(now: () => Date): ControllerMetrics {
  const metrics = createMetrics();
  const m = createInstruments(metrics);
  return {
    onReconcile: (state, actions) => {
      m.looks.inc();
      for (const { kind } of actions) m.writes.inc({ kind });
      m.condition.reset();
      for (const condition of selectPreflightConditions(state.clusterVersion)) {
        const type = textAt(condition, "type") ?? "";
        const reason = textAt(condition, "reason") ?? "";
        m.condition.set({ type, reason }, textAt(condition, "status") === "True" ? 1 : 0);
      }
      m.gaveUp.set(hasFailureDeadline(state.result) ? 1 : 0);
      const retained = getRetainedResult(state.result);
      m.risks.reset();
      m.observed.reset();
      if (!retained) return;
      const versions = { source: retained.source, target: retained.target };
      m.risks.set(versions, retained.risks.length);
      const observed = parseTimestamp(retained.observedAt);
      if (observed !== undefined) m.observed.set(versions, observed / 1_000);
    },
    onReconciled: (failed) => {
      for (const kind of failed) m.failures.inc({ kind });
      m.failing.set(failed.length > 0 ? 1 : 0);
      m.reconciled.set(now().getTime() / 1_000);
    },
    onWatchFailure: () => m.failures.inc({ kind: "watch" }),
    onLeading: (isLeading) => {
      m.leading.set(isLeading ? 1 : 0);
      // From then on the new leader reports these.
      if (!isLeading) for (const gauge of [m.condition, m.risks, m.observed, m.gaveUp, m.failing]) gauge.reset();
    },
    text: metrics.text,
    contentType: metrics.contentType,
  };
}

function createInstruments({ counter, gauge }: Metrics) {
  return {
    leading: gauge("preflight_controller_leading", "1 if this controller is the leader."),
    looks: counter("preflight_controller_looks_total", "Reconciliations of the cluster's state."),
    writes: counter("preflight_controller_writes_total", "Planned writes, by kind.", "kind"),
    failures: counter(
      "preflight_controller_failures_total",
      "Watches (watch), other reads (observe) and writes that failed, by kind.",
      "kind",
    ),
    failing: gauge("preflight_controller_failing", "1 if the last reconciliation could not read or write something."),
    reconciled: gauge("preflight_controller_reconciled_timestamp_seconds", "When the last reconciliation ended."),
    gaveUp: gauge(
      "preflight_controller_gave_up",
      "1 if the controller removed a runner that failed for too long, until the next request or its end.",
    ),
    condition: gauge(
      "preflight_controller_condition",
      "1 if the condition of ClusterVersion is True, 0 if it is False.",
      "type",
      "reason",
    ),
    risks: gauge("preflight_controller_risks", "Number of risks in the current result.", "source", "target"),
    observed: gauge(
      "preflight_controller_result_observed_timestamp_seconds",
      "When the cycle of the current result began to read the cluster.",
      "source",
      "target",
    ),
  };
}
