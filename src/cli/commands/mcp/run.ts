import { handedOnSettings, type McpValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";
import { createRunCommand } from "./run-command.ts";
import { formatServerFlags } from "./server-flags.ts";
import { serveTools } from "./server.ts";
import { createTools } from "./tools.ts";
import { readReleaseFolders } from "../../plan/release-folders.ts";

/** Serves the tools until the client is gone; resolves with 0. */
export async function run(values: McpValues, io: Io): Promise<0> {
  const tools = createTools({
    runCommand: createRunCommand(),
    flags: formatServerFlags(handedOnSettings, values),
    folders: await readReleaseFolders(values.release),
    hasContext: values.context === undefined && values.recorded === undefined,
  });
  await serveTools(tools, io.stopSignal, (line) => io.err(`preflight: ${line}\n`));
  return 0;
}
