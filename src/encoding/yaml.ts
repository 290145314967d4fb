import { YAMLException, loadAll } from "js-yaml";
import { formatError } from "../model/errors.ts";
import type { Json } from "../model/json.ts";
import { parseCommonYaml } from "./common-yaml/common-yaml.ts";
import { KUBERNETES_SCHEMA } from "./yaml-scalars.ts";

/** Nested collections; the deepest schema of a release has some fifty levels. */
const MAX_DEPTH = 200;
/** Characters and nodes of one file with its aliases expanded: far more than any file of the accepted size has without aliases. */
const MAX_EXPANDED_SIZE = 32 * 1024 * 1024;

/** Keys and values of one file; the largest file of a release has some 15,000. Parsing takes some 200 bytes of heap for each. */
const MAX_NODES = 400_000;

export type YamlDocuments =
  | { readonly kind: "documents"; readonly documents: readonly Json[] }
  | { readonly kind: "invalid"; readonly message: string };

/** Parses the documents of a YAML or JSON text; empty ones are left out. Never throws. Of manifests, texts that nobody reads may be left out. */
export function parseDocuments(text: string, scope: "all" | "manifest" = "all"): YamlDocuments {
  if (text.includes("\0")) return { kind: "invalid", message: "it has control characters" };
  if (mayExceedNodes(text, MAX_NODES)) return { kind: "invalid", message: `it has more than ${MAX_NODES} values` };
  const documents = parseCommonYaml(text, scope);
  return documents === undefined ? parseDocumentsFully(text) : { kind: "documents", documents: omitEmpty(documents) };
}

/** Without the parser for common YAML, whose results are the same. */
export function parseDocumentsFully(text: string): YamlDocuments {
  try {
    const budget = { remaining: MAX_EXPANDED_SIZE };
    const documents = loadAll(text, { schema: KUBERNETES_SCHEMA, maxDepth: MAX_DEPTH });
    return { kind: "documents", documents: omitEmpty(documents.map((document) => requireJson(document, budget))) };
  } catch (thrown) {
    return { kind: "invalid", message: formatYamlError(thrown) };
  }
}

function omitEmpty(documents: readonly Json[]): readonly Json[] {
  return documents.filter((document) => document !== null);
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

function formatYamlError(thrown: unknown): string {
  if (!(thrown instanceof YAMLException)) return formatError(thrown);
  return thrown.mark === undefined ? thrown.reason : `line ${thrown.mark.line + 1}: ${thrown.reason}`;
}

type SizeBudget = { remaining: number };

function requireJson(document: unknown, budget: SizeBudget): Json {
  if (!isJson(document, budget, 0)) throw new Error("a value is not valid JSON: it is infinite or not a number");
  return document;
}

/** Walks a document with its aliases expanded, as all later code does, so that alias bombs and cycles fail here. */
function isJson(value: unknown, budget: SizeBudget, depth: number): value is Json {
  budget.remaining -= typeof value === "string" ? value.length + 1 : 1;
  if (budget.remaining < 0) throw new Error("its aliases expand to more than 32 MiB");
  if (depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} deep`);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((item) => isJson(item, budget, depth + 1));
  if (typeof value !== "object") return false;
  return Object.entries(value).every(([key, item]) => {
    budget.remaining -= key.length;
    return isJson(item, budget, depth + 1);
  });
}
