import { handedOnSettings, type McpValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";
import type { ConfigFile, ParsedFlags, Settings } from "../../settings/command.ts";
import { formatFlags } from "./arguments.ts";
import { createRunCommand } from "./run-command.ts";
import { serveTools } from "./server.ts";
import { createTools } from "./tools.ts";
import { readReleaseFolders } from "../plan/plan-session.ts";

/** Serves the tools until the client is gone; resolves with 0. */
export async function run(values: McpValues, io: Io): Promise<0> {
  const tools = createTools({
    runCommand: createRunCommand(),
    flags: formatServerFlags(handedOnSettings, values),
    checks: [...formatFlags("checks", values.checks), ...formatKnownBugsFlags(values)],
    folders: await readReleaseFolders(values.release),
    now: io.now,
    hasContext: values.context === undefined && values.recorded === undefined,
  });
  await serveTools(tools, io.stopSignal, (line) => io.err(`preflight: ${line}\n`));
  return 0;
}

function formatKnownBugsFlags({ "known-bugs": place, "known-bugs-older": mayBeOlder }: McpValues): readonly string[] {
  if (place === undefined) return [];
  return [`--known-bugs=${place}`, ...(mayBeOlder ? ["--known-bugs-older"] : [])];
}

/** The settings of the server as flags of the commands that it runs. Durations are milliseconds. */
function formatServerFlags(
  settings: Settings,
  { config, ...values }: ParsedFlags & { readonly config: ConfigFile | undefined },
): readonly string[] {
  return Object.entries(settings).flatMap(([flag, { type }]) => {
    const value = values[flag];
    // Without a file that the server was given, its commands look for none.
    if (type === "config") return [config === undefined ? `--no-${flag}` : `--${flag}=${config.path}`];
    const texts = Array.isArray(value) ? value.map(String) : [value].filter((one) => one !== undefined).map(String);
    if (type === "boolean") return [value === true ? `--${flag}` : `--no-${flag}`];
    return texts.map((text) => `--${flag}=${text}${type === "duration" ? "ms" : ""}`);
  });
}
