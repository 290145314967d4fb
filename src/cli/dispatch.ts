import type { Io } from "./io.ts";
import { type CommandLine, parseCommandLine } from "./command-line/parser.ts";
import { COMMANDS } from "./definitions/index.ts";
import type { ConfigFile } from "./inputs/config-file.ts";
import { replaceProgram } from "./program.ts";
import { VERSION } from "./version.ts";

/** Runs the command that the arguments name; resolves with the exit code. */
export async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  // The arguments of an image whose entrypoint is preflight may name the program again.
  const words = argv[0] === "preflight" ? argv.slice(1) : argv;
  const { line, config } = await parseWithConfig(words, io);
  switch (line.kind) {
    case "print":
      io.out(replaceProgram(line.text, io.program));
      return 0;
    case "version":
      io.out(`preflight ${VERSION}\n`);
      return 0;
    case "command":
      return line.command.run(line.parsed, io, config);
  }
}

type ConfiguredLine = { readonly line: CommandLine; readonly config?: ConfigFile };

/** Parses again with the defaults of the configuration file, if the command has one that sets some. */
async function parseWithConfig(words: readonly string[], io: Io): Promise<ConfiguredLine> {
  const width = Math.min(io.width, 120);
  const line = await parseCommandLine(words, io.env, width);
  if (line.kind !== "command" || !("config" in line.command.settings)) return { line };
  const { findConfig } = await import("./inputs/config-file.ts");
  const config = await findConfig(line.command.settings["config"], line.parsed["config"], COMMANDS);
  if (config === undefined) return { line };
  return { line: await parseCommandLine(words, io.env, width, config.settings), config };
}
