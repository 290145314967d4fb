import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import workers from "node:worker_threads";

const SPAWNING = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const;

/** Why a test is left out, or what a mutant did that no test does. */
export class RefusedError extends Error {}

/** Refuses what does not end with the test that began it: processes, threads, servers, and the end of this process. */
export function refuseOutside(): void {
  for (const name of SPAWNING) Reflect.set(childProcess, name, refuse("a process"));
  Reflect.set(workers, "Worker", refuse("a thread"));
  Reflect.set(net.Server.prototype, "listen", refuse("a server"));
  Reflect.set(net.Socket.prototype, "connect", refuse("a connection"));
  Reflect.set(process, "exit", refuse("the end of the process"));
  Reflect.set(process, "kill", refuse("a signal"));
  Reflect.set(process, "chdir", refuse("another working folder"));
  syncBuiltinESMExports();
}

function refuse(what: string) {
  return function refused(): never {
    throw new RefusedError(`needs ${what}`);
  };
}
