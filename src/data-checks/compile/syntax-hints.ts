import type { Explanation, FaultyText } from "./explanation.ts";
import { listTokens, listUnclosed } from "./tokens.ts";

/** What cannot be parsed. */
export function explainSyntax({ text, fault }: FaultyText): Explanation | undefined {
  const { start, end } = fault;
  const message = fault.message.replace(/ at character \d+$/, "");
  if (message === "the expression is incomplete") {
    const [missing] = listUnclosed(listTokens(text, { start: 0, end: start }));
    return { message, span: { start, end }, hint: missing && `a ${missing} is missing` };
  }
  if (message.includes("is not a valid regular expression")) return explainPattern(text, message, start);
  if (message.startsWith("a text can't hold")) return { message, span: { start, end }, hint: suggestPart(message) };
  if (message.endsWith(" is reserved"))
    return { message, span: { start, end }, hint: "CEL keeps it: use another name" };
  if (message.startsWith("this ${")) return { message, span: { start, end }, hint: "for a literal ${, write $${" };
  if (!message.startsWith("unexpected ")) return undefined;
  return { message, span: { start, end }, hint: suggestSyntax(text, start, text.slice(start, end)) };
}

/** Marks the pattern. */
function explainPattern(text: string, message: string, from: number): Explanation {
  const [pattern = ""] = /^"(?:[^"\\]|\\.)*"/.exec(message) ?? [];
  const start = Math.max(text.indexOf(pattern, from), from);
  const hint = /`\(\?[!<=]/.test(message) ? "RE2 has no look-ahead: write !value.matches(...)" : undefined;
  const short = message.replace("error parsing regexp: ", "");
  return { message: short, span: { start, end: start + pattern.length }, hint };
}

function suggestPart(message: string): string {
  return message.endsWith("double") ? "write int(...)" : "name one of its fields";
}

const WRITTEN: Readonly<Record<string, string>> = {
  "=": "to compare, write ==",
  "&": "write &&",
  "|": "write ||",
  and: "write &&",
  or: "write ||",
  is: "write ==",
  $: "write the expression alone: ${...} belongs into texts",
};

function suggestSyntax(text: string, start: number, word: string): string | undefined {
  if (Object.hasOwn(WRITTEN, word)) return WRITTEN[word];
  if (/\bnot\s+$/.test(text.slice(0, start))) return "for not, write !";
  if (word !== '"' && word !== "'") return undefined;
  const rest = text.slice(start + 1);
  const closed = rest.indexOf(word);
  const inner = closed < 0 ? rest : rest.slice(0, closed);
  return inner.includes("\\") ? "in a text, write each backslash twice" : `the closing ${word} is missing`;
}
