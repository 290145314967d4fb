import { type YamlNode, type YamlScalar, parseNodes } from "../../encoding/yaml-nodes.ts";
import { enterField, HIDDEN_SCOPE, isHidden, isOptionValue, OPEN_SCOPE, type FieldScope } from "./field-scope.ts";

type Edit = { readonly start: number; readonly end: number; readonly replacement: string };

/** Each parsed value takes some 200 bytes for a moment. */
const MAX_VALUES = 100_000;

/**
 * Redacts a text that holds YAML or JSON, by its structure and in place, so that its lines and its other faults stay the same.
 * `redactScalar` handles the texts within. Returns undefined if the text is not structured.
 */
export function redactEmbedded(text: string, redactScalar: (text: string) => string): string | undefined {
  if (!mayBeStructured(text)) return undefined;
  if (mayExceedValues(text)) return "REDACTED";
  const documents = parseNodes(text);
  if (documents === undefined || documents.every(({ kind }) => kind === "scalar" || kind === "alias")) return undefined;
  const edits: Edit[] = [];
  const isComplete = documents.every((node) => collectEdits(node, OPEN_SCOPE, { text, redactScalar, edits }));
  return isComplete ? applyEdits(text, edits) : "REDACTED";
}

/**
 * Replaces every value of a text that holds YAML or JSON but those of some keys. Comments go too. A text that can't be parsed becomes
 * another such text.
 */
export function selectEmbedded(text: string, keys: readonly string[]): string {
  if (text.trim() === "") return text;
  const documents = mayExceedValues(text) ? undefined : parseNodes(text);
  if (documents === undefined) return "REDACTED: [";
  const collector = { text, redactScalar: () => "REDACTED", edits: [], keptKeys: new Set(keys) };
  for (const node of documents) collectEdits(node, HIDDEN_SCOPE, collector);
  return hideComments(applyEdits(text, collector.edits));
}

/** Values and keys with a # are replaced or quoted, so what is left after one is a comment. */
function hideComments(text: string): string {
  return text.replace(/(^|[ \t])#.*$/gm, "$1");
}

function mayBeStructured(text: string): boolean {
  return /^\s*\[/.test(text) || (text.includes(":") && /[\n{[]/.test(text));
}

function mayExceedValues(text: string): boolean {
  let count = 0;
  for (const _match of text.matchAll(/[\n,[{:]/g)) if (++count > MAX_VALUES) return true;
  return false;
}

type Collector = {
  readonly text: string;
  readonly redactScalar: (text: string) => string;
  readonly edits: Edit[];
  /** Set if only the texts of these keys stay: an anchor's text is then replaced where it stands. */
  readonly keptKeys?: ReadonlySet<string>;
};

/** False if a secret stands elsewhere: an alias refers to an anchor, which no key may mark. */
function collectEdits(node: YamlNode, scope: FieldScope, collector: Collector): boolean {
  if (node.kind === "alias") return !isHidden(scope);
  if (node.kind === "list")
    return node.items.every((item, i) => collectItem(item, node.items[i - 1], scope, collector));
  if (node.kind === "scalar") {
    const edit = buildEdit(node, scope, collector);
    if (edit) collector.edits.push(edit);
    return true;
  }
  // Of equal keys the first counts.
  const siblings = new Map(node.entries.toReversed().map(({ key, value }) => [key, value]));
  const findSibling = (key: string): string | undefined => {
    const sibling = siblings.get(key);
    return sibling?.kind === "scalar" ? sibling.text : undefined;
  };
  return node.entries.every(({ key, value }) => {
    const isKept = collector.keptKeys?.has(key) === true && value.kind === "scalar";
    return isKept || collectEdits(value, enterField(scope, key, findSibling), collector);
  });
}

function collectItem(item: YamlNode, before: YamlNode | undefined, scope: FieldScope, collector: Collector): boolean {
  const option = before?.kind === "scalar" ? before.text : undefined;
  const isSecret = item.kind === "scalar" && isOptionValue(option, item.text);
  return collectEdits(item, isSecret ? HIDDEN_SCOPE : scope, collector);
}

const NO_SECRETS = /^(?:true|false|null|~|)$/i;
/** Texts that may replace a plain or quoted scalar as they are. */
const SAFE_SCALAR = /^[\w:/@.?&=%+~,-]+$/;

function buildEdit(
  { offset: start, end, text: value }: YamlScalar,
  scope: FieldScope,
  { text, redactScalar }: Collector,
): Edit | undefined {
  if (start < 0 || NO_SECRETS.test(value)) return undefined;
  const redacted = isHidden(scope) ? "REDACTED" : redactScalar(value);
  if (redacted === value) return undefined;
  return { start, end, replacement: formatReplacement(redacted, text.slice(start, end), text) };
}

/** What JSON has beside texts. */
const JSON_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Keeps the indentation and the number of lines, because checks report line numbers. */
function formatReplacement(redacted: string, source: string, text: string): string {
  if (JSON_NUMBER.test(source) && /^\s*[[{]/.test(text)) return "0";
  const indent = /^[ \t\n]*/.exec(source)?.[0] ?? "";
  const lines = source.slice(indent.length).split("\n").length - 1;
  return `${indent}${SAFE_SCALAR.test(redacted) ? redacted : "REDACTED"}${"\n".repeat(lines)}`;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let end = 0;
  for (const edit of edits) {
    result += text.slice(end, edit.start) + edit.replacement;
    end = edit.end;
  }
  return result + text.slice(end);
}
