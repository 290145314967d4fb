import { UsageError } from "../../model/errors.ts";
import type { ReadLimitValues } from "./config-settings.ts";

/** Times in milliseconds. */
export type ReadLimits = { readonly concurrency: number; readonly checkTimeout: number; readonly cycleTimeout: number };

const MAX_CONCURRENCY = 32;

export function parseReadLimits(values: ReadLimitValues): ReadLimits {
  const { concurrency, "check-timeout": checkTimeout, "cycle-timeout": cycleTimeout } = values;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
    throw new UsageError(`--concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}`);
  return { concurrency, checkTimeout, cycleTimeout };
}
