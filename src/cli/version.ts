/** Put in place by the build; a run from source has no version of its own. */
declare const PREFLIGHT_VERSION: string | undefined;

export const VERSION = typeof PREFLIGHT_VERSION === "string" ? PREFLIGHT_VERSION : "0.0.0-source";

/** What we call ourselves to an API server. */
export const USER_AGENT = `target-release-preflight/${VERSION}`;
