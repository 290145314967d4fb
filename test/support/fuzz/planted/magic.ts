import type { FuzzTarget } from "../../../../verify/fuzz/target.ts";

const MAGIC = [0x4d, 0x61, 0x67, 0x69, 0x63];

/** Compares byte by byte, as parsers do: random bytes are all of them right once in 2^40 times. */
export const target: FuzzTarget = {
  seeds: ["     "],
  maxBytes: 8,
  run: (input) => {
    if (countRight(input) === MAGIC.length) throw new Error("found");
  },
};

function countRight(input: Buffer): number {
  if (input[0] !== MAGIC[0]) return 0;
  if (input[1] !== MAGIC[1]) return 1;
  if (input[2] !== MAGIC[2]) return 2;
  if (input[3] !== MAGIC[3]) return 3;
  return input[4] === MAGIC[4] ? 5 : 4;
}
