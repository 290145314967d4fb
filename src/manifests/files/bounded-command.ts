import { spawn } from "node:child_process";
import { errorCode } from "../../model/errors.ts";

/** What a program wrote, or why it is not there. */
export type CommandOutput =
  | { readonly kind: "output"; readonly bytes: Buffer }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly message: string };

export type CommandLimits = { readonly maxBytes: number; readonly timeoutMs: number };

const MAX_ERROR_BYTES = 1 << 16;

/** Runs a program without a shell and without input, for a bounded time and output. Its first line of errors says why it failed. */
export function runBounded(
  program: string,
  args: readonly string[],
  { maxBytes, timeoutMs }: CommandLimits,
): Promise<CommandOutput> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const output: Buffer[] = [];
    let size = 0;
    let errors = "";
    const fail = (message: string): void => resolve({ kind: "failed", message });
    child.stdout.on("data", (chunk: Buffer) => {
      output.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      output.length = 0;
      child.kill("SIGKILL");
      fail(`it wrote more than ${maxBytes >> 20} MiB`);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (errors.length < MAX_ERROR_BYTES) errors += text;
    });
    child.on("error", (error) => (errorCode(error) === "ENOENT" ? resolve({ kind: "missing" }) : fail(error.message)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve({ kind: "output", bytes: Buffer.concat(output) });
      else if (signal === null) fail(getFirstLine(errors) ?? `it ended with ${code}`);
      else fail(`it did not end within ${timeoutMs / 1_000} s`);
    });
  });
}

function getFirstLine(text: string): string | undefined {
  return text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
}
