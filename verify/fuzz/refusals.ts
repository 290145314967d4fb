import { FailedError, UsageError } from "../../src/model/errors.ts";

/** Code may refuse an input with a line of its own. */
export function isRefusal(thrown: unknown): boolean {
  return thrown instanceof FailedError || thrown instanceof UsageError;
}

/** What the code makes of an input; undefined if it refuses it. */
export async function unlessRefused<T>(act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (thrown) {
    if (isRefusal(thrown)) return undefined;
    throw thrown;
  }
}
