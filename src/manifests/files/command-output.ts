import { spawn } from "node:child_process";

const MAX_ERROR_CHARACTERS = 1 << 16;

/**
 * What a program writes, without a shell and without input. Throws an Error with the code ENOENT if it can't be found, or with the first line
 * of its errors if it fails; it is killed when its time is over, or when nobody reads on.
 */
export async function* readCommandOutput(
  [program = "", ...args]: readonly string[],
  timeoutMs: number,
  cwd?: string,
): AsyncGenerator<Buffer> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (errors.length < MAX_ERROR_CHARACTERS) errors += text;
  });
  const ended = new Promise<Error | undefined>((resolve) => {
    child.on("error", resolve);
    child.on("close", (code) =>
      resolve(code === 0 ? undefined : new Error(getFirstLine(errors) ?? `it ended with ${code}`)),
    );
  });
  // What the program has started may hold its output open.
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    child.stdout.destroy(new Error(`it did not end within ${timeoutMs / 1_000} s`));
    child.stderr.destroy();
  }, timeoutMs);
  try {
    const output: AsyncIterable<Buffer> = child.stdout;
    yield* output;
    const failure = await ended;
    if (failure !== undefined) throw failure;
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

function getFirstLine(text: string): string | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "");
}
