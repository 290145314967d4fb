import type { Io } from "./io.ts";
import { UsageError } from "../model/errors.ts";
import { type CommandLine, parseCommandLine } from "./command-line/parser.ts";
import { COMMANDS, DEFAULT_COMMAND } from "./definitions/index.ts";
import type { ConfigFile } from "./inputs/config-file.ts";
import { formatDidYouMean } from "../model/nearest-name.ts";
import { replaceProgram } from "./program.ts";
import { VERSION } from "./version.ts";

/** Runs the command that the arguments name; resolves with the exit code. */
export async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  // The arguments of an image whose entrypoint is preflight may name the program again.
  const words = argv[0] === "preflight" ? argv.slice(1) : argv;
  const parsed = await parseWithConfig(words, io);
  switch (parsed.kind) {
    case "print":
      io.out(replaceProgram(parsed.text, io.program));
      return 0;
    case "version":
      io.out(`preflight ${VERSION}\n`);
      return 0;
    case "command":
      return parsed.command.run(parsed.parsed, io);
  }
}

/** Parses again with the defaults of the configuration file, if the command has one that sets some. */
async function parseWithConfig(words: readonly string[], io: Io): Promise<CommandLine> {
  const width = Math.min(io.width, 120);
  const parsed = await parseCommandLine(words, io.env, width);
  if (parsed.kind !== "command" || !("config" in parsed.command.settings)) return parsed;
  const { readConfig } = await import("./inputs/config-file.ts");
  const path = parsed.parsed["config"];
  // A runner's file is part of its Deployment, and named there.
  if (path === undefined && parsed.command === DEFAULT_COMMAND) return parsed;
  const config = await readConfig(typeof path === "string" ? path : undefined);
  if (config === undefined || Object.keys(config.settings).length === 0) return parsed;
  requireKnownSettings(config);
  return parseCommandLine(words, io.env, width, config.settings);
}

function requireKnownSettings({ path, settings }: ConfigFile): void {
  const known = COMMANDS.flatMap((command) => Object.keys(command.settings));
  const unknown = Object.keys(settings).find((flag) => !known.includes(flag));
  if (unknown === undefined) return;
  throw new UsageError(`${path}: no setting is called "${unknown}"${formatDidYouMean(unknown, known)}`);
}
