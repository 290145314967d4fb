type Change = { readonly at: number; readonly length: number; readonly text: string };

/** The texts of a regular expression with an anchor or a quantifier less, or with a class turned around; each of them is valid. */
export function mutateRegex(pattern: string, flags: string): readonly string[] {
  const texts = findChanges(pattern).map(
    ({ at, length, text }) => pattern.slice(0, at) + text + pattern.slice(at + length),
  );
  const patterns = texts.filter((text) => text !== "" && isValid(text, flags)).map((text) => `/${text}/${flags}`);
  return flags.includes("i") ? [...patterns, `/${pattern}/${flags.replace("i", "")}`] : patterns;
}

const TOKEN = /\\[\s\S]|\[\^?|\(\?(?:[:=!]|<[=!]|<[^>]*>)|\{\d+(?:,\d*)?\}|[\s\S]/g;
const QUANTIFIER = /^(?:[*+?]|\{\d)/;

function findChanges(pattern: string): readonly Change[] {
  const changes: Change[] = [];
  let isClass = false;
  let before = "";
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    // Within a class, a bracket that opens is a character.
    const opens: boolean = !isClass && token.startsWith("[");
    const text =
      isClass && !token.startsWith("\\") ? undefined : changeToken(token, before, pattern[index + token.length]);
    if (text !== undefined) changes.push({ at: index, length: token.length, text });
    isClass = opens || (isClass && token !== "]");
    before = token;
  }
  return changes;
}

function changeToken(token: string, before: string, after: string | undefined): string | undefined {
  if (token === "^" || token === "$") return "";
  if (token === "[^") return "[";
  if (token === "[") return after === "]" ? undefined : "[^";
  if (token === "*") return "+";
  // The sign after a quantifier makes it lazy.
  if (QUANTIFIER.test(token)) return QUANTIFIER.test(before) || after === "?" ? undefined : "";
  if (/^\\[dwsb]$/.test(token)) return token.toUpperCase();
  if (/^\\[DWSB]$/.test(token)) return token.toLowerCase();
  return undefined;
}

function isValid(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
