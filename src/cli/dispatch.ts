import type { Io } from "./io.ts";
import { parseCommandLine, type CommandLine } from "./command-line/parser.ts";
import { VERSION } from "./version.ts";

/** Runs the command that the arguments name; gives the exit code. */
export async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  // An image whose entrypoint is preflight may be given the word once more.
  const words = argv[0] === "preflight" ? argv.slice(1) : argv;
  const parsed = await parseCommandLine(words, io.env, Math.min(io.width, 120));
  if (parsed.kind === "print") {
    io.out(parsed.text);
    return 0;
  }
  if (parsed.args.flag("version")) {
    io.out(`preflight ${VERSION}\n`);
    return 0;
  }
  return runCommand(parsed, io);
}

async function runCommand(
  { name, args, operands }: Extract<CommandLine, { kind: "command" }>,
  io: Io,
): Promise<number> {
  switch (name) {
    case "run":
      return (await import("./commands/run.ts")).run(args, io);
    case "check":
      return (await import("./commands/check.ts")).check(args, io);
    case "list":
      return (await import("./commands/list.ts")).list(args, io);
    case "explain":
      return (await import("./commands/explain.ts")).explain(operands, io);
    case "rbac":
      return (await import("./commands/rbac.ts")).rbac(args, io);
    case "record":
      return (await import("./commands/record.ts")).record(args, io);
    case "request":
      return (await import("./commands/request.ts")).request(args, io);
    case "status":
      return (await import("./commands/status.ts")).status(args, io);
    case "cancel":
      return (await import("./commands/cancel.ts")).cancel(args, io);
    case "accept":
      return (await import("./commands/accept.ts")).accept(args, operands, io);
    case "controller":
      return (await import("./commands/controller.ts")).controller(args, io);
    case "update-status-controller":
      return (await import("./commands/update-status-controller.ts")).updateStatusController(args, io);
    case "validate":
      return (await import("./commands/validate.ts")).validate(operands, io);
  }
}
