import { isSecretKey, mayNameSecret, REDACTED } from "./secret-forms.ts";

/** What stands between a key and its value: `password=`, `"token": `; `secret: `, `--password `, `"--password", `; `password `. */
const EXACT = String.raw`["'\\]{0,4}[ \t]{0,20}=(?![=~])>?[ \t]{0,20}|["'\\]{1,4}[ \t]{0,20}:\s{0,20}|%3[Dd]`;
const LOOSE = String.raw`:[ \t]{1,20}(?:[>|][-+]?\s{1,20})?|(?<=(?<![\w.-])-[\w.-]{2,200})(?:[ \t]{1,20}|["'][ \t]?,[ \t]?(?=["']))`;
/** `password is `, `password for user admin was set to `. */
const PREDICATE = String.raw`[ \t]{1,5}(?:(?:for|of|to)[ \t]{1,5}(?:[\w.@/"'-]{1,100}[ \t]{1,5}){1,6}?)?(?:is|was|has been)[ \t]{1,5}(?:(?:now|set|changed|reset)[ \t]{1,5}){0,2}(?:to[ \t]{1,5})?`;
const KEY = new RegExp(String.raw`(?<![\w.-])([\w.-]{2,200})(?:(${EXACT})|(${LOOSE})|(${PREDICATE})|[ \t]{1,20})`, "g");
/** A value with its quotes: within a quoted text they are escaped. What was cut off has no quote at its end. */
const VALUE =
  /(\\+["'])([^"']*?)(\\*["']|$)|(")((?:[^"\\]|\\[^])*)("|\\?)|(')((?:[^'\n]|'')*)('?)|()([^\s"'<>,;&|)\]}\\]+)()/y;

/** Separators and other signs that stand alone before a value: `password: : x`, `password: # x`. */
const LONE_SIGNS = /(?:[!#$%+/:=?@^~-]+[ \t]{1,20})+/y;

/** What a value begins with if it is no text: a list, a map, a block, a variable. */
const STRUCTURE = /^(?:[[{|>&*<(]|\$[({\w]|%[({])/;
const NO_SECRET = /^(?:true|false|null|none|nil|undefined|yes|no|~|REDACTED|\*+|\.{3}|)$/i;

/**
 * Replaces the values of keys that name a secret, wherever they stand. In a sentence, "token: " may be followed by words, and a key such
 * as "secret" may name an object: these values are replaced only if `isSecretValue`. After "token" alone, only a random value is one, and
 * after "password is" only what is no word.
 */
export function redactAssignments(text: string, isSecretValue = looksSecret): string {
  let result = "";
  let end = 0;
  for (KEY.lastIndex = 0; ;) {
    const found = KEY.exec(text);
    if (found === null) return result + text.slice(end);
    const [whole, key = "", exact, , predicate] = found;
    if (!isSecretKey(key)) {
      // What stands between a word and "is" may have a key of its own: "the user for whom the password is".
      if (predicate !== undefined) KEY.lastIndex = found.index + key.length;
      continue;
    }
    const start = skipLoneSigns(text, found.index + whole.length);
    const value = parseValue(text, start);
    if (value === undefined || NO_SECRET.test(value.text)) continue;
    const isCertain = exact !== undefined && !mayNameSecret(key);
    if (!isCertain && !isSecretAfter(found, value, isSecretValue)) continue;
    result += text.slice(end, start) + value.open + REDACTED + value.close;
    end = KEY.lastIndex = start + value.length;
  }
}

/** Whether a value is a secret, and no word, by what stands between it and its key. */
function isSecretAfter(
  [, key = "", exact, loose, predicate]: RegExpExecArray,
  { text, open }: Value,
  isSecretValue: (value: string) => boolean,
): boolean {
  if (exact !== undefined || loose !== undefined) return isSecretValue(text);
  if (predicate === undefined || mayNameSecret(key)) return isRandom(text);
  return open !== "" || looksPassword(text);
}

function skipLoneSigns(text: string, start: number): number {
  LONE_SIGNS.lastIndex = start;
  return start + (LONE_SIGNS.exec(text)?.[0].length ?? 0);
}

type Value = { readonly open: string; readonly text: string; readonly close: string; readonly length: number };

function parseValue(text: string, start: number): Value | undefined {
  if (STRUCTURE.test(text.slice(start, start + 3))) return undefined;
  VALUE.lastIndex = start;
  const [whole, ...groups] = VALUE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const [open = "", value = "", close = ""] = groups.filter((group) => group !== undefined);
  return { open, text: value, close, length: whole.length };
}

/** Neither words, nor a path, an address or a short number: "the-name.of/something" is none. */
function looksSecret(value: string): boolean {
  const text = value.replace(/[.:!?]+$/, "");
  if (text.length < 4 || text.startsWith("/") || text.includes("://")) return false;
  return !/^[A-Za-z]+(?:[-_./ ][A-Za-z]+)*$/.test(text);
}

/** What a sentence says of a password: a number, a length, an age, a day, the name of an encoding. */
const PROPERTY =
  /^(?:\d{1,5}|\d+(?:ms|s|m|h|d|[kmg]i?b)|\d+-\d+|\d+(?:-[a-z]+)+|\d{4}-\d{2}-\d{2}\S*|(?:base|sha|md|aes|rsa|utf|bcrypt|argon)-?\d+(?:-[a-z]+)*)$/i;
const PASSPHRASE = /^[A-Za-z]+(?:[-_][A-Za-z]+){3,}$/;

/** What follows "password is": in "password is required" a word, in "passphrase is hunter2" a secret. */
function looksPassword(value: string): boolean {
  const text = value.replace(/[.:!?]+$/, "");
  return PASSPHRASE.test(text) || (looksSecret(text) && !PROPERTY.test(text));
}

/** A word of letters of both cases and digits, or a long one of letters and digits: names of objects are neither. */
function isRandom(value: string): boolean {
  const isMixed = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=.~-]{8,500}$/.test(value);
  return isMixed || /^(?=.*\d.*\d)(?=.*[a-z])[a-z0-9]{20,500}$/.test(value);
}
