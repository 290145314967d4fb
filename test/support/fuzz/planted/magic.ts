import type { FuzzTarget } from "../../../../verify/fuzz/target.ts";

const MAGIC = [0x4d, 0x61, 0x67];

/** Compares byte by byte, as parsers do: random bytes are all of them right once in 2^24 times. */
export const target: FuzzTarget = {
  seeds: ["   "],
  maxBytes: 8,
  run: (input) => {
    if (countRight(input) === MAGIC.length) throw new Error("found");
  },
};

function countRight(input: Buffer): number {
  if (input[0] !== MAGIC[0]) return 0;
  if (input[1] !== MAGIC[1]) return 1;
  return input[2] === MAGIC[2] ? 3 : 2;
}
