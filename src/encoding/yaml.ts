import { FAILSAFE_SCHEMA, YAMLException, dump, load, loadAll, mergeTag } from "js-yaml";
import { formatError } from "../model/errors.ts";
import { type Json, isList, isObject } from "../model/json.ts";
import { KUBERNETES_SCHEMA } from "./yaml-scalars.ts";

/** Nested collections; the deepest schema of a release has some fifty levels. */
export const MAX_DEPTH = 200;
/** Characters and nodes of one file with its aliases expanded: far more than any file of the accepted size has without aliases. */
const MAX_EXPANDED_SIZE = 32 * 1024 * 1024;

/** Keys and values of one file; the largest file of a release has some 15,000. Parsing takes some 200 bytes of heap for each. */
const MAX_NODES = 400_000;

export type YamlDocuments =
  | { readonly kind: "documents"; readonly documents: readonly Json[] }
  | { readonly kind: "invalid"; readonly message: string; readonly at?: YamlMark };

/** Where a text is not YAML, from 1; the message names the line. */
export type YamlMark = { readonly line: number; readonly column: number; readonly reason: string };

/** `size`: characters and values of a text with its aliases expanded, as far as they were, which is bounded. */
type Expansion = { readonly limit: number; size: number };

/**
 * Parses the documents of a YAML or JSON text; empty ones are left out. Of keys that repeat, `json` takes the last one, as JSON and kubectl
 * do. Never throws.
 */
export function parseDocuments(
  text: string,
  expansion: Expansion = { limit: MAX_EXPANDED_SIZE, size: 0 },
  json = false,
): YamlDocuments {
  if (text.includes("\0")) return { kind: "invalid", message: "it has control characters" };
  if (mayExceedNodes(text, MAX_NODES)) return { kind: "invalid", message: `it has more than ${MAX_NODES} values` };
  try {
    const documents = loadAll(text, { schema: KUBERNETES_SCHEMA, maxDepth: MAX_DEPTH, json });
    return {
      kind: "documents",
      documents: documents.map((document) => requireJson(document, expansion)).filter((document) => document !== null),
    };
  } catch (thrown) {
    const mark = thrown instanceof YAMLException ? thrown.mark : undefined;
    const at = mark && { line: mark.line + 1, column: mark.column + 1, reason: toYamlReason(thrown) };
    return { kind: "invalid", message: toYamlError(thrown), at };
  }
}

const SEPARATORS = new Set([..."\n,[{"].map((character) => character.charCodeAt(0)));
const COLON = ":".charCodeAt(0);

/** Counts what begins a node, before parsing: a line, an item of a flow collection, or the value of a key. Commas in prose count too. */
function mayExceedNodes(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (SEPARATORS.has(code) || (code === COLON && text.charCodeAt(i + 1) <= 0x20)) count += 1;
  }
  return count > limit;
}

function toYamlError(thrown: unknown): string {
  const reason = toYamlReason(thrown);
  return thrown instanceof YAMLException && thrown.mark !== undefined
    ? `line ${thrown.mark.line + 1}: ${reason}`
    : reason;
}

function toYamlReason(thrown: unknown): string {
  return thrown instanceof YAMLException ? thrown.reason : formatError(thrown);
}

function requireJson(document: unknown, expansion: Expansion): Json {
  if (!isJson(document, expansion, 0)) throw new Error("a value is not valid JSON: it is infinite or not a number");
  return document;
}

/** Walks a document with its aliases expanded, as all later code does, so that alias bombs and cycles fail here. */
function isJson(value: unknown, expansion: Expansion, depth: number): value is Json {
  expansion.size += typeof value === "string" ? value.length + 1 : 1;
  if (expansion.size > expansion.limit)
    throw new Error(`its aliases expand to more than ${Math.floor(expansion.limit / (1 << 20))} MiB`);
  if (depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} deep`);
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "bigint")
    return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((item) => isJson(item, expansion, depth + 1));
  if (typeof value !== "object") return false;
  return Object.entries(value).every(([key, item]) => {
    expansion.size += key.length;
    return isJson(item, expansion, depth + 1);
  });
}

/** A configuration whose scalars are all texts. `repeatedAt`: the line of the first key that repeats another key of its map. */
export type YamlTexts =
  | { readonly kind: "parsed"; readonly value: Json; readonly repeatedAt: number | undefined }
  | { readonly kind: "invalid" };

const MAX_ALIASES = 100;
const TEXT_SCHEMA = FAILSAFE_SCHEMA.withTags(mergeTag);
/** The reason of a text with a key twice in one map. */
export const REPEATED_KEY = "duplicated mapping key";

/** Parses past a repeated key, so that the other faults can be reported as well. Never throws. */
export function parseTexts(text: string, repeatedAt?: number): YamlTexts {
  try {
    const json = repeatedAt !== undefined;
    const value: unknown = load(text, { schema: TEXT_SCHEMA, json, maxAliases: MAX_ALIASES });
    const isJsonValue = isObject(value) || isList(value) || typeof value === "string";
    return { kind: "parsed", value: isJsonValue ? value : null, repeatedAt };
  } catch (thrown) {
    const isRepeatedKey = thrown instanceof YAMLException && thrown.reason === REPEATED_KEY;
    return isRepeatedKey && repeatedAt === undefined
      ? parseTexts(text, (thrown.mark?.line ?? 0) + 1)
      : { kind: "invalid" };
  }
}

/** Writes a value without anchors and without folding its lines. */
export function toYaml(value: object): string {
  return dump(value, { noRefs: true, lineWidth: -1 });
}

/** Writes a value in brackets, on one line. */
export function toYamlLine(value: Json): string {
  return dump(value, { noRefs: true, lineWidth: -1, flowLevel: 0 }).trimEnd();
}
