/** Defined by the build; a run from source has no version. */
declare const PREFLIGHT_VERSION: string | undefined;

export const VERSION = typeof PREFLIGHT_VERSION === "string" ? PREFLIGHT_VERSION : "0.0.0-source";

/** The User-Agent header of requests to API servers. */
export const USER_AGENT = `target-release-preflight/${VERSION}`;
