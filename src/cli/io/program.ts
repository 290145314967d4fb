import { basename } from "node:path";
import { PROGRAM } from "../../model/program-name.ts";
import { VERSION } from "../../model/program-version.ts";

/** The User-Agent header of requests to API servers. */
export const USER_AGENT = `target-release-preflight/${VERSION}`;

export const HELP_FLAGS = ["--help", "-h"];
export const VERSION_FLAGS = ["--version", "-v"];
/** What the completion scripts call: not for people, so help does not show it. */
export const COMPLETE_COMMAND = "__complete";

const PLUGIN = /^(kubectl|oc)-preflight_update$/;

/** How the user calls this program: as itself or, by the name of its file, as a plugin. kubectl reads "_" in the name of a plugin as "-". */
export function findProgram(path: string): string {
  const tool = PLUGIN.exec(basename(path))?.[1];
  return tool === undefined ? PROGRAM : `${tool} preflight-update`;
}
