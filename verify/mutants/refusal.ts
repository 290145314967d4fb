import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import workers from "node:worker_threads";

/** Why a test is left out, or what a mutant did that no test does. */
export class RefusedError extends Error {}

const SPAWNING = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"];

/** What changes files, and which of its arguments are paths that it changes. */
const WRITING: Readonly<Record<string, readonly number[]>> = {
  appendFile: [0],
  chmod: [0],
  chown: [0],
  copyFile: [1],
  cp: [1],
  lchmod: [0],
  lchown: [0],
  link: [0, 1],
  lutimes: [0],
  mkdir: [0],
  mkdtemp: [0],
  rename: [0, 1],
  rm: [0],
  rmdir: [0],
  symlink: [1],
  truncate: [0],
  unlink: [0],
  utimes: [0],
  writeFile: [0],
};

/**
 * Refuses what does not end with the test that began it (processes, threads, servers, the end of this process), and every change of a
 * file outside of `folder`: a mutant may replace what the program protects, and a device is a file, too.
 */
export function refuseOutside(folder: string): void {
  const place = fs.realpathSync(folder);
  for (const name of SPAWNING) Reflect.set(childProcess, name, refuse("a process"));
  Reflect.set(workers, "Worker", refuse("a thread"));
  Reflect.set(net.Server.prototype, "listen", refuse("a server"));
  Reflect.set(net.Socket.prototype, "connect", refuse("a connection"));
  for (const name of ["exit", "abort", "reallyExit"]) Reflect.set(process, name, refuse("the end of the process"));
  Reflect.set(process, "kill", refuse("a signal"));
  Reflect.set(process, "chdir", refuse("another working folder"));
  for (const [name, paths] of Object.entries(WRITING)) guardAll(name, (args) => paths.map((at) => args[at]), place);
  const toOpen = (args: readonly unknown[]): readonly unknown[] => (isReading(args[1]) ? [] : [args[0]]);
  guardAll("open", toOpen, place);
  guard(fs, "createWriteStream", (args) => [args[0]], place);
  syncBuiltinESMExports();
}

function refuse(what: string) {
  return function refused(): never {
    throw new RefusedError(`needs ${what}`);
  };
}

type PathsOf = (args: readonly unknown[]) => readonly unknown[];

function guardAll(name: string, pathsOf: PathsOf, place: string): void {
  guard(fs, name, pathsOf, place);
  guard(fs, `${name}Sync`, pathsOf, place);
  guard(fs.promises, name, pathsOf, place);
}

function guard(owner: object, name: string, pathsOf: PathsOf, place: string): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") return;
  Reflect.set(owner, name, function guarded(this: unknown, ...args: unknown[]): unknown {
    if (pathsOf(args).every((path) => isBelow(path, place))) return Reflect.apply(original, this, args);
    const error = new RefusedError(`changes a file outside of the temporary folder: ${name}`);
    if (owner === fs.promises) return Promise.reject(error);
    throw error;
  });
}

const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;

function isReading(flags: unknown): boolean {
  if (typeof flags === "number") return (flags & (O_APPEND | O_CREAT | O_RDWR | O_TRUNC | O_WRONLY)) === 0;
  return flags === undefined || flags === null || flags === "r" || flags === "rs" || typeof flags === "function";
}

/** Open files were opened below it. */
function isBelow(path: unknown, place: string): boolean {
  if (typeof path === "number" || (typeof path === "object" && path !== null && "fd" in path)) return true;
  const text = path instanceof URL ? fileURLToPath(path) : Buffer.isBuffer(path) ? path.toString() : path;
  if (typeof text !== "string") return false;
  const way = relative(place, followLinks(resolve(text)));
  return !way.startsWith("..") && !way.startsWith("/");
}

/** Of what does not exist, its folder counts. */
function followLinks(path: string): string {
  if (dirname(path) === path) return path;
  try {
    return fs.realpathSync.native(path);
  } catch {
    return join(followLinks(dirname(path)), basename(path));
  }
}
