import { execFile, spawnSync } from "node:child_process";

/** Why promtool can't be run here, or false: for node:test's `skip`. */
export const noPromtool: string | false =
  spawnSync("promtool", ["--version"]).status === 0
    ? false
    : "there is no promtool (Debian's package prometheus has it)";

/** The output of promtool for files; rejects with promtool's message if a rule or a rule test is wrong. */
export function runPromtool(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("promtool", [...args], (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(`promtool ${args.join(" ")}: ${out}${err}`)),
    );
  });
}
