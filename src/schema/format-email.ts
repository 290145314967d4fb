import { isIp } from "./format-net.ts";

const BEYOND_ASCII = "\u0080-\u{10ffff}";
const ATOM = new RegExp(`^[A-Za-z0-9!#$%&'*+\\-/=?^_\`{|}~.${BEYOND_ASCII}]+`, "u");
const QUOTED = new RegExp(`^"((?:[\\t !#-\\[\\]-~${BEYOND_ASCII}]|\\\\[\\t -~${BEYOND_ASCII}])*)"`, "u");
const DOMAIN_LITERAL = /^\[([^\]]*)\]/;

/** What is left of a text after its beginning was read; undefined: it does not begin so. */
type Rest = string | undefined;

/** Longer texts are taken for addresses unread. */
const LONGEST = 100_000;

/** One mail address, with or without a name, as Go's mail.ParseAddress takes it. */
export function isEmail(text: string): boolean {
  if (text.length > LONGEST) return true;
  const start = trimmed(text);
  const rest = afterAddress(start) ?? afterNamed(start) ?? afterGroup(start);
  return rest !== undefined && afterComments(rest) === "";
}

function trimmed(text: string): string {
  return text.replace(/^[ \t]+/, "");
}

/** local@domain */
function afterAddress(text: string): Rest {
  const start = trimmed(text);
  const local = start.startsWith('"') ? quotedRest(start, true) : dotAtomRest(start);
  if (!local?.startsWith("@")) return undefined;
  const domain = trimmed(local.slice(1));
  if (!domain.startsWith("[")) return dotAtomRest(domain);
  const literal = DOMAIN_LITERAL.exec(domain);
  return literal && isIp(literal[1] ?? "") ? domain.slice(literal[0].length) : undefined;
}

/** Name <local@domain> */
function afterNamed(text: string): Rest {
  const phrase = text.startsWith("<") ? text : afterPhrase(text);
  const start = phrase === undefined ? "" : trimmed(phrase);
  if (!start.startsWith("<")) return undefined;
  const rest = afterAddress(start.slice(1));
  return rest?.startsWith(">") ? rest.slice(1) : undefined;
}

/** Name: local@domain; */
function afterGroup(text: string): Rest {
  const phrase = afterPhrase(text);
  const start = phrase === undefined ? "" : trimmed(phrase);
  if (!start.startsWith(":")) return undefined;
  const member = trimmed(start.slice(1));
  const rest = afterAddress(member) ?? afterNamed(member);
  const end = rest === undefined ? undefined : afterComments(rest);
  return end?.startsWith(";") ? end.slice(1) : undefined;
}

function afterPhrase(text: string): Rest {
  let rest: Rest;
  let next: Rest = text;
  while (next !== undefined) {
    const start: Rest = rest === undefined ? next : afterComments(next);
    if (start === undefined) return undefined;
    next = start.startsWith('"') ? quotedRest(start, false) : atomRest(start);
    rest = next ?? (rest === undefined ? undefined : start);
  }
  return rest;
}

function atomRest(text: string): Rest {
  const atom = ATOM.exec(text)?.[0];
  return atom === undefined ? undefined : text.slice(atom.length);
}

function dotAtomRest(text: string): Rest {
  const atom = ATOM.exec(text)?.[0];
  if (atom === undefined || atom.startsWith(".") || atom.endsWith(".") || atom.includes("..")) return undefined;
  return text.slice(atom.length);
}

function quotedRest(text: string, filled: boolean): Rest {
  const found = QUOTED.exec(text);
  return found === null || (filled && found[1] === "") ? undefined : text.slice(found[0].length);
}

/** Skips spaces and comments, which are in brackets and may hold others. */
function afterComments(text: string): Rest {
  let rest = trimmed(text);
  while (rest.startsWith("(")) {
    const end = commentEnd(rest);
    if (end === undefined) return undefined;
    rest = trimmed(rest.slice(end));
  }
  return rest;
}

function commentEnd(text: string): number | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\" && i + 1 < text.length) i++;
    else if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i + 1;
  }
  return undefined;
}
