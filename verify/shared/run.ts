import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a program in a folder; resolves with its stdout, and rejects with its stderr if it fails, or if `signal` ended it. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
  signal?: AbortSignal,
): Promise<string> {
  const { stdout } = await execute(command, args, { cwd, env, maxBuffer: 64 * 2 ** 20, signal });
  return stdout;
}
