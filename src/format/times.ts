import { formatTime } from "../model/time.ts";
import { parseVersion } from "../model/version.ts";

/** The name of one run of the process: when it started, and its target, or "unknown" where that could not be read. */
export function buildPreflightId(start: Date, targetVersion?: string): string {
  return `${formatTime(start)}-preflight-${parseVersionText(targetVersion) ?? "unknown"}`;
}

/** A version only if it is one: what a user or a payload gives in its place stays out of the document. */
export function parseVersionText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseVersion(text)?.text;
}
