import { basename } from "node:path";

const PLUGIN = /^(kubectl|oc)-preflight_update$/;

/** How the user calls this program: as itself or, by the name of its file, as a plugin. kubectl reads "_" in the name of a plugin as "-". */
export function findProgram(path: string): string {
  const tool = PLUGIN.exec(basename(path))?.[1];
  return tool === undefined ? "preflight" : `${tool} preflight-update`;
}

/** The text of a command with the program as the user calls it. */
export function replaceProgram(command: string, program: string): string {
  return command.replaceAll(/(?<![\w-])preflight (?=-|[a-z]+\b)/g, `${program} `);
}
