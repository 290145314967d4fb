import { totalmem } from "node:os";
import { debuglog } from "node:util";
import { type Env, type Plane, pausePlane, resumePlane, startPlane, stopControllers } from "./envtest.ts";
import { putBack, readSeeded, type SeededState } from "./put-back.ts";

/** A stopped API server, which has run without collections, holds up to 2 GB: together, a sixth of a large machine's memory. */
const MAX_IDLE = Math.max(2, Math.floor(totalmem() / (6 * 2 * 2 ** 30)));

/** A control plane that nobody else has. */
export type Lease = {
  readonly env: Env;
  readonly giveBack: () => Promise<void>;
  /** For one that could not be put back: its processes were replaced, stopped or killed. */
  readonly discard: () => Promise<void>;
};

type Kept = { readonly key: string; readonly plane: Plane; readonly seeded: SeededState };

/** Those that nobody has, as their last tests left them; the one used last is the last. */
const idle: Kept[] = [];

/** NODE_DEBUG=planes tells each start, and each return to the seeded state. */
const log = debuglog("planes");

/** Gives a control plane in its first state: one that was given back, or a new one with the options of up.sh. */
export async function leasePlane(key: string, getOptions: () => Promise<readonly string[]>): Promise<Lease> {
  const kept = (await takeIdle(key)) ?? (await startKept(key, await getOptions()));
  let isOut = true;
  const end = async (act: () => Promise<void>): Promise<void> => {
    if (!isOut) return;
    isOut = false;
    await act();
  };
  return {
    env: kept.plane.env,
    giveBack: () => end(() => keep(kept)),
    discard: () => end(kept.plane.kill),
  };
}

/** What a test left is undone no earlier than somebody wants the control plane: most often nobody does. */
async function takeIdle(key: string): Promise<Kept | undefined> {
  for (;;) {
    const index = idle.findLastIndex((one) => one.key === key);
    const [kept] = index === -1 ? [] : idle.splice(index, 1);
    if (kept === undefined) return undefined;
    const begun = performance.now();
    await resumePlane(kept.plane.env);
    const fault = await putBack(kept.plane.env, kept.seeded).catch(String);
    log("%s %s (%d ms)", fault === undefined ? "put back" : `not put back: ${fault}:`, key, performance.now() - begun);
    if (fault === undefined) return kept;
    await kept.plane.kill();
  }
}

async function startKept(key: string, options: readonly string[]): Promise<Kept> {
  const begun = performance.now();
  const plane = await startPlane(options);
  try {
    const seeded = await readSeeded(plane.env);
    log("started %s (%d ms)", key, performance.now() - begun);
    return { key, plane, seeded };
  } catch (thrown) {
    await plane.kill();
    throw thrown;
  }
}

/** Ends those that nobody has. */
export async function endIdlePlanes(): Promise<void> {
  await Promise.all(idle.splice(0).map(({ plane }) => plane.kill()));
}

async function keep(kept: Kept): Promise<void> {
  await stopControllers(kept.plane.env);
  await pausePlane(kept.plane.env);
  idle.push(kept);
  const [oldest] = idle;
  if (idle.length <= MAX_IDLE || oldest === undefined) return;
  idle.shift();
  await oldest.plane.kill();
}
