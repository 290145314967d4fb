import { type Page, parseCodes } from "./pages.ts";

/** What the names in pages are looked up in. */
export type KnownNames = {
  /** The words of the code, without its comments. */
  readonly words: ReadonlySet<string>;
  /** What the sources declare or use, for the pages about them: a key that a result alone has is no name of the code. */
  readonly declared: ReadonlySet<string>;
  readonly files: readonly string[];
  /** Of preflight and of the project's tools, as "--check" and "--no-check". */
  readonly flags: ReadonlySet<string>;
};

export type NameFault = { readonly place: string; readonly name: string };

/** Names in code marks that neither the code nor the commands have. */
export function findNameFaults({ path, text }: Page, known: KnownNames): readonly NameFault[] {
  const isDesign = path.startsWith("docs/design/");
  return parseCodes(text).flatMap(({ number, text: code, isBlock }) => {
    const own = isBlock ? code.replace(/#.*/, "") : code;
    const unknown = [
      ...findUnknownFlags(own, known),
      ...findUnknownFiles(own, known),
      ...(isBlock ? [] : findUnknownWords(own, isDesign ? known.declared : known.words)),
      ...(isDesign && !isBlock && /^[a-z]+$/.test(own) && !known.declared.has(own) ? [own] : []),
    ];
    return unknown.map((name) => ({ place: `${path}:${number}`, name }));
  });
}

const NAME = /[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*/g;
/** All but the key of an object literal: a member of a type is `readonly`, and a parameter is used. */
const DECLARED_NAME = /(?<=\breadonly )\w+(?=\??:)|(?<![\w$])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*(?![\w$]|:)/g;

export function parseWords(text: string): readonly string[] {
  return removeComments(text).match(NAME) ?? [];
}

export function parseDeclaredNames(code: string): readonly string[] {
  return removeComments(code).match(DECLARED_NAME) ?? [];
}

function removeComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*|#).*$/gm, "");
}

/** Of names with a capital or an underscore within: types, functions, fields, conditions, reasons, risks, variables. Capitals alone stand for a value. */
function findUnknownWords(code: string, words: ReadonlySet<string>): readonly string[] {
  const names = code.replaceAll(/\S*\/\S*/g, "").match(NAME) ?? [];
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

/** Of preflight or of the project's tools, where they stand alone: other programs have their own. */
function findUnknownFlags(code: string, { flags }: KnownNames): readonly string[] {
  return /^--[a-z]/.test(code) ? (code.match(/(?<= |^)--[a-z][\w-]*/g) ?? []).filter((flag) => !flags.has(flag)) : [];
}
