import { YAMLException, loadAll } from "js-yaml";
import { formatError } from "../model/errors.ts";
import type { Json } from "../model/json.ts";
import { KUBERNETES_SCHEMA } from "./yaml-scalars.ts";

/** Collections within collections; the deepest schema of a release has some fifty. */
const MAX_DEPTH = 200;
/** Characters and nodes of one file with its aliases written out: far more than any file of the accepted size has without them. */
const MAX_EXPANDED_SIZE = 32 * 1024 * 1024;

export type YamlDocuments =
  | { readonly kind: "documents"; readonly documents: readonly Json[] }
  | { readonly kind: "invalid"; readonly message: string };

/** The documents of a YAML or JSON text, empty ones left out. Never throws. */
export function parseDocuments(text: string): YamlDocuments {
  if (text.includes("\0")) return { kind: "invalid", message: "it has control characters" };
  try {
    const budget = { left: MAX_EXPANDED_SIZE };
    const documents = loadAll(text, { schema: KUBERNETES_SCHEMA, maxDepth: MAX_DEPTH })
      .map((document) => requireJson(document, budget))
      .filter((document) => document !== null);
    return { kind: "documents", documents };
  } catch (thrown) {
    return { kind: "invalid", message: formatYamlError(thrown) };
  }
}

function formatYamlError(thrown: unknown): string {
  if (!(thrown instanceof YAMLException)) return formatError(thrown);
  return thrown.mark === undefined ? thrown.reason : `line ${thrown.mark.line + 1}: ${thrown.reason}`;
}

function requireJson(document: unknown, budget: { left: number }): Json {
  if (!isJson(document, budget, 0)) throw new Error("a value is no JSON: not a number, or infinite");
  return document;
}

/** Walks a document with its aliases written out, since whatever reads it later does the same; so bombs and cycles end here. */
function isJson(value: unknown, budget: { left: number }, depth: number): value is Json {
  budget.left -= typeof value === "string" ? value.length + 1 : 1;
  if (budget.left < 0) throw new Error("its aliases expand to more than 32 MiB");
  if (depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} deep`);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((item) => isJson(item, budget, depth + 1));
  if (typeof value !== "object") return false;
  return Object.entries(value).every(([key, item]) => {
    budget.left -= key.length;
    return isJson(item, budget, depth + 1);
  });
}
