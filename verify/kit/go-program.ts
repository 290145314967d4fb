import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_COLLECTIONS } from "../api-server/go.ts";
import { KIT_FOLDER } from "./kit-files.ts";

export const GO_READER = join(KIT_FOLDER, "readers", "go");

/** Without optimization, which takes a fifth of the CPU time of a build. */
const BUILD_FLAGS = ["-gcflags=all=-N -l", "-ldflags=-s -w"];

const built = new Map<string, string>();

/** Builds a command of the Go reader, once for each process. It has no dependencies, so nothing is fetched. */
export function buildGoProgram(command: "kit" | "source"): string {
  const present = built.get(command);
  if (present !== undefined) return present;
  const folder = mkdtempSync(join(tmpdir(), "preflight-go-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, command);
  const { status, stderr } = spawnSync("go", ["build", ...BUILD_FLAGS, "-o", file, `./cmd/${command}`], {
    cwd: GO_READER,
    encoding: "utf8",
    env: { ...process.env, ...NO_COLLECTIONS, CGO_ENABLED: "0" },
  });
  if (status !== 0) throw new Error(stderr);
  built.set(command, file);
  return file;
}

/** Why a program can't run here, or false. */
export function lacks(program: string, ...args: readonly string[]): string | false {
  return spawnSync(program, args).status === 0 ? false : `there is no ${program} to run the reader with`;
}
