import { createIo, type Io } from "../../../src/cli/io/io.ts";

/** An Io that appends everything written to `written`. */
export function createTestIo(written: string[], isTerminal = false): Io {
  return createIo({
    env: {},
    writeOut: (text) => void written.push(text),
    writeErr: (text) => void written.push(text),
    isOutTerminal: isTerminal,
    isErrTerminal: isTerminal,
    width: 80,
    program: "preflight",
    now: () => new Date(0),
    random: () => 0,
    stopSignal: new AbortController().signal,
    startChild: () => Promise.reject(new Error("a test starts no process")),
    openImageCache: () => Promise.reject(new Error("a test reads no release image")),
    parent: undefined,
  });
}
