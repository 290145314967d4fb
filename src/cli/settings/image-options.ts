import process from "node:process";
import { FailedError, UsageError } from "../../model/errors.ts";
import type { ImageCache } from "../../release/image/image-cache.ts";
import type { ImageOptions } from "../../release/image/image-options.ts";
import type { Mirror } from "../../release/image/mirrors.ts";
import type { Io } from "../io/io.ts";
import { warn } from "../io/error-report.ts";
import { USER_AGENT } from "../io/program.ts";
import type { ValuesOf } from "./command.ts";
import type { registrySettings } from "./image-settings.ts";

export type RegistryValues = ValuesOf<typeof registrySettings>;

/** How images are read as the flags say; commands without these flags have none. */
export function buildImageOptions(values: Partial<RegistryValues>, mirrors: readonly Mirror[], io: Io): ImageOptions {
  const { "image-min-rate": minBytesPerSecond, "image-timeout": timeoutMs } = values;
  const isLimited = minBytesPerSecond !== undefined && timeoutMs !== undefined;
  return {
    env: io.env,
    now: io.now(),
    signal: io.stopSignal,
    userAgent: USER_AGENT,
    machine: process.arch,
    mirrors,
    ...(isLimited ? { transferLimits: { minBytesPerSecond, timeoutMs } } : {}),
    arch: values.arch,
    authFile: values.authfile,
    caFile: values["registry-ca"],
  };
}

/** The cache of this process; says once if it can't be the user's. */
export async function openImageCache(io: Io): Promise<ImageCache> {
  const cache = await io.openImageCache();
  const warning = cache.takeWarning();
  if (warning !== undefined) warn(warning, io);
  return cache;
}

/** What a flag holds; text that can't be parsed is wrong usage. */
export function parseFlag<T>(flag: string, parse: () => T): T {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof FailedError) throw new UsageError(`--${flag}: ${thrown.message}`);
    throw thrown;
  }
}
