import { parseVersion } from "../model/version.ts";

/** RFC 3339 in whole seconds, UTC: "2026-02-06T15:30:00Z". */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** The name of one run of the process: when it started, and its target, or "unknown" where that could not be read. */
export function buildPreflightId(start: Date, targetVersion?: string): string {
  return `${formatTime(start)}-preflight-${parseVersionText(targetVersion) ?? "unknown"}`;
}

/** A version only if it is one: what a user or a payload gives in its place stays out of the document. */
export function parseVersionText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseVersion(text)?.text;
}
