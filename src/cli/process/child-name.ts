import process from "node:process";

/** Begins the name that a child process has in lists of processes, by which it knows that it is one. */
export const CHILD_NAME = "preflight-child";

export function isChild(): boolean {
  return process.argv0.startsWith(CHILD_NAME) && process.channel !== undefined;
}

/** Not an import, which the build would lower to "sea": no Node knows that. */
export function isSingleExecutable(): boolean {
  return process.getBuiltinModule("node:sea").isSea();
}
