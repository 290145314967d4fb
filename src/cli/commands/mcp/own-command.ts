import { spawn } from "node:child_process";
import process from "node:process";

/** How a command of this program ended in a process of its own. */
export type CommandEnd = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
};

/** More than any result that a person or a program can use. */
const MAX_BYTES = 256 << 20;
/** Time for the process to end by itself once it is told to stop. */
const STOP_TIMEOUT_MS = 10_000;

/** Runs this program with other arguments, without stdin. Whatever happens to that process, this one goes on. */
export function runOwnCommand(args: readonly string[], signal: AbortSignal): Promise<CommandEnd> {
  const child = spawn(process.execPath, [...listOwnArguments(), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = [createCollector(stop), createCollector(stop)];
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
  if (process.getBuiltinModule("node:sea").isSea()) return [];
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
