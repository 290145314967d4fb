import { textAt } from "../model/json.ts";
import type { Answer, Api } from "./api.ts";
import { changeOf, type LastChange, claim, releasedLease } from "./lease.ts";
import { CONTROLLER_LEASE, LEASES } from "./places.ts";
import type { Say } from "./say.ts";

export type Leading = {
  readonly api: Api;
  readonly say: Say;
  readonly identity: string;
  /** How long a leader that is heard of no more is still believed in. */
  readonly leaseSeconds: number;
  readonly now: () => Date;
  /** Milliseconds that only go on. */
  readonly clock: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

const LEASE = `${LEASES}/${CONTROLLER_LEASE}`;
const RELEASE_TIMEOUT_MS = 5_000;

/**
 * Does `work` for as long as the lease is held, and not a moment longer: its signal aborts when the lease could not be renewed in time,
 * well before somebody else may take it. Then it waits for the lease anew, until `stop`.
 */
export async function lead(
  leading: Leading,
  work: (signal: AbortSignal) => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const { say, identity, leaseSeconds, sleep } = leading;
  const state: State = { isHeld: false, told: "" };
  while (!stop.aborted) {
    if (!(await tryTake(leading, state, stop))) {
      await sleep((leaseSeconds * 1_000) / 4, stop);
      continue;
    }
    say.info("leads", { identity });
    await workWhileLeading(leading, state, work, stop);
    if (!stop.aborted) say.warn("leads no more, since the lease could not be renewed", { identity });
  }
  await release(leading);
}

/** `isHeld`: as far as we know. `told`: who was said to lead. */
type State = { change?: LastChange; isHeld: boolean; told: string };

async function workWhileLeading(
  leading: Leading,
  state: State,
  work: (signal: AbortSignal) => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  const working = work(signal).finally(() => lost.abort());
  await keep(leading, state, signal);
  lost.abort();
  await working;
}

/** Renews until the lease is somebody else's, or two thirds of its time went by without a renewal. */
async function keep(leading: Leading, state: State, signal: AbortSignal): Promise<void> {
  const { clock, sleep, leaseSeconds } = leading;
  const [pause, patience] = [(leaseSeconds * 1_000) / 6, (leaseSeconds * 1_000 * 2) / 3];
  let renewed = clock();
  while (!signal.aborted && clock() - renewed < patience) {
    await sleep(pause, signal);
    if (signal.aborted) return;
    const asked = clock();
    if (await tryTake(leading, state, AbortSignal.any([signal, AbortSignal.timeout(patience)]))) renewed = asked;
    else if (!state.isHeld) return;
  }
}

/** True where the lease is ours now. `isHeld` ends where it is known to be somebody else's. */
async function tryTake(leading: Leading, state: State, signal: AbortSignal): Promise<boolean> {
  const { api, say, identity, leaseSeconds, now, clock } = leading;
  const read = await api.read(LEASE, signal);
  if (read.kind !== "ok" && read.kind !== "absent") return failed(read, leading, signal);
  const present = read.kind === "ok" ? read.object : undefined;
  state.change = changeOf(present, state.change, clock());
  const claimed = claim(present, state.change, { identity, seconds: leaseSeconds }, clock(), now());
  if (claimed.kind === "held") {
    state.isHeld = false;
    if (state.told !== claimed.by) say.info("another controller leads", { holder: claimed.by });
    state.told = claimed.by;
    return false;
  }
  const method = present ? "PUT" : "POST";
  const written = await api.write({ method, path: present ? LEASE : LEASES, body: claimed.lease }, signal);
  if (written.kind !== "ok") return failed(written, leading, signal);
  state.isHeld = true;
  state.told = "";
  return true;
}

/** A conflict means that somebody was faster, which the next look shows. */
function failed(answer: Exclude<Answer, { kind: "ok" }>, { say }: Leading, signal: AbortSignal): false {
  if (answer.kind !== "conflict" && !signal.aborted) say.warn("the lease could not be taken", { why: answer.message });
  return false;
}

/** Read anew, since a renewal that was broken off may have been written all the same. */
async function release({ api, say, identity, now }: Leading): Promise<void> {
  const signal = AbortSignal.timeout(RELEASE_TIMEOUT_MS);
  const read = await api.read(LEASE, signal);
  if (read.kind !== "ok" || textAt(read.object, "spec", "holderIdentity") !== identity) return;
  const answer = await api.write({ method: "PUT", path: LEASE, body: releasedLease(read.object, now()) }, signal);
  if (answer.kind !== "ok") say.warn("the lease could not be given back", { why: answer.message });
}
