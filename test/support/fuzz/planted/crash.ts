import type { FuzzTarget } from "../../../../verify/fuzz/target.ts";

/** Throws what no reader should throw, for a text that the seed is close to. */
export const target: FuzzTarget = {
  seeds: ["some text with a 1 in it, and more after it"],
  run: (input) => {
    const number = /\d+/.exec(input.toString("latin1"))?.[0];
    if (number === "0") throw new TypeError("planted");
  },
};
