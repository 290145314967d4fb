import { type ParseArgsConfig, parseArgs } from "node:util";
import { formatError } from "../../src/model/errors.ts";

type Flag = NonNullable<ParseArgsConfig["options"]>[string] & { readonly help: string };
type Flags = Readonly<Record<string, Flag>>;

/** The flags of all tools, in the same words. A tool takes those that mean something for it. */
export const COMMON = {
  seed: { type: "string", default: "1", help: "of the random choices" },
  seconds: { type: "string", help: "begin nothing new after so many seconds" },
  write: { type: "boolean", default: false, help: "write what was found into the tool's page" },
  case: { type: "string", help: "ask one saved case again, and nothing else" },
} as const satisfies Flags;

export type Tool<T extends Flags> = {
  /** "npm run churn --" */
  readonly command: string;
  /** What it does, in a sentence. */
  readonly about: string;
  /** Its words beside the flags, such as "[SOURCE TARGET]"; without it, there are none. */
  readonly operands?: string;
  readonly flags: T;
};

const NUMBER = /^\d+$/;

/** What the arguments say; a line for stderr and an exit code where they say nothing that can be run. */
export type ReadFlags<T extends Flags> =
  | { readonly kind: "run"; readonly flags: ReturnType<typeof parse<T>> }
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "wrong"; readonly text: string };

function parse<T extends Flags>(flags: T, args: readonly string[], allowPositionals: boolean) {
  return parseArgs({ args: [...args], options: flags, allowPositionals });
}

export function readFlags<T extends Flags>(tool: Tool<T>, args: readonly string[]): ReadFlags<T> {
  if (args.includes("--help")) return { kind: "help", text: formatHelp(tool) };
  try {
    const flags = parse(tool.flags, args, tool.operands !== undefined);
    const wrong = findNonNumber(tool.flags, new Map(Object.entries(flags.values)));
    return wrong === undefined ? { kind: "run", flags } : { kind: "wrong", text: wrong };
  } catch (thrown) {
    return { kind: "wrong", text: formatError(thrown).split("\n")[0] ?? "" };
  }
}

/** A flag whose default is a number takes numbers, and so do those that all tools have. */
function findNonNumber(flags: Flags, values: ReadonlyMap<string, unknown>): string | undefined {
  const wrong = Object.entries(flags).find(([name, { default: usual }]) => {
    const isNumber = name === "seconds" || (typeof usual === "string" && NUMBER.test(usual));
    const value = values.get(name);
    return isNumber && typeof value === "string" && !NUMBER.test(value);
  });
  return wrong && `--${wrong[0]} takes a whole number: ${JSON.stringify(values.get(wrong[0]))}`;
}

function formatHelp({ command, about, operands, flags }: Tool<Flags>): string {
  const rows = Object.entries(flags).map(([name, { type, default: usual, help }]) => {
    const value = type === "boolean" ? "" : ` ${name.toUpperCase()}`;
    return [`--${name}${value}`, usual === undefined || usual === false ? help : `${help} (${String(usual)})`] as const;
  });
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return [
    `Usage: ${[command, operands, "[FLAGS]"].filter((word) => word !== undefined).join(" ")}`,
    "",
    about,
    "",
    ...rows.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`),
    "",
    "Exits with 0 if nothing was found, with 1 if something was, with 2 if a flag is wrong, and with 3 if it could not run.",
    "",
  ].join("\n");
}

/** For a tool's own process: ends it where there is nothing to run. */
export function requireFlags<T extends Flags>(tool: Tool<T>): ReturnType<typeof parse<T>> {
  const read = readFlags(tool, process.argv.slice(2));
  switch (read.kind) {
    case "run":
      return read.flags;
    case "help":
      process.stdout.write(read.text);
      return process.exit(0);
    case "wrong":
      process.stderr.write(`${tool.command.replace(/ --$/, "")}: ${read.text} (--help lists its flags)\n`);
      return process.exit(2);
  }
}

/** For a tool that lacks what it runs against. */
export function endWithout(what: string): never {
  process.stderr.write(`${what}\n`);
  return process.exit(3);
}
