import { parseCommandLine } from "../../../src/cli/command-line/parser.ts";
import { parseValues } from "../../../src/cli/settings/values.ts";
import { COMMANDS } from "../../../src/cli/commands/index.ts";
import type { Setting } from "../../../src/cli/settings/command.ts";
import { formatError, UsageError } from "../../../src/model/errors.ts";
import { type Page, parseCodes } from "./pages.ts";
import { splitCommands } from "./shell-words.ts";

/** What the commands in pages are looked up in. */
export type KnownCommands = {
  /** Of npm, and of the project's Makefiles. */
  readonly scripts: ReadonlySet<string>;
  readonly makeTargets: ReadonlySet<string>;
  /** Flags of the project's tools, as "--check". */
  readonly toolFlags: ReadonlySet<string>;
};

export type CommandFault = { readonly place: string; readonly command: string; readonly message: string };

/** Commands of preflight that its own parser refuses, scripts of npm and targets of make that there are not. */
export async function findCommandFaults({ path, text }: Page, known: KnownCommands): Promise<readonly CommandFault[]> {
  const faults: CommandFault[] = [];
  for (const code of parseCodes(text))
    for (const words of splitCommands(code.text)) {
      const message = await findFault(words, code.isBlock, known);
      if (message !== undefined) faults.push({ place: `${path}:${code.number}`, command: words.join(" "), message });
    }
  return faults;
}

async function findFault(
  words: readonly string[],
  isWhole: boolean,
  { scripts, makeTargets, toolFlags }: KnownCommands,
): Promise<string | undefined> {
  const [program = "", first = "", ...rest] = words;
  const args = getPreflightArgs(words);
  if (args !== undefined) return findPreflightFault(args, isWhole);
  if (program === "make") return /^[a-z]/.test(first) && !makeTargets.has(first) ? `no target ${first}` : undefined;
  if (program !== "npm") return undefined;
  const name =
    first === "run" ? rest.find((word) => !word.startsWith("-")) : ["start", "test"].find((one) => one === first);
  if (name === undefined) return undefined;
  if (!scripts.has(name)) return `no script ${name}`;
  const flag =
    name === "start" ? undefined : getScriptArgs(words).find((word) => /^--[a-z]/.test(word) && !toolFlags.has(word));
  return flag === undefined ? undefined : `no flag ${flag}`;
}

function getScriptArgs(words: readonly string[]): readonly string[] {
  const separator = words.indexOf("--");
  return separator < 0 ? [] : words.slice(separator + 1);
}

/** The words after preflight, by whatever name it is called. */
function getPreflightArgs(words: readonly string[]): readonly string[] | undefined {
  const [program = "", first = ""] = words;
  if (/^(?:.*\/)?preflight$/.test(program)) return words.slice(1);
  if (program === "node" && first === "dist/preflight") return words.slice(2);
  if (["oc", "kubectl"].includes(program) && first === "preflight-update") return words.slice(2);
  if (program === "npm" && first === "start" && words.includes("--")) return getScriptArgs(words);
  return undefined;
}

/** In text, a command may be named by its first words alone. */
const LACKS = / needs (?:a value|[A-Z])|is required|name what to do/;

async function findPreflightFault(words: readonly string[], isWhole: boolean): Promise<string | undefined> {
  const args = words.filter((word) => !/^(?:\.\.\.|…)$/.test(word));
  if (!isWhole && isName(args)) return undefined;
  try {
    const line = await parseCommandLine(fillPlaceholders(args), {}, 100);
    if (line.kind === "command") parseValues(line.command.settings, line.command.operands, line.parsed, undefined);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    const isNamed = !isWhole || args.length < words.length;
    return isNamed && LACKS.test(thrown.message) ? undefined : formatError(thrown);
  }
}

/** Whether the words are a command's name and nothing else. */
function isName(words: readonly string[]): boolean {
  return NAMES.has(words.join(" "));
}

const NAMES: ReadonlySet<string> = new Set(COMMANDS.map(({ name }) => name));
const SETTINGS: ReadonlyMap<string, Setting> = new Map(COMMANDS.flatMap(({ settings }) => Object.entries(settings)));

/** A value for each word that stands for one, such as "DURATION", if not every text is a value. */
function fillPlaceholders(args: readonly string[]): readonly string[] {
  return args.map((word, i) => {
    const [, flag, value] = /^--([\w-]+)=(.*)$/.exec(word) ?? [];
    if (flag !== undefined) return `--${flag}=${fillPlaceholder(flag, value ?? "")}`;
    return fillPlaceholder(args[i - 1]?.replace(/^--/, "") ?? "", word);
  });
}

function fillPlaceholder(flag: string, value: string): string {
  const setting = SETTINGS.get(flag);
  if (setting === undefined || !/^(?:[A-Z][A-Z_]*|<[\w-]+>|\$\w+|.*\|.*)$/.test(value)) return value;
  if (setting.type === "duration") return "1m";
  if (setting.type === "number") return "1";
  if (value.startsWith("$") && "choices" in setting) return setting.choices?.[0] ?? value;
  return value.split("|")[0] ?? value;
}
