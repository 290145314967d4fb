import process from "node:process";
import type { Parent } from "./parent.ts";

const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Aborted when the process receives a stop signal, or its parent does. */
export function createStopSignal(parent?: Parent): AbortSignal {
  const stop = new AbortController();
  parent?.onStop((why) => stop.abort(new Error(why)));
  for (const name of STOP_SIGNALS) process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));
  return stop.signal;
}
