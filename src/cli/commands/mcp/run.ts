import { handedOnSettings, type McpValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";
import type { ConfigFile, ParsedFlags, Settings } from "../../settings/command.ts";
import { type CommandOutput, type RunCommand, formatFlags } from "./schemas.ts";
import { serveTools } from "./server.ts";
import { createTools } from "./tools.ts";
import { readReleaseFolders } from "../plan/cluster-plan.ts";
import { spawn } from "node:child_process";
import process from "node:process";
import { FailedError, UsageError } from "../../../model/errors.ts";
import { toLine } from "../../../model/visible-text.ts";
import { isSingleExecutable } from "../../process/child-flags.ts";

/** Serves the tools until the client is gone; resolves with 0. */
export async function run(values: McpValues, io: Io): Promise<0> {
  const tools = createTools({
    runCommand: createRunCommand(),
    flags: formatServerFlags(handedOnSettings, values),
    checks: [...formatFlags("checks", values.checks), ...formatKnownBugsFlags(values)],
    folders: await readReleaseFolders(values.release),
    now: io.now,
    hasContext: values.context === undefined && values.recorded === undefined,
  });
  await serveTools(tools, io.stopSignal, (line) => io.err(`preflight: ${line}\n`));
  return 0;
}

function formatKnownBugsFlags({ "known-bugs": place, "known-bugs-older": mayBeOlder }: McpValues): readonly string[] {
  if (place === undefined) return [];
  return [`--known-bugs=${place}`, ...(mayBeOlder ? ["--known-bugs-older"] : [])];
}

/** The settings of the server as flags of the commands that it runs. Durations are milliseconds. */
function formatServerFlags(
  settings: Settings,
  { config, ...values }: ParsedFlags & { readonly config: ConfigFile | undefined },
): readonly string[] {
  return Object.entries(settings).flatMap(([flag, { type }]) => {
    const value = values[flag];
    // Without a file that the server was given, its commands look for none.
    if (type === "config") return [config === undefined ? `--no-${flag}` : `--${flag}=${config.path}`];
    const texts = Array.isArray(value) ? value.map(String) : [value].filter((one) => one !== undefined).map(String);
    if (type === "boolean") return [value === true ? `--${flag}` : `--no-${flag}`];
    return texts.map((text) => `--${flag}=${text}${type === "duration" ? "ms" : ""}`);
  });
}

/** Verdicts, as the exit codes of `check` and `plan` say them. */
const VERDICT_CODES: readonly (number | null)[] = [0, 3, 4];
const USAGE_CODE = 2;

/**
 * Runs each command in a process of its own, one at a time: memory that runs out ends that process alone, and a cluster is not read by
 * several at once. A command that is no longer wanted is not started.
 */
function createRunCommand(): RunCommand {
  let last: Promise<unknown> = Promise.resolve();
  return (words, signal) => {
    const next = last.then(() => runWords(words, signal));
    last = next.catch(() => {});
    return next;
  };
}

async function runWords(words: readonly string[], signal: AbortSignal): Promise<CommandOutput> {
  if (signal.aborted) throw new FailedError("cancelled");
  const { code, out, err } = await runOwnCommand(words, signal);
  const lines = err.split("\n").filter((line) => line !== "");
  if (code !== null && VERDICT_CODES.includes(code))
    return { code, out, warnings: lines.map((line) => toLine(stripProgram(line))) };
  const message = toLine(stripProgram(lines.at(-1) ?? "preflight ended without a word"));
  throw code === USAGE_CODE ? new UsageError(message) : new FailedError(message);
}

function stripProgram(line: string): string {
  return line.replace(/^(?:(?:kubectl|oc) preflight-update|preflight|warning): /, "");
}

/** How a command of this program ended in a process of its own. */
type CommandEnd = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
};

/** More than any result that a person or a program can use. */
const MAX_BYTES = 256 << 20;
/** Time for the process to end by itself once it is told to stop. */
const STOP_TIMEOUT_MS = 10_000;

/** Runs this program with other arguments, without stdin. Whatever happens to that process, this one goes on. */
function runOwnCommand(args: readonly string[], signal: AbortSignal): Promise<CommandEnd> {
  const child = spawn(process.execPath, [...listOwnArguments(), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const out = createCollector(stop);
  const err = createCollector(stop);
  child.stdout.on("data", out.push);
  child.stderr.on("data", err.push);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return new Promise((resolve) => {
    const finish = (code: number | null, problem = ""): void => {
      signal.removeEventListener("abort", stop);
      resolve({ code, out: out.text(), err: `${err.text()}${problem}` });
    };
    child.on("error", ({ message }) => finish(null, message));
    child.on("close", (code) => finish(code));
  });

  function stop(): void {
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS).unref();
  }
}

/** A single executable has the program inside. */
function listOwnArguments(): readonly string[] {
  if (isSingleExecutable()) return [];
  return [...process.execArgv, process.argv[1] ?? ""];
}

function createCollector(onTooMuch: () => void): {
  readonly push: (chunk: Buffer) => void;
  readonly text: () => string;
} {
  const chunks: Buffer[] = [];
  let size = 0;
  const push = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > MAX_BYTES) return onTooMuch();
    chunks.push(chunk);
  };
  return { push, text: () => Buffer.concat(chunks).toString("utf8") };
}
