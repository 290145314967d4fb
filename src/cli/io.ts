/** Everything outside the program that a command uses; the entry point passes the process's own. */
export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** stdout: the result and nothing else. */
  readonly out: (text: string) => void;
  /** stderr: for people. */
  readonly err: (text: string) => void;
  readonly isOutTerminal: boolean;
  readonly isErrTerminal: boolean;
  readonly width: number;
  readonly now: () => Date;
  readonly random: () => number;
  /** Aborted when the process receives a stop signal. */
  readonly stopSignal: AbortSignal;
};

/** Colour is for terminals, unless the user turned it off (no-color.org). */
export function hasColour(io: Io): boolean {
  return io.isOutTerminal && !io.env["NO_COLOR"] && io.env["TERM"] !== "dumb";
}
