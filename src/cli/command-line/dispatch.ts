import { type Io, isExpectedError, reportError, reportLine } from "../io/io.ts";
import { formatError } from "../../model/errors.ts";
import type { CommandLine } from "./parser.ts";
import type { ConfigFile } from "../settings/command.ts";
import { endAfterGrace, getStopExitCode } from "../process/stop-signal.ts";
import { replaceProgram } from "../../model/program-name.ts";
import { COMPLETE_COMMAND } from "../io/program.ts";
import { VERSION } from "../../model/program-version.ts";

/** Runs the program with these arguments; resolves with the exit code. Imports what a command needs when it is needed, which keeps the start fast. */
export async function runProgram(argv: readonly string[], io: Io): Promise<number> {
  try {
    if (argv[0] !== COMPLETE_COMMAND) return await dispatch(argv, io);
    const { runComplete } = await import("./completion.ts");
    return await runComplete(argv.slice(1), io);
  } catch (thrown) {
    return reportError(thrown, io);
  }
}

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
      return runCommand(line, config, io);
  }
}

/** A command that was stopped says so by its exit code; a service that was stopped has done its work. */
async function runCommand(
  { command, parsed }: Extract<CommandLine, { kind: "command" }>,
  config: ConfigFile | undefined,
  io: Io,
): Promise<number> {
  const isService = command.process === "service";
  if (!isService) endAfterGrace(io, (reason) => reportLine(formatError(reason), io));
  const code = await command.run(parsed, io, config).catch((thrown: unknown) => {
    if (!isExpectedError(thrown)) throw thrown;
    return reportError(thrown, io);
  });
  const stopCode = getStopExitCode(io.stopSignal);
  const { endsWhenStopped } = command;
  const hasResult = endsWhenStopped !== undefined && parsed[endsWhenStopped] === true && code !== 1;
  if (stopCode === undefined || hasResult) return code;
  return isService ? 0 : stopCode;
}

type ConfiguredLine = { readonly line: CommandLine; readonly config?: ConfigFile };

/** Parses again with the defaults of the configuration file, if the command has one that sets some. */
async function parseWithConfig(words: readonly string[], io: Io): Promise<ConfiguredLine> {
  const width = Math.min(io.width, 120);
  const { parseCommandLine } = await import("./parser.ts");
  const line = await parseCommandLine(words, io.env, width);
  if (line.kind !== "command" || !("config" in line.command.settings)) return { line };
  const { findConfig } = await import("../settings/config-file.ts");
  const { COMMANDS } = await import("../commands/index.ts");
  const config = await findConfig(line.command.settings["config"], line.parsed["config"], COMMANDS);
  if (config === undefined) return { line };
  return { line: await parseCommandLine(words, io.env, width, config.settings), config };
}
