import assert from "node:assert/strict";
import { createIo, type Io } from "../../../src/cli/io/io.ts";

/** The values of a command that is given no files of checks, and no target that brings some. */
export const NO_CHECK_FILES = {
  checks: [],
  "checks-from": ["payload"],
  kubeconfig: undefined,
  context: undefined,
  recorded: undefined,
  "must-gather": undefined,
  "known-bugs": undefined,
  "known-bugs-older": false,
  target: undefined,
  "target-version": undefined,
};

/** An Io that appends everything written to `written`. */
export function createTestIo(written: string[], isTerminal = false): Io {
  return createIo({
    env: {},
    writeOut: (text) => void written.push(text),
    writeErr: (text) => void written.push(text),
    isOutTerminal: isTerminal,
    isErrTerminal: isTerminal,
    width: 80,
    height: 24,
    program: "preflight",
    now: () => new Date(0),
    random: () => 0,
    stopSignal: new AbortController().signal,
    startChild: () => Promise.reject(new Error("a test starts no process")),
    openImageCache: () => Promise.reject(new Error("a test reads no release image")),
    parent: undefined,
    exit: () => assert.fail("a test is not ended by what it tests"),
  });
}
