/** What the exit codes of a command say. */
export type ExitCodes = {
  readonly 0: string;
  readonly 1: string;
  readonly 2: string;
  readonly 3?: string;
  readonly 4?: string;
};

/** Refuses codes `C` of which a command that ends with `R` never ends with one; any can end with 1 and 2, by an error. */
export type AllReached<C extends ExitCodes, R> = Exclude<keyof C, 1 | 2> extends R ? unknown : never;

export const PLAIN_EXIT_CODES = { 0: "success", 1: "failure", 2: "wrong usage" } as const satisfies ExitCodes;

/** Of commands that judge a cluster. */
export const VERDICT_EXIT_CODES = {
  0: "no unaccepted risk",
  1: "the preflight failed",
  2: "wrong usage",
  3: "an unaccepted risk",
  4: "no unaccepted risk, but the result is incomplete",
} as const satisfies ExitCodes;

/** "0 success, 1 failure, 2 wrong usage." */
export function formatExitCodes(codes: ExitCodes): string {
  return `${Object.entries(codes)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ")}.`;
}
