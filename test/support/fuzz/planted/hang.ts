import type { FuzzTarget } from "../../../../verify/fuzz/target.ts";

/** Never ends for most inputs other than its seed. */
export const target: FuzzTarget = {
  seeds: ["a"],
  run: (input) => {
    while (input[0] !== 0x61);
  },
};
