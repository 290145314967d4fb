import { replaceProgram } from "../../model/program-name.ts";
import { redactText } from "../../model/secrets/redact-text.ts";
import type { ImageCache } from "../../release/image/image-cache.ts";
import type { StartChild } from "../process/child.ts";
import type { Parent } from "../process/parent.ts";
import { toLine, toVisibleOutput } from "../../model/visible-text.ts";
import { CLEAR_LINE, CLEAR_SCREEN, escapeAllButStyles } from "../process/terminal-text.ts";
import { FailedError, formatError, UsageError } from "../../model/errors.ts";

/** Everything outside the program that a command uses. */
export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** stdout: the result and nothing else. */
  readonly out: (text: string) => void;
  /** stdout, for text in our own colours. Use it only for text that is free of hidden characters otherwise. */
  readonly outStyled: (text: string) => void;
  /** stderr: for people. Texts call the program "preflight", and people read what they call it. */
  readonly err: (text: string) => void;
  /** Replaces the current line of the terminal behind stderr; an empty text clears it. */
  readonly progress: (line: string) => void;
  /** Empties the terminal behind stdout. */
  readonly clear: () => void;
  readonly isOutTerminal: boolean;
  readonly isErrTerminal: boolean;
  readonly width: number;
  /** How many lines the terminal shows. */
  readonly height: number;
  /** How the user calls this program, such as "preflight" or "kubectl preflight-update". */
  readonly program: string;
  readonly now: () => Date;
  readonly random: () => number;
  /** Aborted when the process receives a stop signal. */
  readonly stopSignal: AbortSignal;
  /** Starts this command again in a child process. */
  readonly startChild: StartChild;
  /** The one cache of release images of this process, opened when it is first needed. */
  readonly openImageCache: () => Promise<ImageCache>;
  /** Only of a child process: the process that started it. */
  readonly parent: Parent | undefined;
  /** Where warnings go, if not to stderr: to the logs of a service. */
  readonly warn?: (text: string) => void;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
};

type Outside = Omit<Io, "out" | "outStyled" | "clear" | "err" | "progress"> & {
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
};

/** The only way to the terminal: no hidden character of an object, a file or an argument gets past it, and no secret to stderr. */
export function createIo({ writeOut, writeErr, ...outside }: Outside): Io {
  return {
    ...outside,
    out: (text) => writeOut(toVisibleOutput(text)),
    outStyled: (text) => writeOut(escapeAllButStyles(text)),
    clear: () => writeOut(CLEAR_SCREEN),
    err: (text) => writeErr(toVisibleOutput(redactText(replaceProgram(text, outside.program)))),
    progress: (line) => writeErr(`${CLEAR_LINE}${toLine(replaceProgram(line, outside.program))}`),
  };
}

/** Colour is for terminals, unless the user turned it off (no-color.org). */
export function hasColour(io: Io): boolean {
  return io.isOutTerminal && !io.env["NO_COLOR"] && io.env["TERM"] !== "dumb";
}

/** Says on stderr what ended a command; returns its exit code. Only what nobody expected has a stack. */
export function reportError(thrown: unknown, io: Io): 1 | 2 {
  if (isExpectedError(thrown)) {
    reportLine(formatError(thrown), io);
    return thrown instanceof UsageError ? 2 : 1;
  }
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  io.err(`preflight: unexpected error, please report it\n${text}\n`);
  return 1;
}

export function isExpectedError(thrown: unknown): boolean {
  return thrown instanceof UsageError || thrown instanceof FailedError;
}

export function reportLine(text: string, io: Io): void {
  io.err(`preflight: ${toLine(text)}\n`);
}

/** Says what a person should know, and what ends no command. */
export function warn(text: string, io: Io): void {
  if (io.warn === undefined) io.err(`warning: ${toLine(text)}\n`);
  else io.warn(text);
}
