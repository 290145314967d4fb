/** Words of the language that can't be names, as the API server lists them. */
export const RESERVED_WORDS = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["underscores", "__"],
  ["dot", "."],
  ["dash", "-"],
  ["slash", "/"],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([...SIGNS].map(([name, sign]) => [sign, `__${name}__`]));

/** A property's name as rules write it; undefined if it can't be written. */
export function escapeName(name: string): string | undefined {
  if (name === "" || /^[0-9]/.test(name) || /[^a-zA-Z0-9\-./_]/.test(name)) return undefined;
  if (RESERVED_WORDS.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[-./]/g, (sign) => ESCAPES.get(sign) ?? sign);
}

/** The property that a name in a rule refers to, if any. */
export function unescapeName(name: string): string | undefined {
  if (!name.includes("__")) return name;
  let isName = true;
  const original = name.replaceAll(/__([^_]+)__/g, (all, word: string) => {
    const sign = SIGNS.get(word);
    if (sign !== undefined) return sign;
    if (!RESERVED_WORDS.has(word) || all.length !== name.length) isName = false;
    return word;
  });
  return isName ? original : undefined;
}

const LETTERS = "abfnrtv";
const CONTROLS = "\u0007\b\f\n\r\t\v";

/** What a letter stands for after a backslash. */
export function getEscapedSign(letter: string): string | undefined {
  return CONTROLS[LETTERS.indexOf(letter)];
}

/** A sign with a backslash, a control character as its letter. */
export function escapeSign(sign: string): string {
  return `\\${LETTERS[CONTROLS.indexOf(sign)] ?? sign}`;
}
