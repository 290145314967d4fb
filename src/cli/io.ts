/** All of the outside that a command touches; the entry point gives the process's own. */
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
  /** Aborted when the process is told to stop. */
  readonly stopSignal: AbortSignal;
};

/** Colour only where a person looks, and not where they said they don't want it (no-color.org). */
export function hasColour(io: Io): boolean {
  return io.isOutTerminal && !io.env["NO_COLOR"] && io.env["TERM"] !== "dumb";
}
