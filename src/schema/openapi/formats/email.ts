import { isIp } from "./network.ts";

const BEYOND_ASCII = "\u0080-\u{10ffff}";
const ATOM = new RegExp(`^[A-Za-z0-9!#$%&'*+\\-/=?^_\`{|}~.${BEYOND_ASCII}]+`, "u");
const QUOTED = new RegExp(`^"((?:[\\t !#-\\[\\]-~${BEYOND_ASCII}]|\\\\[\\t -~${BEYOND_ASCII}])*)"`, "u");
const DOMAIN_LITERAL = /^\[([^\]]*)\]/;

/** The rest of a text after its parsed beginning; undefined if the beginning doesn't match. */
type Remainder = string | undefined;

/** Longer texts are accepted without parsing. */
const MAX_LENGTH = 100_000;

/** One mail address, with or without a name, that Go's mail.ParseAddress accepts. */
export function isEmail(text: string): boolean {
  if (text.length > MAX_LENGTH) return true;
  const start = trimLeft(text);
  const rest = skipAddress(start) ?? skipNamedAddress(start) ?? skipGroup(start);
  return rest !== undefined && skipComments(rest) === "";
}

function trimLeft(text: string): string {
  return text.replace(/^[ \t]+/, "");
}

/** local@domain */
function skipAddress(text: string): Remainder {
  const start = trimLeft(text);
  const local = start.startsWith('"') ? skipQuotedText(start, true) : skipDotAtom(start);
  if (!local?.startsWith("@")) return undefined;
  const domain = trimLeft(local.slice(1));
  if (!domain.startsWith("[")) return skipDotAtom(domain);
  const literal = DOMAIN_LITERAL.exec(domain);
  return literal && isIp(literal[1] ?? "") ? domain.slice(literal[0].length) : undefined;
}

/** Name <local@domain> */
function skipNamedAddress(text: string): Remainder {
  const phrase = text.startsWith("<") ? text : skipPhrase(text);
  const start = phrase === undefined ? "" : trimLeft(phrase);
  if (!start.startsWith("<")) return undefined;
  const rest = skipAddress(start.slice(1));
  return rest?.startsWith(">") ? rest.slice(1) : undefined;
}

/** Name: local@domain; */
function skipGroup(text: string): Remainder {
  const phrase = skipPhrase(text);
  const start = phrase === undefined ? "" : trimLeft(phrase);
  if (!start.startsWith(":")) return undefined;
  const member = trimLeft(start.slice(1));
  const rest = skipAddress(member) ?? skipNamedAddress(member);
  const end = rest === undefined ? undefined : skipComments(rest);
  return end?.startsWith(";") ? end.slice(1) : undefined;
}

function skipPhrase(text: string): Remainder {
  let rest: Remainder;
  let next: Remainder = text;
  while (next !== undefined) {
    const start: Remainder = rest === undefined ? next : skipComments(next);
    if (start === undefined) return undefined;
    next = start.startsWith('"') ? skipQuotedText(start, false) : skipAtom(start);
    rest = next ?? (rest === undefined ? undefined : start);
  }
  return rest;
}

function skipAtom(text: string): Remainder {
  const atom = ATOM.exec(text)?.[0];
  return atom === undefined ? undefined : text.slice(atom.length);
}

function skipDotAtom(text: string): Remainder {
  const atom = ATOM.exec(text)?.[0];
  if (atom === undefined || atom.startsWith(".") || atom.endsWith(".") || atom.includes("..")) return undefined;
  return text.slice(atom.length);
}

function skipQuotedText(text: string, filled: boolean): Remainder {
  const match = QUOTED.exec(text);
  return match === null || (filled && match[1] === "") ? undefined : text.slice(match[0].length);
}

/** Skips spaces and comments, which are in brackets and may hold others. */
function skipComments(text: string): Remainder {
  let rest = trimLeft(text);
  while (rest.startsWith("(")) {
    const end = findCommentEnd(rest);
    if (end === undefined) return undefined;
    rest = trimLeft(rest.slice(end));
  }
  return rest;
}

function findCommentEnd(text: string): number | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\" && i + 1 < text.length) i++;
    else if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i + 1;
  }
  return undefined;
}
