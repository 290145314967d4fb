import { dispatch } from "../../src/cli/command-line/dispatch.ts";
import { createIo } from "../../src/cli/io/io.ts";

export const DEMO_COMMAND = ["check", "--recorded", "demo", "--target", "demo/release"];

type Terminal = { readonly now: Date; readonly isOutTerminal: boolean };

/** What `preflight check` writes to stdout for the demo cluster; the working directory is the project's. */
export async function runDemo(more: readonly string[], { now, isOutTerminal }: Terminal): Promise<string> {
  let output = "";
  const io = createIo({
    env: {},
    program: "preflight",
    writeOut: (text) => void (output += text),
    writeErr: () => {},
    isOutTerminal,
    isErrTerminal: false,
    width: 100,
    now: () => now,
    random: () => 0,
    stopSignal: AbortSignal.any([]),
    startChild: () => Promise.reject(new Error("the demo needs no process of its own")),
    openImageCache: () => Promise.reject(new Error("the demo reads no release image")),
    parent: undefined,
  });
  await dispatch([...DEMO_COMMAND, ...more], io);
  return output;
}
