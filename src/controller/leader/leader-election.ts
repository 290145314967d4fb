import { textAt } from "../../model/json.ts";
import type { ApiResponse, ApiClient } from "../api/api-client.ts";
import { observeLease, type ObservedLease, claimLease, buildReleasedLease } from "./lease.ts";
import { CONTROLLER_LEASE, LEASES } from "../api/api-paths.ts";
import type { Logger } from "../../model/logger.ts";

export type LeaderElectionConfig = {
  readonly api: ApiClient;
  readonly log: Logger;
  readonly identity: string;
  /** How long a standby waits for an unresponsive leader. */
  readonly leaseSeconds: number;
  readonly now: () => Date;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const LEASE = `${LEASES}/${CONTROLLER_LEASE}`;
const RELEASE_TIMEOUT_MS = 5_000;

/**
 * Runs `work` while this process holds the lease. The signal of `work` aborts if the lease could not be renewed in time, well before
 * another process may acquire it. Competes for the lease again until `stop`.
 */
export async function runLeaderElection(
  config: LeaderElectionConfig,
  work: (signal: AbortSignal) => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const { log, identity, leaseSeconds, sleep } = config;
  const state: LeaderState = { isLeader: false, reportedLeader: "" };
  while (!stop.aborted) {
    if (!(await acquire(config, state, stop))) {
      await sleep((leaseSeconds * 1_000) / 4, stop);
      continue;
    }
    log.info("became the leader", { identity });
    await workWhileLeading(config, state, work, stop);
    if (!stop.aborted) log.warn("lost leadership: could not renew the lease", { identity });
  }
  await release(config);
}

type LeaderState = { observedLease?: ObservedLease; isLeader: boolean; reportedLeader: string };

async function workWhileLeading(
  config: LeaderElectionConfig,
  state: LeaderState,
  work: (signal: AbortSignal) => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  const working = work(signal).finally(() => lost.abort());
  await renewLoop(config, state, signal);
  lost.abort();
  await working;
}

/** Renews until another holder has the lease, or two thirds of its duration passed without a renewal. */
async function renewLoop(config: LeaderElectionConfig, state: LeaderState, signal: AbortSignal): Promise<void> {
  const { clock, sleep, leaseSeconds } = config;
  const [retryPeriod, renewDeadline] = [(leaseSeconds * 1_000) / 6, (leaseSeconds * 1_000 * 2) / 3];
  let renewedAt = clock();
  while (!signal.aborted && clock() - renewedAt < renewDeadline) {
    await sleep(retryPeriod, signal);
    if (signal.aborted) return;
    const startedAt = clock();
    if (await acquire(config, state, AbortSignal.any([signal, AbortSignal.timeout(renewDeadline)])))
      renewedAt = startedAt;
    else if (!state.isLeader) return;
  }
}

/** Acquires or renews the lease. `isLeader` turns false only if another holder has it. */
async function acquire(config: LeaderElectionConfig, state: LeaderState, signal: AbortSignal): Promise<boolean> {
  const { api, log, identity, leaseSeconds, now, clock } = config;
  const current = await api.read(LEASE, signal);
  if (current.kind !== "ok" && current.kind !== "absent") return logFailure(current, config, signal);
  const present = current.kind === "ok" ? current.object : undefined;
  state.observedLease = observeLease(present, state.observedLease, clock());
  const claim = claimLease(present, state.observedLease, { identity, seconds: leaseSeconds }, clock(), now());
  if (claim.kind === "otherHolder") {
    state.isLeader = false;
    if (state.reportedLeader !== claim.holder) log.info("another controller is the leader", { holder: claim.holder });
    state.reportedLeader = claim.holder;
    return false;
  }
  const method = present ? "PUT" : "POST";
  const response = await api.write({ method, path: present ? LEASE : LEASES, body: claim.lease }, signal);
  if (response.kind !== "ok") return logFailure(response, config, signal);
  state.isLeader = true;
  state.reportedLeader = "";
  return true;
}

/** A conflict means that another controller was faster; the next attempt reads its lease. */
function logFailure(
  response: Exclude<ApiResponse, { kind: "ok" }>,
  { log }: LeaderElectionConfig,
  signal: AbortSignal,
): false {
  if (response.kind !== "conflict" && !signal.aborted)
    log.warn("could not acquire the lease", { why: response.message });
  return false;
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
