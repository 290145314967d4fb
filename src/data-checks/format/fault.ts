import type { Unknown } from "../../model/check.ts";
import { type YamlChild, type YamlNode, findChild } from "../../encoding/yaml-nodes.ts";
import { type Json, isList, isObject } from "../../model/json.ts";
import type { YamlDocuments } from "../../encoding/yaml.ts";

/**
 * A text that may hold checks; `name` as people know it: a path, or "ConfigMap NAMESPACE/preflight-checks KEY". `requires`: the preflight
 * that the pack needs which it is from.
 */
export type CheckText = { readonly name: string; readonly text: string; readonly requires?: string };

/** A place in a check's document: its keys and indexes from the root. */
export type DocumentPlace = readonly (string | number)[];

export type PlacedText = { readonly text: string; readonly place: DocumentPlace };

/** Every text in a value, and where it stands. */
export function listTexts(value: Json, place: DocumentPlace): readonly PlacedText[] {
  if (typeof value === "string") return [{ text: value, place }];
  const entries = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return entries.flatMap(([key, member]) => listTexts(member, [...place, key]));
}

/** What is wrong at a place; with `span` (UTF-16 units) at a part of the text there. */
export type PlacedFault = {
  readonly severity: "error" | "warning";
  readonly place: DocumentPlace;
  readonly message: string;
  readonly hint?: string;
  readonly span?: { readonly start: number; readonly end: number };
  /** It is about the key, not about what stands there. */
  readonly isKey?: true;
};

/** A fault as an editor shows it. Lines and columns count from 1, columns and `length` in UTF-16 units. */
export type CheckFault = Pick<PlacedFault, "severity" | "message" | "hint"> & {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** "spec.reads.sets.where" */
  readonly place: string;
  readonly lineText: string;
  /** Set if it is no mistake of the check: what is unknown then. */
  readonly unknown?: Unknown;
};

export function buildPlacedError(place: DocumentPlace, message: string, hint: string): PlacedFault {
  return { severity: "error", place, message, hint };
}

export function formatPlace(place: DocumentPlace): string {
  return place
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}

/** With the line, and what is wrong in it marked. */
export function formatFault({ file, line, column, length, place, message, hint, lineText }: CheckFault): string {
  const number = String(line).padStart(5);
  const mark = `${" ".repeat(number.length)} | ${lineText.slice(0, column - 1).replaceAll(/[^\t]/g, " ")}${"^".repeat(Math.max(length, 1))}`;
  const where = place === "" ? "" : `${place}: `;
  return [
    `${file}:${line}:${column}: ${where}${message}`,
    `${number} | ${lineText}`,
    `${mark}${hint === undefined ? "" : ` ${hint}`}`,
  ].join("\n");
}

type Range = { readonly start: number; readonly end: number };

/** Finds a fault in the text; at the nearest place above it if the text does not have the place itself. */
export function locateFault(source: CheckText, root: YamlNode | undefined, fault: PlacedFault): CheckFault {
  const { text } = source;
  const { start, end } = root === undefined ? { start: 0, end: 0 } : findRange(text, root, fault);
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const [lineText = ""] = text.slice(lineStart).split("\n", 1);
  const { severity, message, hint } = fault;
  return {
    severity,
    file: source.name,
    line: text.slice(0, start).split("\n").length,
    column: start - lineStart + 1,
    length: Math.max(1, Math.min(end, lineStart + lineText.length) - start),
    place: formatPlace(fault.place),
    message,
    hint,
    lineText,
  };
}

function findRange(text: string, root: YamlNode, { place, span, isKey }: PlacedFault): Range {
  let node: YamlNode = root;
  let key: Range = { start: 0, end: 0 };
  for (const [depth, step] of place.entries()) {
    const child = findChild(node, String(step));
    if (child === undefined) return key;
    // An item without anything in it has no place of its own.
    if (child.offset < 0) return key;
    key = { start: child.offset, end: child.offset + getKeyLength(child, step) };
    node = child.value;
    if (depth < place.length - 1 || isKey === true) continue;
    // Behind a key without a value nothing stands.
    if (node.kind === "scalar" && node.offset >= 0) return findSpan(text, node, span);
  }
  return key;
}

/** An item of a list is marked by the first key in it. */
function getKeyLength({ key, value }: YamlChild, step: string | number): number {
  const name = typeof step === "number" && value.kind === "map" ? value.entries[0]?.key : key;
  return (name ?? key).length;
}

function findSpan(text: string, node: Extract<YamlNode, { kind: "scalar" }>, span: Range | undefined): Range {
  const positions = listPositions(node.text, text, node.offset);
  const { start, end } = span ?? { start: 0, end: node.text.length };
  const at = (offset: number): number => positions[Math.min(Math.max(offset, 0), node.text.length)] ?? node.offset;
  return { start: at(start), end: end > start ? at(end - 1) + 1 : at(start) };
}

/** What a source has more than its value: indentation and line breaks, backslashes of escapes, and quotes written twice. */
const SKIPPED = /[\s\\']/;

/**
 * Where the units of a scalar's value stand in its source, in which folded lines, quotes and escapes make offsets differ. `start`: where
 * the source of the value begins.
 */
export function listPositions(value: string, source: string, start: number): readonly number[] {
  let at = start;
  const positions = Array.from({ length: value.length }, (_, i) => {
    const unit = value[i] ?? "";
    if (/\s/.test(unit)) return source[at] === unit ? at++ : at;
    let found = at;
    while (source[found] !== unit && SKIPPED.test(source[found] ?? "")) found += 1;
    if (source[found] === unit) at = found + 1;
    return source[found] === unit ? found : at;
  });
  return [...positions, at];
}

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
  if (reason.startsWith("duplicated"))
    return /\b(?:[yn]|on|off|yes|no)\s*:/i.test(line)
      ? "YAML takes y, on and yes for one name, and n, off and no for another: put them in quotes"
      : "leave one of them out";
  if (reason.startsWith("tab characters")) return "indent with spaces";
  if (/^(?:missed comma|bad indentation of a mapping)/.test(reason)) return suggestQuotes(line);
  return /indentation/.test(reason) ? "begin it in the same column as its siblings" : undefined;
}

function suggestQuotes(line: string): string {
  return /:\s+["'].*\w/.test(line)
    ? "a value that begins with a quote is quoted as a whole: '\"a\" in b'"
    : "quote the value, or write it below >- : it has a colon, a brace or a quote in it";
}
