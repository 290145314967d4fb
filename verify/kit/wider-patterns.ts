/** What a class of characters might have beside its own. The last one is a digit, though not an ASCII one. */
const PROBES = ["0", "-", "a", " ", "\u0663"];
const TOKEN = /\\[\s\S]|\[\^?(?:\\.|[^\]\\])*\]|\(\?:|\{\d+,\d+\}|[\s\S]/g;
const QUANTIFIER = /^[?*+{]/;

/** The texts of a regular expression that accept more: a character, a part that may be absent, or one more of a part. */
export function widenPattern(pattern: string): readonly string[] {
  const tokens = [...pattern.matchAll(TOKEN)];
  return tokens.flatMap(({ 0: token, index }, i) =>
    widenToken(token, tokens[i + 1]?.[0] ?? "").map(
      (text) => pattern.slice(0, index) + text + pattern.slice(index + token.length),
    ),
  );
}

function widenToken(token: string, next: string): readonly string[] {
  if (token === "\\d") return ["[\\d\u0663]"];
  if (token.startsWith("[^")) return [];
  const optional = QUANTIFIER.test(next) || /^(?:\^|\$|\||\(\?:|\(|[?*+])$/.test(token) ? [] : [`${token}?`];
  if (token.startsWith("["))
    return [...PROBES.map((probe) => `[${probe === "-" ? "\\-" : probe}${token.slice(1)}`), ...optional];
  if (token === "+") return ["*"];
  const [, least, most] = /^\{(\d+),(\d+)\}$/.exec(token) ?? [];
  return most === undefined ? optional : [`{${least},${Number(most) + 1}}`];
}
