import type { FuzzTarget } from "../../../../verify/fuzz/target.ts";

const kept: Buffer[] = [];

/** Takes memory without end for most inputs other than its seed. */
export const target: FuzzTarget = {
  seeds: ["a"],
  run: (input) => {
    while (input[0] !== 0x61) kept.push(Buffer.alloc(1 << 20, 1));
  },
};
