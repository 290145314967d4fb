import type { YamlDocuments } from "../../encoding/yaml.ts";
import type { CheckFault, CheckText } from "../fault.ts";

/** What is wrong with a text as a whole. */
export function buildTextFault({ name, text }: CheckText, message: string): CheckFault {
  const [lineText = ""] = text.split("\n", 1);
  const place = { line: 1, column: 1, length: lineText.length, place: "", lineText };
  return { severity: "error", file: name, message, ...place };
}

/** A text that is not YAML. */
export function buildYamlFault(
  source: CheckText,
  { message, at }: Extract<YamlDocuments, { kind: "invalid" }>,
): CheckFault {
  const fault = buildTextFault(source, `it is not valid YAML: ${at?.reason ?? message}`);
  if (at === undefined) return fault;
  const lines = source.text.split("\n");
  // The end of a text, and the line after a key that is indented wrongly, are where the parser gives up.
  const lineText = lines[at.line - 1] ?? "";
  const hint = suggest(at.reason, lineText);
  const found = findColumn(at.reason, lineText);
  const column = found ?? Math.min(at.column, lineText.length + 1);
  return { ...fault, line: at.line, column, length: getLength(lineText, column), lineText, hint };
}

function getLength(line: string, column: number): number {
  return /^(?:[\w.-]+|!\S+?(?=[\],}\s]|$))/.exec(line.slice(column - 1))?.[0].length ?? 1;
}

/** Where the mistake is, which the parser reports only later. */
function findColumn(reason: string, line: string): number | undefined {
  const pattern = PATTERNS.find(([matches]) => matches.test(reason))?.[1];
  const found = pattern && pattern.exec(line);
  return found?.indices?.[1]?.[0] === undefined ? undefined : found.indices[1][0] + 1;
}

/** By the parser's reason, what the first group of the second one marks. */
const PATTERNS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:unknown scalar tag|tag name)/, /[:,[{-]\s*(!)/d],
  [/^(?:bad indentation of a mapping entry|missed comma)/, /:\s+(["'])(?:(?!\1).)*\1(?!\s*(?:[,}#]|$))/d],
  [/^bad indentation of a mapping entry/, /:\s+[^"'{[].*?(:)\s/d],
  [/^missed comma/, /:\s+[^"'{[][^,]*?([{["])/d],
];

function suggest(reason: string, line: string): string | undefined {
  if (/^(?:unknown scalar tag|tag name)/.test(reason)) return "put an expression that begins with ! in quotes";
  if (reason.startsWith("duplicated")) return "leave one of them out";
  if (reason.startsWith("tab characters")) return "indent with spaces";
  if (/^(?:missed comma|bad indentation of a mapping)/.test(reason)) return suggestQuotes(line);
  return /indentation/.test(reason) ? "begin it in the same column as its siblings" : undefined;
}

function suggestQuotes(line: string): string {
  return /:\s+["'].*\w/.test(line)
    ? "a value that begins with a quote is quoted as a whole: '\"a\" in b'"
    : "quote the value, or write it below >- : it has a colon, a brace or a quote in it";
}
