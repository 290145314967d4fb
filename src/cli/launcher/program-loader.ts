import { dirname } from "node:path";
import process from "node:process";
import { Script } from "node:vm";
import { isSingleExecutable, isChild } from "../process/child-flags.ts";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
import { crc32 } from "node:zlib";
import {
  type PrivateFolder,
  findCacheBase,
  openPrivateFolder,
  readPrivateFile,
  removeOldFiles,
  writePrivateFile,
} from "../../files/private-folder.ts";

/** The program's text, wrapped as Node wraps a module, and where it stands in its file. */
type Program = { readonly text: string; readonly line: number; readonly compiled?: Buffer };

/**
 * The program follows the launcher in one file, in the comment of this function, so that V8 passes over it where it is not needed. The
 * build writes both, and the program's first line.
 */
declare function preflightProgram(): void;
declare const PREFLIGHT_PROGRAM_PLACE: string;
/** What stands in the comment for the characters that would end it. */
declare const PREFLIGHT_ESCAPED_END: string;

/**
 * Maglev, V8's middle compiler, takes up to 60 MiB while it compiles. Given to Node at its start, the flag would have V8 refuse the compiled
 * code of Node's own modules, which is bound to all such flags; and so is ours.
 */
const LATE_MAGLEV = "--invocation-count-for-maglev=2000";
const USUAL_MAGLEV = "--invocation-count-for-maglev=400";

/** Loads the program, with what V8 has compiled of it at an earlier start. `isShort`: it ends before V8 compiles much. */
export function loadProgram(argv: readonly string[], isShort: boolean): void {
  const program = isSingleExecutable() ? readAssets() : readOwnFile();
  const cache = openCodeCache(argv);
  const compiled = cache?.data ?? program.compiled;
  const options = { filename: __filename, lineOffset: program.line };
  const script = new Script(program.text, compiled === undefined ? options : { ...options, cachedData: compiled });
  if (cache?.data === undefined || script.cachedDataRejected === true)
    cache?.keepAtExit(() => {
      if (!isShort) setFlagsFromString(USUAL_MAGLEV);
      return script.createCachedData();
    });
  if (!isShort) setFlagsFromString(LATE_MAGLEV);
  const run: unknown = script.runInThisContext();
  if (typeof run === "function")
    Reflect.apply(run, undefined, [exports, require, module, __filename, dirname(__filename)]);
}

function readOwnFile(): Program {
  const code = preflightProgram.toString();
  const text = code.slice(code.indexOf("\n") + 1, code.lastIndexOf("\n"));
  return { text: text.replaceAll(PREFLIGHT_ESCAPED_END, "*/"), line: Number(PREFLIGHT_PROGRAM_PLACE) };
}

function readAssets(): Program {
  const { getRawAsset } = process.getBuiltinModule("node:sea");
  const text = Buffer.from(getRawAsset("program")).toString("latin1");
  return { text, line: 0, compiled: Buffer.from(getRawAsset("code-cache")) };
}

/** Defined by the build: names the program's text. */
declare const PREFLIGHT_PROGRAM_ID: string;

/** What V8 has compiled of the program at an earlier start. */
export type CodeCache = {
  readonly data: Buffer | undefined;
  /** Keeps what is compiled when the process ends, so that it has what this command uses. */
  readonly keepAtExit: (compile: () => Buffer) => void;
};

const FOLDERS = ["preflight", "code"];
/** The program has 2 MB, and its compiled code less than three times as many. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
/** The command was not understood or failed early, and used little of the program. */
const POOR_EXIT_CODES = new Set<unknown>([1, 2]);

/** The cache of this command; undefined where no folder can be trusted. Never throws. */
function openCodeCache(argv: readonly string[]): CodeCache | undefined {
  try {
    const base = findBase(process.env);
    if (base === undefined) return undefined;
    const folder = openPrivateFolder(base, FOLDERS, "leave");
    if (folder.kind === "refused") return undefined;
    const name = buildName(argv);
    return {
      data: folder.kind === "private" ? read(folder, name) : undefined,
      keepAtExit: (compile) => process.once("exit", () => write(base, name, compile)),
    };
  } catch {
    return undefined;
  }
}

/** Node's own switches for compiled code count. */
function findBase(env: NodeJS.ProcessEnv): string | undefined {
  if (env["NODE_DISABLE_COMPILE_CACHE"] || env["NODE_V8_COVERAGE"]) return undefined;
  return env["NODE_COMPILE_CACHE"] || findCacheBase(env);
}

/** V8 accepts what it has compiled itself, in this version and with the same flags. */
function buildName([command = ""]: readonly string[]): string {
  const name = /^[a-z_-]+$/.test(command) ? command : "runner";
  const parts = [PREFLIGHT_PROGRAM_ID, process.version, process.arch, cachedDataVersionTag().toString(16), name];
  return `${parts.join("-")}${isChild() ? "-child" : ""}`;
}

/** V8 does not notice code that a disk has damaged, so a checksum follows it. */
const CHECKSUM_BYTES = 4;

function read(folder: PrivateFolder, name: string): Buffer | undefined {
  const file = readPrivateFile(folder, name, MAX_BYTES);
  if (file === undefined || file.length <= CHECKSUM_BYTES) return undefined;
  const data = file.subarray(0, -CHECKSUM_BYTES);
  return file.readUInt32LE(data.length) === crc32(data) ? data : undefined;
}

function appendChecksum(data: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(data));
  return Buffer.concat([data, checksum]);
}

function write(base: string, name: string, compile: () => Buffer): void {
  if (POOR_EXIT_CODES.has(process.exitCode)) return;
  try {
    const folder = openPrivateFolder(base, FOLDERS, "create");
    if (folder.kind !== "private") return;
    writePrivateFile(folder, name, appendChecksum(compile()));
    removeOldFiles(folder, MAX_AGE_MS, new Date());
  } catch {
    // A full disk or a read-only folder costs time at the next start, and nothing else.
  }
}
