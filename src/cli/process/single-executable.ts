import process from "node:process";

/** Not an import, which the build would lower to "sea": no Node knows that. */
export function isSingleExecutable(): boolean {
  return process.getBuiltinModule("node:sea").isSea();
}
