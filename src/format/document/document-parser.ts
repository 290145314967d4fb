import type { ErrorObject, ValidateFunction } from "ajv";
import schema from "../../../schemas/preflight-v1.schema.json" with { type: "json" };
import type { PreflightDocument, WrittenDocument } from "../../model/document.ts";
import { formatError } from "../../model/errors.ts";
import { toVisible } from "../../model/visible-text.ts";
import { findRuleProblems } from "./document-rules.ts";
import { formatSchemaProblem } from "./schema-problem.ts";

export type ParsedDocument =
  | { readonly kind: "valid"; readonly document: PreflightDocument }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** In UTF-16 code units: far longer than any document of the runner. */
const MAX_LENGTH = 4 * 1024 * 1024;
/** Of a text with more values, only the first problem is listed, since ajv's time grows with their square. */
const MAX_LISTED_VALUES = 5_000;
const MAX_PROBLEMS = 50;

/** Parses and validates a document. Never rejects; each problem is a line that begins with its path ("risks[2].name: ..."). */
export async function parseDocument(text: string): Promise<ParsedDocument> {
  return createDocumentParser()(text);
}

/** Parses many documents, and compiles the schema once for them. */
export function createDocumentParser(): (text: string) => Promise<ParsedDocument> {
  const validators = new Map<boolean, Promise<ValidateFunction<WrittenDocument>>>();
  return (text) =>
    parseWith(text, (allErrors) => {
      const validator = validators.get(allErrors) ?? createValidator(allErrors);
      validators.set(allErrors, validator);
      return validator;
    });
}

async function parseWith(text: string, getValidator: typeof createValidator): Promise<ParsedDocument> {
  if (text.length > MAX_LENGTH) return invalid([`document: must be no longer than ${MAX_LENGTH} characters`]);
  const parsed = parseJson(text);
  if (parsed.kind === "invalid") return parsed;
  const validate = await getValidator(text.split(",").length <= MAX_LISTED_VALUES);
  // First, since what is hidden is longer once it is written as text, and the limits are those of ClusterVersion.
  const value = toVisible(parsed.value);
  if (!validate(value)) return invalid(schemaProblems(validate.errors ?? [], value));
  const problems = findRuleProblems(value);
  return problems.length > 0 ? invalid(problems) : { kind: "valid", document: withDefaults(value) };
}

/** Fills in what the proposal's form of a risk leaves out. */
function withDefaults(document: WrittenDocument): PreflightDocument {
  const { targetVersion = "" } = document;
  const risks = document.risks.map((risk) => ({
    ...risk,
    targetVersion: risk.targetVersion ?? targetVersion,
    matchingRules: risk.matchingRules ?? ([{ type: "Always" }] as const),
  }));
  return { ...document, risks };
}

type ParsedJson = { readonly kind: "parsed"; readonly value: unknown } | Extract<ParsedDocument, { kind: "invalid" }>;

function parseJson(text: string): ParsedJson {
  if (text.trim() === "") return invalid(["document: is empty"]);
  try {
    return { kind: "parsed", value: JSON.parse(text, dropMethodName) };
  } catch (thrown) {
    return invalid([`document: is not JSON${formatPosition(thrown)}`]);
  }
}

/** Keys that no document needs: Ajv would call what stands there to compare items of a list. */
function dropMethodName(key: string, value: unknown): unknown {
  return key === "toString" || key === "valueOf" ? undefined : value;
}

/** The position alone: the parser's message quotes the text, which may be another file's than a document's. */
function formatPosition(thrown: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(formatError(thrown)) ?? [];
  return line === undefined || column === undefined ? "" : ` (line ${line}, column ${column})`;
}

function invalid(problems: readonly string[]): Extract<ParsedDocument, { kind: "invalid" }> {
  const more = problems.length - MAX_PROBLEMS;
  const listed = more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`] : problems;
  return { kind: "invalid", problems: listed };
}

/** Loads ajv only for the commands that need it. */
async function createValidator(allErrors: boolean): Promise<ValidateFunction<WrittenDocument>> {
  const { Ajv } = await import("ajv");
  return new Ajv({ strict: true, allErrors, verbose: false }).compile<WrittenDocument>(schema);
}

/** Leaves out errors of `if`, which only repeat that `then` failed. */
function schemaProblems(errors: readonly ErrorObject[], value: unknown): readonly string[] {
  const listed = errors.filter(({ keyword }) => keyword !== "if");
  return [...new Set(listed.map((error) => formatSchemaProblem(error, value)))];
}
