import { parseCommandLine } from "../../../src/cli/command-line/parser.ts";
import type { FuzzTarget } from "../target.ts";

const LINES = [
  "check\n--target\nrelease\n--accept=Alpha,Beta\n-o\njson",
  "accept\nAlpha,Beta-\n--replace",
  "request\n--to\n4.19.3\n--not-before=2026-01-02T03:04:05Z",
  "fleet\n--contexts\na*\n--max-age\n1h30m",
  "run\n--interval=5m\n--no-unknown-risks",
  "help\ncheck",
  "plan\n--to=latest\n--mirror\nquay.io=a.example.com",
];

/** The words of a command line, one on each line, are parsed or refused in one line. */
export const target: FuzzTarget = {
  seeds: LINES,
  maxBytes: 512,
  run: async (input) => {
    const words = input.toString("utf8").split("\n");
    await parseCommandLine(words, { PREFLIGHT_TIMEOUT: words.at(-1) }, 80);
  },
};
