import type { ExpressionFault, Span } from "../../schema/cel/index.ts";
import { parseBoolean } from "../../encoding/yaml-scalars.ts";

type KeyExplanation = { readonly message: string; readonly span: Span; readonly hint: string };

/** Maps whose keys are not names of fields, and a key behind one of them that is written as if it were. */
const DASHED_KEY =
  /\.\s*\??\s*(labels|annotations|matchLabels|nodeSelector|data|capacity|allocatable|hard|used)\s*\.\s*\??\s*(\w[\w.]*(?:[-/][\w.-]+)+)/g;

const METHODS = /\.(?:orValue|or|hasValue|value|startsWith|endsWith|contains|matches|size|optMap|lowerAscii)$/;

/** A key such as app.kubernetes.io/name, which an expression would take for fields, a difference and a quotient. */
export function explainKey(text: string, { message, start, end }: ExpressionFault): KeyExplanation | undefined {
  for (const { 0: whole, 1: map = "", 2: written = "", index } of text.matchAll(DASHED_KEY)) {
    const key = written.replace(METHODS, "");
    const from = index + whole.length - written.length;
    const isThere = start < from + key.length && end > from;
    if (!isThere || !/[-/]/.test(key)) continue;
    const span = { start: from, end: from + key.length };
    const hint = `write ${map}[?"${key}"], and .orValue(...) behind it`;
    return { message: `${key} is a key, and not a name that a dot selects`, span, hint };
  }
  if (!message.startsWith("has() takes") || !text.slice(start, end).endsWith("]")) return undefined;
  return { message, span: { start, end }, hint: "of a key, write [?KEY].hasValue()" };
}

/** A name that YAML has taken for true or false where it is declared. */
export function suggestQuoted(name: string, declared: readonly string[]): string | undefined {
  const value = parseBoolean(name);
  if (value === undefined || !declared.includes(String(value))) return undefined;
  return `YAML takes the name for ${String(value)}: where it is declared, put it in quotes`;
}
