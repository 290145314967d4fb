import type { FuzzTarget } from "../../../../verify/fuzz/target.ts";

/** Waits for nothing, which ends a process in silence. */
export const target: FuzzTarget = {
  seeds: ["a"],
  run: (input) => (input[0] === 0x61 ? undefined : new Promise(() => undefined)),
};
