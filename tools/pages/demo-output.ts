import { dispatch } from "../../src/cli/command-line/dispatch.ts";
import { createIo } from "../../src/cli/io/io.ts";

export const DEMO_COMMAND = ["check", "--recorded", "demo", "--target", "demo/release"];

type Terminal = { readonly now: Date; readonly isOutTerminal: boolean };

/** What `preflight check` writes to stdout for the demo cluster; the working directory is the project's. */
export async function runDemo(more: readonly string[], terminal: Terminal): Promise<string> {
  return runCommand([...DEMO_COMMAND, ...more], terminal);
}

/** What a command that needs neither a cluster nor a registry writes to stdout. */
export async function runCommand(args: readonly string[], { now, isOutTerminal }: Terminal): Promise<string> {
  let output = "";
  const io = createIo({
    env: {},
    program: "preflight",
    writeOut: (text) => void (output += text),
    writeErr: () => {},
    isOutTerminal,
    isErrTerminal: false,
    width: 100,
    height: 24,
    now: () => now,
    random: () => 0,
    stopSignal: AbortSignal.any([]),
    startChild: () => Promise.reject(new Error("a recorded cluster needs no process of its own")),
    openImageCache: () => Promise.reject(new Error("a release in a folder needs no image")),
    parent: undefined,
    exit: () => {},
  });
  await dispatch(args, io);
  return output;
}
