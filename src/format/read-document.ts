import type { ErrorObject, ValidateFunction } from "ajv";
import schema from "../../schemas/preflight-v1.schema.json" with { type: "json" };
import type { PreflightDocument } from "../model/document.ts";
import { ruleProblems } from "./document-rules.ts";
import { problemLine } from "./schema-problem.ts";

export type ReadDocument =
  | { readonly kind: "valid"; readonly document: PreflightDocument }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** In UTF-16 code units: far more than the runner ever writes. */
const MAX_LENGTH = 4 * 1024 * 1024;
/** All problems of a text are listed up to this many values; of a larger one only the first, since ajv's time grows with their square. */
const MAX_LISTED_VALUES = 5_000;
const MAX_PROBLEMS = 50;

/** Judges a text as a document: never rejects, and each problem is a line that begins with where it is ("risks[2].name: ..."). */
export async function readDocument(text: string): Promise<ReadDocument> {
  if (text.length > MAX_LENGTH) return invalid([`document: must be no longer than ${MAX_LENGTH} characters`]);
  const parsed = parseJson(text);
  if (parsed.kind === "invalid") return parsed;
  const validate = await validator(text.split(",").length <= MAX_LISTED_VALUES);
  const { value } = parsed;
  if (!validate(value)) return invalid(schemaProblems(validate.errors ?? [], value));
  const problems = ruleProblems(value);
  return problems.length > 0 ? invalid(problems) : { kind: "valid", document: value };
}

type Parsed = { readonly kind: "parsed"; readonly value: unknown } | Extract<ReadDocument, { kind: "invalid" }>;

function parseJson(text: string): Parsed {
  if (text.trim() === "") return invalid(["document: is empty"]);
  try {
    return { kind: "parsed", value: JSON.parse(text) };
  } catch (thrown) {
    return invalid([`document: is no JSON${thrown instanceof Error ? ` (${thrown.message})` : ""}`]);
  }
}

function invalid(problems: readonly string[]): Extract<ReadDocument, { kind: "invalid" }> {
  const more = problems.length - MAX_PROBLEMS;
  const told = more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`] : problems;
  return { kind: "invalid", problems: told };
}

/** ajv is loaded by the commands that need it, and by no other. */
async function validator(allErrors: boolean): Promise<ValidateFunction<PreflightDocument>> {
  const { Ajv } = await import("ajv");
  return new Ajv({ strict: true, allErrors, verbose: false }).compile<PreflightDocument>(schema);
}

/** `if` only says that `then` failed, which says itself why. */
function schemaProblems(errors: readonly ErrorObject[], value: unknown): readonly string[] {
  const told = errors.filter(({ keyword }) => keyword !== "if");
  return [...new Set(told.map((error) => problemLine(error, value)))];
}
