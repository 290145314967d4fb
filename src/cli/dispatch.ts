import type { Io } from "./io.ts";
import { parseCommandLine } from "./command-line/parser.ts";
import { VERSION } from "./version.ts";

/** Runs the command that the arguments name; resolves with the exit code. */
export async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  // The arguments of an image whose entrypoint is preflight may name the program again.
  const words = argv[0] === "preflight" ? argv.slice(1) : argv;
  const parsed = await parseCommandLine(words, io.env, Math.min(io.width, 120));
  switch (parsed.kind) {
    case "print":
      io.out(parsed.text);
      return 0;
    case "version":
      io.out(`preflight ${VERSION}\n`);
      return 0;
    case "command":
      return parsed.command.run(parsed.parsed, io);
  }
}
