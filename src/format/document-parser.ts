import type { ErrorObject, ValidateFunction } from "ajv";
import schema from "../../schemas/preflight-v1.schema.json" with { type: "json" };
import type { PreflightDocument, WrittenDocument } from "../model/document.ts";
import { findRuleProblems } from "./document-rules.ts";
import { formatSchemaProblem } from "./schema-problem.ts";

export type ParsedDocument =
  | { readonly kind: "valid"; readonly document: PreflightDocument }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** In UTF-16 code units: far more than the runner ever writes. */
const MAX_LENGTH = 4 * 1024 * 1024;
/** All problems of a text are listed up to this many values; of a larger one only the first, since ajv's time grows with their square. */
const MAX_LISTED_VALUES = 5_000;
const MAX_PROBLEMS = 50;

/** Judges a text as a document: never rejects, and each problem is a line that begins with where it is ("risks[2].name: ..."). */
export async function parseDocument(text: string): Promise<ParsedDocument> {
  if (text.length > MAX_LENGTH) return invalid([`document: must be no longer than ${MAX_LENGTH} characters`]);
  const parsed = parseJson(text);
  if (parsed.kind === "invalid") return parsed;
  const validate = await createValidator(text.split(",").length <= MAX_LISTED_VALUES);
  const { value } = parsed;
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
    return { kind: "parsed", value: JSON.parse(text) };
  } catch (thrown) {
    return invalid([`document: is no JSON${thrown instanceof Error ? ` (${thrown.message})` : ""}`]);
  }
}

function invalid(problems: readonly string[]): Extract<ParsedDocument, { kind: "invalid" }> {
  const more = problems.length - MAX_PROBLEMS;
  const listed = more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`] : problems;
  return { kind: "invalid", problems: listed };
}

/** ajv is loaded by the commands that need it, and by no other. */
async function createValidator(allErrors: boolean): Promise<ValidateFunction<WrittenDocument>> {
  const { Ajv } = await import("ajv");
  return new Ajv({ strict: true, allErrors, verbose: false }).compile<WrittenDocument>(schema);
}

/** `if` only says that `then` failed, which says itself why. */
function schemaProblems(errors: readonly ErrorObject[], value: unknown): readonly string[] {
  const listed = errors.filter(({ keyword }) => keyword !== "if");
  return [...new Set(listed.map((error) => formatSchemaProblem(error, value)))];
}
