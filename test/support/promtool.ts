import { execFile, spawnSync } from "node:child_process";

/** Why promtool can't be run here, or false: for node:test's `skip`. */
export const noPromtool: string | false =
  spawnSync("promtool", ["--version"]).status === 0
    ? false
    : "there is no promtool (Debian's package prometheus has it)";

/** What promtool says of files; it rejects where a rule or a test of rules is wrong, and says which. */
export function runPromtool(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("promtool", [...args], (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(`promtool ${args.join(" ")}: ${out}${err}`)),
    );
  });
}
