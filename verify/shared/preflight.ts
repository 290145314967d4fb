import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { StopError } from "../../src/cli/process/stop-signal.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The executable, built before the tests; the environment may name another one if several builds run. */
export const EXECUTABLE = process.env["PREFLIGHT_EXECUTABLE"] ?? join(ROOT, "dist", "preflight");

export type ProcessResult = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
};

const IS_BUNDLE = isBundle(EXECUTABLE);
const V8_FLAGS: readonly string[] = JSON.parse(readFileSync(join(ROOT, "tools", "v8-flags.json"), "utf8"));

/** Where a run of many tests keeps the compiled executable, which otherwise takes half of the time of a short command. */
const CODE_CACHE = process.env["PREFLIGHT_CODE_CACHE"];

/** With the flags of the bundle's first line, without which it would start Node a second time; not where Node's options are the test's. */
function buildStart(env: Env, nodeFlags: readonly string[]): readonly string[] {
  if (!IS_BUNDLE) return [EXECUTABLE];
  return [process.execPath, ...("NODE_OPTIONS" in env ? [] : V8_FLAGS), ...nodeFlags, EXECUTABLE];
}

/** The bundle begins as a shell script; a single executable has a Node of its own. */
export function isBundle(path: string): boolean {
  if (!existsSync(path)) return true;
  const file = openSync(path, "r");
  const start = Buffer.alloc(2);
  readSync(file, start);
  closeSync(file);
  return start.toString() === "#!";
}

/** What only the start of a process reads. */
const OF_PROCESS = /^(?:NODE_|TMPDIR$|TZ$)/;

/**
 * Runs a command to its end in this process, which takes a fraction of a process's time; another build that the environment names, in one
 * of its own. The environment is only `env` and PATH, so no settings of the machine leak in.
 */
export async function runPreflight(
  args: readonly string[],
  env: Env = {},
  { cwd = ROOT }: Pick<Place, "cwd"> = {},
): Promise<ProcessResult> {
  const reason = findReasonToSpawn(args, env);
  if (reason !== undefined) throw new Error(`${reason} needs a process of its own: use spawnPreflight`);
  if (process.env["PREFLIGHT_EXECUTABLE"] !== undefined) return spawnPreflight(args, env, { cwd });
  const { runInProcess } = await import("./in-process.ts");
  return { ...(await runInProcess(args, buildEnv(env), cwd)), signal: null };
}

/** A command that goes on until it is told to stop. */
export type PreflightService = Pick<PreflightProcess, "result" | "err"> & {
  readonly kill: (signal: "SIGTERM") => void;
};

/** Starts a command in this process; another build that the environment names, in one of its own. What must be killed otherwise needs startPreflight. */
export function startPreflightService(args: readonly string[], env: Env = {}): PreflightService {
  if (process.env["PREFLIGHT_EXECUTABLE"] !== undefined) return startPreflight(args, env);
  const stop = new AbortController();
  let err = "";
  const run = async (): Promise<ProcessResult> => {
    const { runUntilStopped } = await import("./in-process.ts");
    const result = await runUntilStopped(args, buildEnv(env), stop.signal, (text) => (err += text));
    return { ...result, signal: null };
  };
  return {
    result: run(),
    err: () => err,
    kill: (signal) => stop.abort(new StopError(`stopped by ${signal}`, 128 + constants.signals[signal])),
  };
}

/** What a run in this process would take from the test's own. */
function findReasonToSpawn(args: readonly string[], env: Env): string | undefined {
  if (args[0] === "mcp" || args.includes("-")) return "stdin";
  return Object.keys(env).find((name) => OF_PROCESS.test(name));
}

/** For what starts the executable itself, such as a shell: the words before those of the command, and the environment that spares time. */
export const START = buildStart({}, []);
export const START_ENV = buildCacheEnv({}, undefined);

/** Runs the built executable to its end, the bundle with this Node: where the process itself matters. */
export function spawnPreflight(args: readonly string[], env: Env = {}, place: Place = {}): Promise<ProcessResult> {
  return startPreflight(args, env, place).result;
}

type Env = Readonly<Record<string, string>>;

function buildEnv(env: Env): Env {
  return { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...env };
}

/** Not for other users, who can't write there, nor for tests that say where it is. */
function buildCacheEnv(env: Env, uid: number | undefined): Env {
  const isNamed = ["HOME", "XDG_CACHE_HOME"].some((name) => name in env);
  return CODE_CACHE === undefined || uid !== undefined || isNamed ? {} : { NODE_COMPILE_CACHE: CODE_CACHE };
}

export type PreflightProcess = {
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly result: Promise<ProcessResult>;
  /** What it has written up to now. */
  readonly out: () => string;
  readonly err: () => string;
};

/** `uid`: another user than this one, which only root can be. `nodeFlags`: of the bundle's Node. */
type Place = { readonly cwd?: string; readonly uid?: number; readonly nodeFlags?: readonly string[] };

export function startPreflight(
  args: readonly string[],
  env: Env = {},
  { cwd = ROOT, uid, nodeFlags = [] }: Place = {},
): PreflightProcess {
  const [command = EXECUTABLE, ...first] = buildStart(env, nodeFlags);
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: { ...buildCacheEnv(env, uid), ...buildEnv(env) },
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  const result = new Promise<ProcessResult>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...texts }));
  });
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    result,
    out: () => texts.out,
    err: () => texts.err,
  };
}
