import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import process from "node:process";
import { cachedDataVersionTag } from "node:v8";
import { crc32 } from "node:zlib";
import { isChild } from "../process/child-name.ts";

/** Defined by the build: names the program's text. */
declare const PREFLIGHT_PROGRAM_ID: string;

/** What V8 has compiled of the program at an earlier start. */
export type CodeCache = {
  readonly data: Buffer | undefined;
  /** Keeps what is compiled when the process ends, so that it has what this command uses. */
  readonly keepAtExit: (compile: () => Buffer) => void;
};

const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
/** The command was not understood or failed early, and used little of the program. */
const POOR_EXIT_CODES = new Set<unknown>([1, 2]);

/** The cache of this command; undefined where no folder can be trusted. Never throws. */
export function openCodeCache(argv: readonly string[]): CodeCache | undefined {
  try {
    const folders = findFolders(process.env);
    const folder = folders.at(-1);
    if (folder === undefined || (existsSync(folder) && !isTrusted(folder))) return undefined;
    const path = join(folder, buildName(argv));
    return { data: read(path), keepAtExit: (compile) => process.once("exit", () => write(folders, path, compile)) };
  } catch {
    return undefined;
  }
}

/** The folder of the cache, last, after those above it that may have to be made. Node's own switches for compiled code count. */
function findFolders(env: NodeJS.ProcessEnv): readonly string[] {
  if (env["NODE_DISABLE_COMPILE_CACHE"] || env["NODE_V8_COVERAGE"]) return [];
  const parent = env["NODE_COMPILE_CACHE"] || findCacheFolder(env);
  if (parent === undefined) return [];
  return [parent, join(parent, "preflight"), join(parent, "preflight", "code")];
}

/** Code is run from it, so it has to be this user's and nobody else's to write. */
function isTrusted(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** One by one: where a file system has no room for new names, Node never ends making a folder with those above it. */
function makeFolder(path: string): void {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
}

function findCacheFolder({ XDG_CACHE_HOME: xdg, HOME: home }: NodeJS.ProcessEnv): string | undefined {
  if (xdg && isAbsolute(xdg)) return xdg;
  return home && existsSync(home) ? join(home, ".cache") : undefined;
}

/** V8 accepts what it has compiled itself, in this version and with the same flags. */
function buildName([command = ""]: readonly string[]): string {
  const name = /^[a-z_-]+$/.test(command) ? command : "runner";
  const parts = [PREFLIGHT_PROGRAM_ID, process.version, process.arch, cachedDataVersionTag().toString(16), name];
  return `${parts.join("-")}${isChild() ? "-child" : ""}`;
}

/** V8 does not notice code that a disk has damaged, so a checksum follows it. */
const CHECKSUM_BYTES = 4;

function read(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const file = readFileSync(path);
  const data = file.subarray(0, -CHECKSUM_BYTES);
  return file.length > CHECKSUM_BYTES && file.readUInt32LE(data.length) === crc32(data) ? data : undefined;
}

function appendChecksum(data: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(data));
  return Buffer.concat([data, checksum]);
}

function write(folders: readonly string[], path: string, compile: () => Buffer): void {
  if (POOR_EXIT_CODES.has(process.exitCode)) return;
  try {
    for (const folder of folders) makeFolder(folder);
    const folder = dirname(path);
    if (!isTrusted(folder)) return;
    const partial = `${path}.${process.pid}`;
    writeFileSync(partial, appendChecksum(compile()), { mode: 0o600, flag: "wx" });
    renameSync(partial, path);
    removeOld(folder);
  } catch {
    // A full disk or a read-only folder costs time at the next start, and nothing else.
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > MAX_AGE_MS) rmSync(path, { force: true });
  }
}
