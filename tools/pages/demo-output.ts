import { createIo } from "../../src/cli/io/io.ts";
import { dispatch } from "../../src/cli/command-line/dispatch.ts";

/** What `preflight check` shows on a terminal for the demo cluster; the working directory is the project's. */
export async function printDemo(): Promise<string> {
  let output = "";
  const io = createIo({
    env: {},
    program: "preflight",
    writeOut: (text) => {
      output += text;
    },
    writeErr: () => {},
    isOutTerminal: true,
    isErrTerminal: false,
    width: 100,
    now: () => new Date(0),
    random: () => 0,
    stopSignal: AbortSignal.any([]),
    startChild: () => Promise.reject(new Error("the demo needs no process of its own")),
    openImageCache: () => Promise.reject(new Error("the demo reads no release image")),
    parent: undefined,
  });
  await dispatch(["check", "--recorded", "demo", "--target", "demo/release"], io);
  return output;
}
