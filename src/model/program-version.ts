import { parseVersion } from "./version.ts";

/** Defined by the build; a run from source has no version. */
declare const PREFLIGHT_VERSION: string | undefined;

const SOURCE_VERSION = "0.0.0-source";
export const VERSION = typeof PREFLIGHT_VERSION === "string" ? PREFLIGHT_VERSION : SOURCE_VERSION;

/** Whether something needs a later preflight than this one. A run from source has all that there is, and so has a pre-release of a version. */
export function isLaterPreflight(required: string, own = VERSION): boolean {
  const needed = parseVersion(required);
  const running = parseVersion(own);
  if (needed === undefined || running === undefined || own === SOURCE_VERSION) return false;
  return (needed.major - running.major || needed.minor - running.minor || needed.patch - running.patch) > 0;
}

/** "it needs preflight 0.4.0 or later, and this is 0.3.1" */
export function describeLaterPreflight(required: string, own = VERSION): string {
  return `it needs preflight ${required} or later, and this is ${own}`;
}
