/** What is fuzzed: each file in targets/ exports one as `target`. */
export type FuzzTarget = {
  /** Valid inputs from which others are made. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Gives the bytes to the code. Throws, or rejects, with anything but a FailedError or a UsageError if the code has a fault. */
  readonly run: (input: Buffer) => void | Promise<void>;
  readonly maxBytes?: number;
};

/** Separates the texts of an input that has several. */
export const SEPARATOR = "\n=====\n";

export function joinTexts(...texts: readonly string[]): string {
  return texts.join(SEPARATOR);
}

export function splitTexts(input: Buffer): readonly string[] {
  return input.toString("utf8").split(SEPARATOR);
}
