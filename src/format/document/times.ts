import { formatTime } from "../../model/time.ts";
import { parseVersion } from "../../model/version.ts";

/** The name of one run of the process: its start and its target, or "unknown" if that could not be read. */
export function buildPreflightId(start: Date, targetVersion?: string): string {
  return `${formatTime(start)}-preflight-${parseVersionText(targetVersion) ?? "unknown"}`;
}

/** The text if it is a version: anything else that a user or a payload gives stays out of the document. */
export function parseVersionText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseVersion(text)?.text;
}
