import { type GatedFields, getGatedFields, NO_GATED_FIELDS } from "../lift/objects/gated-fields.ts";
import type { DocumentState } from "../lift/progress/runner-state.ts";
import type { Action } from "./action.ts";
import type { ApiClient } from "../cluster/writer/api-client.ts";
import { getDesiredPreflight } from "./desired-preflight.ts";
import { plan, type ControllerSettings } from "./plan.ts";
import { runInformer, type ObjectState } from "./api/informer.ts";
import { type LeaderWork, runLeaderElection } from "./leader/leader-election.ts";
import type { LoopMonitor } from "./loop-monitor.ts";
import { observe } from "./observer.ts";
import type { Observation } from "./observation.ts";
import { applyActions } from "./apply.ts";
import { CLUSTER_VERSION_CRD, WATCHED_OBJECTS } from "./api/api-paths.ts";
import { createChangeLogger, type Logger } from "../model/logger.ts";
import { createWorkQueue } from "./work-queue.ts";

/** "observe": the cluster's state could not be read, so nothing was written. */
export type ReconcileFailure = Action["kind"] | "observe";

type ControllerDependencies = {
  readonly api: ApiClient;
  readonly log: Logger;
  readonly readDocument: () => Promise<DocumentState>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => Date;
  readonly clock: () => number;
  /** Called after each reconciliation is planned. */
  readonly onReconcile: (observation: Observation, actions: readonly Action[]) => void;
  /** Called at the end of each: what could not be read or written. */
  readonly onReconciled: (failed: readonly ReconcileFailure[]) => void;
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
  readonly warnOnce: (message: string) => void;
  /** Undefined until the CRD of ClusterVersion has been read. */
  fields?: GatedFields;
  /** Why the API server refused the Deployment in the last reconciliation. */
  deploymentRefusal?: string;
};

async function startReconciling(
  dependencies: ControllerDependencies,
  options: ControllerOptions,
  signal: AbortSignal,
): Promise<void> {
  const state: ReconcilerState = { warnOnce: createChangeLogger(dependencies.log.warn) };
  const { enqueue, run } = createWorkQueue((stop) =>
    dependencies.monitor.track(() => reconcile(state, dependencies, options, stop)),
  );
  const onFailure = (message: string): void => dependencies.log.warn("watch failed, retrying", { why: message });
  const onCrd = (object: ObjectState): void => {
    state.fields = object.kind === "absent" ? NO_GATED_FIELDS : getGatedFields(object.object);
    enqueue();
  };
  await Promise.all([
    runInformer(CLUSTER_VERSION_CRD, onCrd, { ...dependencies, onFailure }, signal),
    ...WATCHED_OBJECTS.map((one) => runInformer(one, enqueue, { ...dependencies, onFailure }, signal)),
    run(signal),
  ]);
}

/** Observes, plans, applies. Returns the milliseconds until the next reconciliation if no event comes first. */
async function reconcile(
  state: ReconcilerState,
  dependencies: ControllerDependencies,
  options: ControllerOptions,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (state.fields === undefined) return undefined;
  const observed = await observe(dependencies, state.fields, state.deploymentRefusal, signal);
  if (signal.aborted) return undefined;
  if (observed.kind !== "observed") {
    dependencies.onReconciled(["observe"]);
    state.warnOnce(`cannot reconcile: ${observed.message}`);
    return FAILURE_RETRY_MS;
  }
  state.warnOnce(describeStatusRefusal(observed.observation, options));
  const actions = plan(observed.observation, options, dependencies.now());
  dependencies.onReconcile(observed.observation, actions);
  const result = await applyActions(actions, dependencies.api, dependencies.log, signal);
  if (!signal.aborted) dependencies.onReconciled(result.failed);
  const isRefusalChanged = result.refusal !== state.deploymentRefusal;
  delete state.deploymentRefusal;
  if (result.refusal !== undefined) state.deploymentRefusal = result.refusal;
  if (result.kind === "retry" || isRefusalChanged) return IMMEDIATE_RETRY_MS;
  if (result.kind === "refused") return Math.max(options.pollMs, FAILURE_RETRY_MS);
  return getDesiredPreflight(observed.observation).kind === "none" && actions.length === 0 ? undefined : options.pollMs;
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
