import { EVENT_ID, parseEvents, getScalarValue } from "js-yaml";
import { enterField, HIDDEN_SCOPE, isHidden, isOptionValue, OPEN_SCOPE, type Scope } from "./field-scope.ts";

type YamlEvent = ReturnType<typeof parseEvents>[number];
type ScalarEvent = Extract<YamlEvent, { readonly type: typeof EVENT_ID.SCALAR }>;

type Node =
  | { readonly kind: "scalar"; readonly event: ScalarEvent; readonly text: string }
  | { readonly kind: "alias" }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [key: string, value: Node])[] };

type Edit = { readonly start: number; readonly end: number; readonly replacement: string };

const MAX_DEPTH = 100;
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

function parseNodes(text: string): readonly Node[] | undefined {
  try {
    return buildDocuments(text, parseEvents(text, { maxDepth: MAX_DEPTH }));
  } catch {
    return undefined;
  }
}

type OpenCollection = { readonly isMap: boolean; readonly nodes: Node[] };

function buildDocuments(text: string, events: readonly YamlEvent[]): readonly Node[] {
  const root: OpenCollection = { isMap: false, nodes: [] };
  const open: OpenCollection[] = [root];
  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR)
      open.at(-1)?.nodes.push({ kind: "scalar", event, text: getScalarValue(text, event) });
    else if (event.type === EVENT_ID.ALIAS) open.at(-1)?.nodes.push({ kind: "alias" });
    else if (event.type !== EVENT_ID.POP) open.push({ isMap: event.type === EVENT_ID.MAPPING, nodes: [] });
    else closeCollection(open);
  }
  // A document is a list with one node.
  return root.nodes.flatMap((node) => (node.kind === "list" ? node.items : []));
}

function closeCollection(open: OpenCollection[]): void {
  const closed = open.pop();
  if (closed) open.at(-1)?.nodes.push(closed.isMap ? buildMap(closed.nodes) : { kind: "list", items: closed.nodes });
}

function buildMap(nodes: readonly Node[]): Node {
  const entries: [string, Node][] = [];
  for (let i = 0; i + 1 < nodes.length; i += 2) {
    const [key, value] = [nodes[i], nodes[i + 1]];
    if (key && value) entries.push([key.kind === "scalar" ? key.text : "", value]);
  }
  return { kind: "map", entries };
}

type Collector = {
  readonly text: string;
  readonly redactScalar: (text: string) => string;
  readonly edits: Edit[];
  /** Set if only the texts of these keys stay: an anchor's text is then replaced where it stands. */
  readonly keptKeys?: ReadonlySet<string>;
};

/** False if a secret stands elsewhere: an alias refers to an anchor, which no key may mark. */
function collectEdits(node: Node, scope: Scope, collector: Collector): boolean {
  if (node.kind === "alias") return !isHidden(scope);
  if (node.kind === "list")
    return node.items.every((item, i) => collectItem(item, node.items[i - 1], scope, collector));
  if (node.kind === "scalar") {
    const edit = buildEdit(node, scope, collector);
    if (edit) collector.edits.push(edit);
    return true;
  }
  // Of equal keys the first counts.
  const siblings = new Map(node.entries.toReversed());
  const findSibling = (key: string): string | undefined => {
    const sibling = siblings.get(key);
    return sibling?.kind === "scalar" ? sibling.text : undefined;
  };
  return node.entries.every(([key, value]) => {
    const isKept = collector.keptKeys?.has(key) === true && value.kind === "scalar";
    return isKept || collectEdits(value, enterField(scope, key, findSibling), collector);
  });
}

function collectItem(item: Node, before: Node | undefined, scope: Scope, collector: Collector): boolean {
  const option = before?.kind === "scalar" ? before.text : undefined;
  const isSecret = item.kind === "scalar" && isOptionValue(option, item.text);
  return collectEdits(item, isSecret ? HIDDEN_SCOPE : scope, collector);
}

const NO_SECRETS = /^(?:true|false|null|~|)$/i;
/** Texts that may replace a plain or quoted scalar as they are. */
const SAFE_SCALAR = /^[\w:/@.?&=%+~,-]+$/;

function buildEdit(
  { event, text: value }: Extract<Node, { readonly kind: "scalar" }>,
  scope: Scope,
  { text, redactScalar }: Collector,
): Edit | undefined {
  if (event.valueStart < 0 || NO_SECRETS.test(value)) return undefined;
  const redacted = isHidden(scope) ? "REDACTED" : redactScalar(value);
  if (redacted === value) return undefined;
  const [start, end] = [event.valueStart, event.valueEnd];
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
  let [result, end] = ["", 0];
  for (const edit of edits) {
    result += text.slice(end, edit.start) + edit.replacement;
    end = edit.end;
  }
  return result + text.slice(end);
}
