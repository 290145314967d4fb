import { type Sleep, getAge } from "../model/time.ts";
import { type JsonObject, textAt, numberAt, objectAt } from "../model/json.ts";
import type { ApiResponse, ApiClient } from "../cluster/writer/api-client.ts";
import { CONTROLLER_LEASE, LEASES } from "./api/api-paths.ts";
import type { Logger } from "../model/logger.ts";
import { NAMESPACE } from "../lift/objects/preflight-request.ts";

export type LeaderElectionConfig = {
  readonly api: ApiClient;
  readonly log: Logger;
  readonly identity: string;
  /** How long a standby waits for an unresponsive leader. */
  readonly leaseSeconds: number;
  readonly now: () => Date;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly sleep: Sleep;
  /** Called at each attempt to acquire or renew the lease. */
  readonly onAttempt?: () => void;
};

const LEASE = `${LEASES}/${CONTROLLER_LEASE}`;
const RELEASE_TIMEOUT_MS = 5_000;

/** What a leader does: it stops when the signal aborts, and writes only while `isLeading`. */
export type LeaderWork = (signal: AbortSignal, isLeading: () => boolean) => Promise<void>;

/**
 * Runs `work` while this process holds the lease. Its signal aborts if the lease could not be renewed in time, well before another process
 * may acquire it. Competes for the lease again until `stop`. Rejects if the work or a renewal throws, once both have ended.
 */
export async function runLeaderElection(
  config: LeaderElectionConfig,
  work: LeaderWork,
  stop: AbortSignal,
): Promise<void> {
  const { log, identity, clock, sleep } = config;
  const state: LeaderState = { isLeader: false, reportedLeader: "", renewedAt: 0 };
  while (!stop.aborted) {
    // The lease counts from before the request, since its answer may come late.
    state.renewedAt = clock();
    if (!(await acquire(config, state, stop)) || getRemainingMs(config, state) === 0) {
      await sleep(getPeriods(config).acquire, stop);
      continue;
    }
    log.info("became the leader", { identity });
    await workWhileLeading(config, state, work, stop);
    if (!stop.aborted) log.warn("lost leadership: could not renew the lease", { identity });
  }
  await release(config);
}

type LeaderState = {
  observedLease?: ObservedLease;
  /** As last written by this process, while it is the leader. */
  ownLease?: JsonObject;
  isLeader: boolean;
  reportedLeader: string;
  renewedAt: number;
};

type Periods = { readonly acquire: number; readonly retry: number; readonly renewDeadline: number };

/** In whole milliseconds, as timers require. */
function getPeriods({ leaseSeconds }: LeaderElectionConfig): Periods {
  const lease = leaseSeconds * 1_000;
  return {
    acquire: Math.floor(lease / 4),
    retry: Math.floor(lease / 6),
    renewDeadline: Math.floor((lease * 2) / 3),
  };
}

/** How long the lease surely holds without another renewal. */
function getRemainingMs(config: LeaderElectionConfig, { renewedAt }: LeaderState): number {
  return Math.max(0, renewedAt + getPeriods(config).renewDeadline - config.clock());
}

async function workWhileLeading(
  config: LeaderElectionConfig,
  state: LeaderState,
  work: LeaderWork,
  stop: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  const endBoth = (): void => lost.abort();
  // A process that was suspended may run its work before the timer of the renewal, so a write checks the clock itself.
  const isLeading = (): boolean => !signal.aborted && getRemainingMs(config, state) > 0;
  const results = await Promise.allSettled([
    work(signal, isLeading).finally(endBoth),
    renewLoop(config, state, signal).finally(endBoth),
  ]);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** Renews until another holder has the lease, or two thirds of its duration passed without a renewal. */
async function renewLoop(config: LeaderElectionConfig, state: LeaderState, signal: AbortSignal): Promise<void> {
  const { clock, sleep } = config;
  while (!signal.aborted && getRemainingMs(config, state) > 0) {
    await sleep(Math.min(getPeriods(config).retry, getRemainingMs(config, state)), signal);
    if (signal.aborted || getRemainingMs(config, state) === 0) return;
    const startedAt = clock();
    const isRenewed = await acquireInTime(config, state, signal);
    if (isRenewed) state.renewedAt = startedAt;
    else if (!state.isLeader) return;
  }
}

/** A request that outlasts the renewal's deadline is abandoned, whether or not it ends by itself. */
async function acquireInTime(config: LeaderElectionConfig, state: LeaderState, signal: AbortSignal): Promise<boolean> {
  const attempt = new AbortController();
  const expire = async (): Promise<boolean> => {
    await config.sleep(getRemainingMs(config, state), AbortSignal.any([signal, attempt.signal]));
    return false;
  };
  const acquiring = acquire(config, state, AbortSignal.any([signal, attempt.signal]));
  try {
    return await Promise.race([acquiring, expire()]);
  } finally {
    attempt.abort();
  }
}

/**
 * Acquires or renews the lease. A leader renews the lease that it wrote last, without a read. `isLeader` turns false only if another holder
 * has it.
 */
async function acquire(config: LeaderElectionConfig, state: LeaderState, signal: AbortSignal): Promise<boolean> {
  config.onAttempt?.();
  const renewal = state.ownLease ? await claim(config, state, state.ownLease, signal) : "conflict";
  if (renewal !== "conflict") return renewal === "acquired";
  const current = await config.api.read(LEASE, signal);
  if (current.kind !== "ok" && current.kind !== "absent") {
    logFailure(current, config, signal);
    return false;
  }
  const present = current.kind === "ok" ? current.object : undefined;
  return (await claim(config, state, present, signal)) === "acquired";
}

async function claim(
  config: LeaderElectionConfig,
  state: LeaderState,
  present: JsonObject | undefined,
  signal: AbortSignal,
): Promise<"acquired" | "conflict" | "failed"> {
  const { api, log, identity, leaseSeconds, now, clock } = config;
  delete state.ownLease;
  state.observedLease = observeLease(present, state.observedLease, clock());
  const claimed = claimLease(present, state.observedLease, { identity, seconds: leaseSeconds }, clock(), now());
  if (claimed.kind === "otherHolder") {
    state.isLeader = false;
    if (state.reportedLeader !== claimed.holder)
      log.info("another controller is the leader", { holder: claimed.holder });
    state.reportedLeader = claimed.holder;
    return "failed";
  }
  const method = present ? "PUT" : "POST";
  const response = await api.write({ method, path: present ? LEASE : LEASES, body: claimed.lease }, signal);
  if (response.kind !== "ok") {
    logFailure(response, config, signal);
    return response.kind === "conflict" ? "conflict" : "failed";
  }
  state.ownLease = response.object;
  state.isLeader = true;
  state.reportedLeader = "";
  return "acquired";
}

/** A conflict means that another controller was faster, and its lease is read next. */
function logFailure(
  response: Exclude<ApiResponse, { kind: "ok" }>,
  { log }: LeaderElectionConfig,
  signal: AbortSignal,
): void {
  if (response.kind !== "conflict" && !signal.aborted)
    log.warn("could not acquire the lease", { why: response.message });
}

/** Reads the lease again, since an aborted renewal may have been written. */
async function release({ api, log, identity, now }: LeaderElectionConfig): Promise<void> {
  const signal = AbortSignal.timeout(RELEASE_TIMEOUT_MS);
  const current = await api.read(LEASE, signal);
  if (current.kind !== "ok" || textAt(current.object, "spec", "holderIdentity") !== identity) return;
  const response = await api.write(
    { method: "PUT", path: LEASE, body: buildReleasedLease(current.object, now()) },
    signal,
  );
  if (response.kind !== "ok") log.warn("could not release the lease", { why: response.message });
}

/** When the lease last changed, by the local clock: two machines' clocks may differ. */
type ObservedLease = { readonly record: string; readonly at: number };

type LeaseClaim =
  /** Free, or held by this process: the lease to write, with the resource version that was read. */
  { readonly kind: "free"; readonly lease: JsonObject } | { readonly kind: "otherHolder"; readonly holder: string };

/** The fields that every renewal changes. */
function getRecord(lease: JsonObject): string {
  return ["holderIdentity", "renewTime"].map((key) => textAt(lease, "spec", key) ?? "").join(" ");
}

function observeLease(
  lease: JsonObject | undefined,
  previous: ObservedLease | undefined,
  clock: number,
): ObservedLease {
  const record = lease ? getRecord(lease) : "";
  return previous?.record === record ? previous : { record, at: clock };
}

/** Whether the lease can be acquired: another holder's only if it was not renewed for its own duration. */
function claimLease(
  lease: JsonObject | undefined,
  observed: ObservedLease,
  { identity, seconds }: { readonly identity: string; readonly seconds: number },
  clock: number,
  now: Date,
): LeaseClaim {
  const holder = textAt(lease, "spec", "holderIdentity") ?? "";
  const lasts = numberAt(lease, "spec", "leaseDurationSeconds") ?? seconds;
  const isFree = holder === "" || holder === identity || clock - observed.at > lasts * 1_000;
  if (!isFree) return { kind: "otherHolder", holder };
  const isOurs = holder === identity;
  const acquired = isOurs ? textAt(lease, "spec", "acquireTime") : undefined;
  const transitions = numberAt(lease, "spec", "leaseTransitions") ?? 0;
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: seconds,
    acquireTime: acquired ?? formatMicroTime(now),
    renewTime: formatMicroTime(now),
    leaseTransitions: isOurs || lease === undefined ? transitions : transitions + 1,
  };
  return { kind: "free", lease: { ...buildLeaseIdentity(lease), spec } };
}

/** A released lease, which a standby can acquire at once. */
function buildReleasedLease(lease: JsonObject, now: Date): JsonObject {
  const spec = objectAt(lease, "spec");
  return {
    ...buildLeaseIdentity(lease),
    spec: { ...spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: formatMicroTime(now) },
  };
}

/** The holder of an unexpired lease, by the writer's clock. A lease without times counts as held. */
export function findHolder(lease: JsonObject | undefined, now: Date): string | undefined {
  const holder = textAt(lease, "spec", "holderIdentity") ?? "";
  const age = getAge(textAt(lease, "spec", "renewTime"), now);
  const seconds = numberAt(lease, "spec", "leaseDurationSeconds");
  const isExpired = age !== undefined && seconds !== undefined && age > seconds * 1_000;
  return holder === "" || isExpired ? undefined : holder;
}

function buildLeaseIdentity(lease: JsonObject | undefined): JsonObject {
  const identity = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };
  const metadata = lease ? objectAt(lease, "metadata") : { name: CONTROLLER_LEASE, namespace: NAMESPACE };
  return { ...identity, metadata };
}

function formatMicroTime(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
