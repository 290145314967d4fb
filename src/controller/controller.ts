import { getGatedFields, NO_GATED_FIELDS } from "../lift/objects/gated-fields.ts";
import { hasOrigin, getClusterUpdates, risksOf } from "../lift/objects/cluster-version.ts";
import type { DocumentState } from "../lift/progress/runner-state.ts";
import type { Action } from "./action.ts";
import type { ApiClient } from "../cluster/writer/api-client.ts";
import { getDesiredPreflight } from "./desired-preflight.ts";
import type { SchemaAttempts } from "./dropped-conditions.ts";
import { DROPPED, followSchema, NO_ATTEMPTS, findDroppedConditions } from "./dropped-conditions.ts";
import { type ControllerSettings, plan } from "./plan.ts";
import { type CachedClient, type InformerFailure, createCachedClient } from "./api/cached-client.ts";
import { type LeaderElectionConfig, type LeaderWork, runLeaderElection } from "./leader-election.ts";
import { type LoopMonitor, createWorkQueue } from "./work-loop.ts";
import { type ObservationResult, type Observation, type WriteOutcomes, observe, readOperator } from "./observation.ts";
import { numberAt } from "../model/json.ts";
import { CLUSTER_VERSION_CRD_PATH, INFRASTRUCTURE, WATCHED } from "./api/api-paths.ts";
import { HOSTED_VERSION, hasHostedControlPlane } from "../model/infrastructure.ts";
import { type Logger, createChangeLogger } from "../model/logger.ts";
import type { SignatureVerifier, VerifySignature } from "./signature.ts";
import { findImageToVerify, createSignatureVerifier } from "./signature.ts";
import { toFailureText } from "./runner/pod-failures.ts";

/** "observe": the cluster's state could not be read, so nothing was written. */
export type ReconcileFailure = Action["kind"] | "observe";

type ControllerDependencies = Pick<LeaderElectionConfig, "api" | "log" | "now" | "clock" | "sleep"> & {
  readonly readDocument: () => Promise<DocumentState>;
  readonly verifySignature: VerifySignature;
  /** Called after each reconciliation is planned. */
  readonly onReconcile: (observation: Observation, actions: readonly Action[]) => void;
  /** Called at the end of each: what could not be read or written. */
  readonly onReconciled: (failed: readonly ReconcileFailure[]) => void;
  readonly onWatchFailure: () => void;
  readonly onLeadershipChange: (isLeading: boolean) => void;
  readonly monitor: LoopMonitor;
};

export type ControllerOptions = ControllerSettings & {
  readonly identity: string;
  readonly leaseSeconds: number;
  /** How often the document is read while a preflight is requested. */
  readonly pollMs: number;
};

const IMMEDIATE_RETRY_MS = 100;
const FAILURE_RETRY_MS = 5_000;
/** An image that could not be verified is verified again after so many polls. */
const POLLS_PER_VERIFICATION = 6;

/** Serves preflight requests until the signal aborts; of several controllers only the leader acts. */
export async function runController(
  dependencies: ControllerDependencies,
  options: ControllerOptions,
  stop: AbortSignal,
): Promise<void> {
  const { identity, leaseSeconds } = options;
  const work: LeaderWork = async (signal, isLeading) => {
    const api = guardWrites(dependencies.api, isLeading);
    dependencies.onLeadershipChange(true);
    await startReconciling({ ...dependencies, api }, options, signal).finally(() =>
      dependencies.onLeadershipChange(false),
    );
  };
  await runLeaderElection(
    { ...dependencies, identity, leaseSeconds, onAttempt: dependencies.monitor.beat },
    work,
    stop,
  );
}

type ReconcilerState = {
  readonly signatures: SignatureVerifier;
  readonly warnOnce: (message: string) => void;
  readonly warnOnceOfDropped: (message: string) => void;
  outcomes: WriteOutcomes;
  schema: SchemaAttempts;
  isHosted?: boolean;
};

type Reconciler = ControllerDependencies & { readonly client: CachedClient; readonly options: ControllerOptions };

async function startReconciling(
  dependencies: ControllerDependencies,
  options: ControllerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { log, monitor } = dependencies;
  const warnOnce = createChangeLogger(log.warn);
  const warnOnceOfDropped = createChangeLogger(log.warn);
  const onFailure = ({ message }: InformerFailure): void => {
    dependencies.onWatchFailure();
    log.warn("watch failed, retrying", { why: message });
  };
  const client = createCachedClient({ ...dependencies, watched: WATCHED, onFailure, maxAgeMs: options.pollMs });
  const reconciler = { ...dependencies, client, options };
  const retryMs = POLLS_PER_VERIFICATION * options.pollMs;
  const signatures = createSignatureVerifier({ ...dependencies, retryMs, onVerdict: () => enqueue() }, signal);
  const state: ReconcilerState = { signatures, warnOnce, warnOnceOfDropped, outcomes: {}, schema: NO_ATTEMPTS };
  const { enqueue, run } = createWorkQueue((stop) => monitor.track(() => reconcile(state, reconciler, stop)));
  await Promise.all([client.run(enqueue, signal), run(signal)]);
}

/** Observes, plans, applies. Returns the milliseconds until the next reconciliation if no event comes first. */
async function reconcile(
  state: ReconcilerState,
  reconciler: Reconciler,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { client, options, log, now, onReconcile, onReconciled } = reconciler;
  // Whatever is missing will be an event.
  if (!client.isCurrent()) return undefined;
  if (await isHostedCluster(state, client, signal)) {
    state.warnOnce(`nothing is written: ${HOSTED_VERSION}`);
    onReconciled([]);
    return undefined;
  }
  const observed = await observeCached(state, reconciler, signal);
  if (signal.aborted) return undefined;
  if (observed.kind !== "observed") {
    onReconciled(["observe"]);
    state.warnOnce(`cannot reconcile: ${observed.message}`);
    return FAILURE_RETRY_MS;
  }
  const signed = withSignature(observed.observation, state.signatures, options, now());
  const { observation, actions } = await planConfirmed(signed, reconciler, signal);
  state.warnOnce(describeStatusRefusal(observation, options));
  onReconcile(observation, actions);
  const result = await applyActions(actions, client, log, signal);
  if (!signal.aborted) onReconciled(result.failed);
  if (recordOutcomes(state, result) || result.kind === "retry") return IMMEDIATE_RETRY_MS;
  if (result.kind === "conflict") return FAILURE_RETRY_MS;
  if (result.kind === "refused") return Math.max(options.pollMs, FAILURE_RETRY_MS);
  const isIdle = getDesiredPreflight(observation, now()).kind === "none" && actions.length === 0;
  return isIdle && !awaitsOperator(observation, options) ? undefined : options.pollMs;
}

/** An operator removes our risks with its next sync. That it has ended instead is no event: then they are ours to remove. */
export function awaitsOperator(
  { clusterVersion }: Pick<Observation, "clusterVersion">,
  { writeStatus }: Pick<ControllerSettings, "writeStatus">,
): boolean {
  return writeStatus && getClusterUpdates(clusterVersion).conditional.flatMap(risksOf).some(hasOrigin);
}

/** Known for good once Infrastructure was read. Without the right to read it, other reads and writes decide. */
async function isHostedCluster(state: ReconcilerState, client: CachedClient, signal: AbortSignal): Promise<boolean> {
  if (state.isHosted !== undefined) return state.isHosted;
  const response = await client.read(INFRASTRUCTURE, signal);
  if (response.kind === "ok") state.isHosted = hasHostedControlPlane(response.object);
  return state.isHosted === true;
}

/** Only the operator writes ClusterVersion's whole status while it runs, and one that doesn't know the mode would start an update. */
const OPERATOR_DEPENDENT: readonly Action["kind"][] = ["status", "mode"];

type ConfirmedPlan = { readonly observation: Observation; readonly actions: readonly Action[] };

/** Plans, and reads the operator's lease and Deployment again before writes that are wrong if a watch lags behind them. */
async function planConfirmed(
  observation: Observation,
  { api, now, options }: Reconciler,
  signal: AbortSignal,
): Promise<ConfirmedPlan> {
  const actions = plan(observation, options, now());
  if (!actions.some(({ kind }) => OPERATOR_DEPENDENT.includes(kind))) return { observation, actions };
  const confirmed = { ...observation, operator: await readOperator(api, now(), signal) };
  return { observation: confirmed, actions: plan(confirmed, options, now()) };
}

function withSignature(
  observation: Observation,
  signatures: SignatureVerifier,
  { useMode }: ControllerOptions,
  now: Date,
): Observation {
  const image = findImageToVerify(observation, useMode, now);
  const signature = signatures.check(image, observation.clusterVersion);
  return image === undefined ? observation : { ...observation, signature };
}

/** The API server drops fields that the CRD doesn't define, so another CRD is another attempt. */
async function observeCached(
  state: ReconcilerState,
  { client, readDocument, now, clock, options }: Reconciler,
  signal: AbortSignal,
): Promise<ObservationResult> {
  const crd = await client.read(CLUSTER_VERSION_CRD_PATH, signal);
  if (crd.kind !== "ok" && crd.kind !== "absent") return { kind: "failed", message: crd.message };
  const [object, fields] = crd.kind === "ok" ? [crd.object, getGatedFields(crd.object)] : [undefined, NO_GATED_FIELDS];
  const { attempts, forgets } = followSchema(state.schema, numberAt(object, "metadata", "generation"), clock());
  state.schema = attempts;
  if (forgets) state.outcomes = { deploymentRefusal: state.outcomes.deploymentRefusal };
  const { node, servesAnnotation = false } = options.runner;
  return observe({ api: client, readDocument, now, node, servesAnnotation }, fields, state.outcomes, signal);
}

/** Whether there is an outcome that is yet to be reported. One whose text changes is reported with the next attempt. */
function recordOutcomes(state: ReconcilerState, { refusal, droppedConditions }: ApplyResult): boolean {
  const before = state.outcomes;
  const dropped = droppedConditions === undefined ? before.droppedConditions : droppedConditions || undefined;
  state.outcomes = { deploymentRefusal: refusal, droppedConditions: dropped };
  state.warnOnceOfDropped(dropped === undefined ? "" : DROPPED);
  const isRefusalNew = (before.deploymentRefusal === undefined) !== (refusal === undefined);
  return isRefusalNew || before.droppedConditions !== dropped;
}

/** Why --write-status has no effect now, or "". */
function describeStatusRefusal({ operator }: Observation, { writeStatus }: ControllerOptions): string {
  if (!writeStatus || operator.kind === "absent") return "";
  const evidence = operator.kind === "running" ? `${operator.holder} holds its lease` : operator.message;
  return `--write-status has no effect while a cluster-version operator runs (${evidence}); see ConfigMap preflight-result`;
}

/** Refuses every write once the lease may have expired. */
export function guardWrites(api: ApiClient, isLeading: () => boolean): ApiClient {
  const refusal = { kind: "unreachable", message: "the lease has expired" } as const;
  return { ...api, write: async (write, signal) => (isLeading() ? api.write(write, signal) : refusal) };
}

type ApplyResult = {
  /** `conflict`: planned from an object that has changed since. `retry`: the API server was unreachable. */
  readonly kind: "applied" | "conflict" | "retry" | "refused";
  /** The API server's message if it refused the runner's Deployment. */
  readonly refusal?: string;
  /** What could not be written. A conflict is none: the next reconciliation sees what changed. */
  readonly failed: readonly Action["kind"][];
  /** Of a write of the Preflight conditions: those that the API server dropped, or "" if it stored all. */
  readonly droppedConditions?: string;
};

/**
 * Writes in order. After a refused write the others still follow, since they may report the refusal. A conflict stops the rest, which was
 * planned from stale state.
 */
export async function applyActions(
  actions: readonly Action[],
  api: Pick<ApiClient, "write">,
  log: Logger,
  signal: AbortSignal,
): Promise<ApplyResult> {
  let result: ApplyResult = { kind: "applied", failed: [] };
  for (const action of actions) {
    const { kind, description, write } = action;
    if (signal.aborted) return { kind: "retry", failed: result.failed };
    const response = await api.write(write, signal);
    if (response.kind === "ok") {
      log.info(description);
      const droppedConditions = findDroppedConditions(action, response.object) ?? result.droppedConditions;
      result = { ...result, droppedConditions };
    } else if (response.kind === "conflict") return { kind: "conflict", failed: result.failed };
    else if (response.kind === "unreachable") {
      if (signal.aborted) return { kind: "retry", failed: result.failed };
      log.warn(`could not ${description}`, { why: response.message });
      return { kind: "retry", failed: [...result.failed, kind] };
    } else if (response.kind === "absent" && write.method === "DELETE") log.info(`${description}: already deleted`);
    else {
      log.error(`could not ${description}`, { why: response.message });
      const refusal = kind === "runner" ? { refusal: toFailureText(response.message) } : {};
      result = { ...result, ...refusal, kind: "refused", failed: [...result.failed, kind] };
    }
  }
  return result;
}
