import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { Script } from "node:vm";
import { isSingleExecutable } from "../process/child-name.ts";
import { openCodeCache } from "./code-cache.ts";

/** The program's text, wrapped as Node wraps a module, and where it stands in its file. */
type Program = { readonly text: string; readonly line: number; readonly compiled?: Buffer };

/**
 * The program follows the launcher in one file, in a comment, so that V8 passes over it where it is not needed. The build writes where:
 * the positions of its begin and end, and its first line.
 */
declare const PREFLIGHT_PROGRAM_PLACE: string;
/** What stands in the comment for the characters that would end it. */
declare const PREFLIGHT_ESCAPED_END: string;

/** Loads the program, with what V8 has compiled of it at an earlier start. */
export function loadProgram(argv: readonly string[]): void {
  const program = isSingleExecutable() ? readAssets() : readOwnFile();
  const cache = openCodeCache(argv);
  const compiled = cache?.data ?? program.compiled;
  const options = { filename: __filename, lineOffset: program.line };
  const script = new Script(program.text, compiled === undefined ? options : { ...options, cachedData: compiled });
  if (cache?.data === undefined || script.cachedDataRejected === true)
    cache?.keepAtExit(() => script.createCachedData());
  const run: unknown = script.runInThisContext();
  if (typeof run === "function")
    Reflect.apply(run, undefined, [exports, require, module, __filename, dirname(__filename)]);
}

function readOwnFile(): Program {
  const file = readFileSync(__filename, "latin1");
  const [begin, end, line = 0] = PREFLIGHT_PROGRAM_PLACE.trim().split(" ").map(Number);
  return { text: file.slice(begin, end).replaceAll(PREFLIGHT_ESCAPED_END, "*/"), line };
}

function readAssets(): Program {
  const { getRawAsset } = process.getBuiltinModule("node:sea");
  const text = Buffer.from(getRawAsset("program")).toString("latin1");
  return { text, line: 0, compiled: Buffer.from(getRawAsset("code-cache")) };
}
