import type { Command } from "../../../src/cli/settings/command.ts";
import { type Page, parseCodeSpans, parseLines } from "./pages.ts";

/** What the names in pages are looked up in. */
export type KnownNames = {
  /** The words of the code, without its comments. */
  readonly words: ReadonlySet<string>;
  readonly files: readonly string[];
  readonly scripts: ReadonlySet<string>;
  readonly commands: readonly Pick<Command, "name" | "settings">[];
  /** Flags of the project's tools, as "--check". */
  readonly toolFlags: ReadonlySet<string>;
};

export type NameFault = { readonly place: string; readonly name: string };

/** Names in code marks that neither the code nor the commands have. */
export function findNameFaults({ path, text }: Page, known: KnownNames): readonly NameFault[] {
  return parseLines(text).flatMap((line) => {
    const isCode = line.prose === "" && line.text !== "";
    const codes = isCode ? [line.text.replace(/#.*/, "").trim()] : parseCodeSpans(line.text);
    const unknown = codes.flatMap((code) => [
      ...findUnknownCommands(code, known),
      ...findUnknownFiles(code, known),
      ...(isCode ? [] : findUnknownWords(code, known)),
    ]);
    return unknown.map((name) => ({ place: `${path}:${line.number}`, name }));
  });
}

/** Of names with a capital or an underscore within: types, functions, fields, conditions, reasons, risks, variables. Capitals alone stand for a value. */
function findUnknownWords(code: string, { words }: KnownNames): readonly string[] {
  const names = code.replaceAll(/\S*\/\S*/g, "").match(/[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*/g) ?? [];
  return names.filter((name) => /.[A-Z]|_/.test(name) && !/^[A-Z]+$/.test(name) && !words.has(name));
}

const PATH = /(?<![\w/.<>~:=-])(?:[\w.<>*@-]+\/)+[\w.<>*@-]*/g;
const CODE_FILE = /(?<![\w/.<>*-])[\w-]+(?:\.test)?\.(?:ts|mjs)\b/g;

/** Paths whose first folder is the project's, and names of files with code. "<id>", "ID" and "*" stand for any. */
function findUnknownFiles(code: string, { files }: KnownNames): readonly string[] {
  const folders = new Set(files.map((file) => file.slice(0, file.indexOf("/") + 1)));
  const paths = (code.match(PATH) ?? []).filter((path) => folders.has(path.slice(0, path.indexOf("/") + 1)));
  const names = (code.match(CODE_FILE) ?? []).map((name) => `**/${name}`);
  return [...paths, ...names].filter((path) => {
    const form = toPattern(path);
    return !files.some((file) => form.test(file));
  });
}

function toPattern(path: string): RegExp {
  const text = path
    .replace(/\.?\/?$/, "")
    .replaceAll(/[.]/g, String.raw`\.`)
    .replace("**/", "(?:.*/)?")
    .replaceAll(/<[\w-]+>|\b(?:ID|NAME|DIR)\b|(?<!\.)\*/g, "[^/]+");
  return new RegExp(`^${text}(?:$|[/.])`);
}

/** Scripts of npm, and commands of preflight with their flags. Other programs have their own. */
function findUnknownCommands(code: string, known: KnownNames): readonly string[] {
  const [, run, short, flags = ""] =
    /^npm (?:run (?:--silent )?([\w:-]+)|(test|start)\b)(?:.* -- (--.*))?/.exec(code) ?? [];
  const script = run ?? short;
  if (script !== undefined)
    return known.scripts.has(script) ? listFlags(flags).filter((flag) => !known.toolFlags.has(flag)) : [code];
  const [, words] =
    /^(?:\$ )?(?:(?:dist\/|\.\/)?preflight\b|kubectl preflight-update|(?=--[a-z]))(.*)/.exec(code) ?? [];
  return words === undefined ? [] : findUnknownFlags(words.replace(/ (?:\||&&|>) .*/, ""), known);
}

function findUnknownFlags(words: string, { commands, toolFlags }: KnownNames): readonly string[] {
  const [, name] = /^ (checks [a-z]+|[a-z][a-z-]*)/.exec(words) ?? [];
  if (name === "help" || name === "version") return [];
  const named = commands.filter((command) => command.name === name);
  if (name !== undefined && named.length === 0) return [`preflight ${name}`];
  const flags = new Set((named.length > 0 ? named : commands).flatMap(({ settings }) => Object.keys(settings)));
  return listFlags(words).filter((flag) => {
    const isKnown = flags.has(flag.slice(2)) || flags.has(flag.replace("--no-", "")) || COMMON.has(flag);
    return !isKnown && (name !== undefined || !toolFlags.has(flag));
  });
}

const COMMON = new Set(["--help", "--version"]);

function listFlags(words: string): readonly string[] {
  return words.match(/(?<= |^)--[a-z][\w-]*/g) ?? [];
}
