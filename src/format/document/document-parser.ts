import type { ErrorObject, ValidateFunction } from "ajv";
import schema from "../../../schemas/preflight-v1.schema.json" with { type: "json" };
import { FURTHER_RISKS, type PreflightDocument, type WrittenDocument } from "../../model/document.ts";
import { formatError } from "../../model/errors.ts";
import { type Json, type JsonObject, at, compareText, isObject } from "../../model/json.ts";
import { countCharacters } from "../../model/text.ts";
import { toVisible } from "../../model/visible-text.ts";
import { MAX_TEXT } from "./budget.ts";
import { formatActual, formatSchemaProblem } from "./schema-problem.ts";

export type ParsedDocument =
  | { readonly kind: "valid"; readonly document: PreflightDocument }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** In UTF-16 code units: far longer than any document of the runner. */
const MAX_LENGTH = 4 * 1024 * 1024;
/** Of a text with more values, only the first problem is listed, since ajv's time grows with their square. */
const MAX_LISTED_VALUES = 5_000;
const MAX_PROBLEMS = 50;
const TOO_LONG = `document: must be no longer than ${MAX_LENGTH} characters`;

/** Parses and validates a document. Never rejects; each problem is a line that begins with its path ("risks[2].name: ..."). */
export async function parseDocument(text: string): Promise<ParsedDocument> {
  if (text.length > MAX_LENGTH) return invalid([TOO_LONG]);
  const read = await parse(text, true);
  return read.kind === "valid" ? { kind: "valid", document: read.document } : read;
}

/** A result with all that is in it; `value` is the whole of it, and not only what a document has. */
export type ReadResult =
  | { readonly kind: "valid"; readonly document: PreflightDocument; readonly value: JsonObject }
  | Extract<ParsedDocument, { kind: "invalid" }>;

/**
 * Reads documents and what `check -o json` prints, by the same rules for every command. The latter has all risks with their whole texts, so
 * the limits of a document don't hold for it.
 */
export function readResult(text: string): Promise<ReadResult> {
  return parse(text, false);
}

async function parse(text: string, isDocument: boolean): Promise<ReadResult> {
  const parsed = parseJson(text);
  if (parsed.kind === "invalid") return parsed;
  // First, since what is hidden is longer once it is written as text, and the limits are those of ClusterVersion.
  const value = toVisible(parsed.value);
  const formatProblem = findFormatProblem(value);
  if (formatProblem !== undefined) return invalid([formatProblem]);
  const hasLimits = isDocument || at(value, "coverage") === undefined;
  if (hasLimits && text.length > MAX_LENGTH) return invalid([TOO_LONG]);
  const validate = await getValidator(text.split(",").length <= MAX_LISTED_VALUES, hasLimits);
  if (!validate(value) || !isObject(value)) return invalid(schemaProblems(validate.errors ?? [], value));
  const problems = findRuleProblems(value, hasLimits);
  return problems.length > 0 ? invalid(problems) : { kind: "valid", document: withDefaults(value), value };
}

/** Compiled once: that takes many times as long as a document. */
const validators = new Map<string, ReturnType<typeof createValidator>>();

function getValidator(allErrors: boolean, hasLimits: boolean): ReturnType<typeof createValidator> {
  const key = `${allErrors} ${hasLimits}`;
  const validator = validators.get(key) ?? createValidator(allErrors, hasLimits);
  validators.set(key, validator);
  return validator;
}

const FORMAT = "preflight-v1-json";

/** Before anything else: of a file of another kind, nothing more is quoted. */
function findFormatProblem(value: Json): string | undefined {
  if (!isObject(value)) return undefined;
  const { format } = value;
  if (format === FORMAT) return undefined;
  if (format === undefined) return "format: is missing";
  return `format: must be "${FORMAT}"${formatActual(format)}`;
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

type ParsedJson = { readonly kind: "parsed"; readonly value: Json } | Extract<ParsedDocument, { kind: "invalid" }>;

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

const MAX_SUMMARIZED = 3;

/** The problems in one line; `validate` lists all of them. */
export function summarizeProblems(problems: readonly string[]): string {
  return problems.slice(0, MAX_SUMMARIZED).join("; ");
}

/** Loads ajv only for the commands that need it. That the schema is valid, a test shows. */
async function createValidator(allErrors: boolean, hasLimits: boolean): Promise<ValidateFunction<WrittenDocument>> {
  const { Ajv } = await import("ajv");
  const rules = hasLimits ? schema : buildUnlimitedSchema();
  return new Ajv({ strict: true, allErrors, verbose: false, validateSchema: false }).compile<WrittenDocument>(rules);
}

function buildUnlimitedSchema(): object {
  const { maxItems: _, ...risks } = schema.properties.risks;
  const { maxLength: __, ...message } = schema.definitions.message;
  return {
    ...schema,
    properties: { ...schema.properties, risks },
    definitions: { ...schema.definitions, message },
  };
}

/** Leaves out errors of `if`, which only repeat that `then` failed. */
function schemaProblems(errors: readonly ErrorObject[], value: unknown): readonly string[] {
  const listed = errors.filter(({ keyword }) => keyword !== "if");
  return [...new Set(listed.map((error) => formatSchemaProblem(error, value)))];
}

/** Violations of the rules that the schema can't express, one line each. `hasLimits`: whether the limits of ClusterVersion hold. */
function findRuleProblems(document: WrittenDocument, hasLimits: boolean): readonly string[] {
  const names = document.risks.map(({ name }) => name);
  const ids = (document.checks ?? []).map(({ id }) => id);
  return [
    // The risk that counts the others is always last, whatever its name.
    ...findOrderProblems("risks", "name", names.at(-1) === FURTHER_RISKS ? names.slice(0, -1) : names),
    ...findOrderProblems("checks", "id", ids),
    ...findTargetProblems(document),
    ...(hasLimits ? findBudgetProblems(document) : []),
    ...findTimeProblems(document),
    ...findUrlProblems(document),
    ...findContradictions(document),
  ];
}

function findOrderProblems(list: string, key: string, names: readonly string[]): readonly string[] {
  return names.flatMap((name, i) => {
    const before = names[i - 1];
    if (before === undefined || compareText(before, name) < 0) return [];
    const why =
      before === name ? `must be unique: ${name} appears twice` : `must come before ${before}: sorted by ${key}`;
    return [`${list}[${i}].${key}: ${why}`];
  });
}

function findTargetProblems({ targetVersion, risks }: WrittenDocument): readonly string[] {
  return risks.flatMap((risk, i) => {
    const path = `risks[${i}].targetVersion`;
    if (risk.targetVersion === undefined && targetVersion === undefined)
      return [`${path}: is missing, and the document has no targetVersion either`];
    return (risk.targetVersion ?? targetVersion) === targetVersion
      ? []
      : [`${path}: must be the document's targetVersion`];
  });
}

function findBudgetProblems({ risks }: WrittenDocument): readonly string[] {
  const total = risks.reduce((sum, { message, url }) => sum + countCharacters(message) + countCharacters(url), 0);
  if (total <= MAX_TEXT) return [];
  return [`risks: messages and urls must add up to at most ${MAX_TEXT} characters, not ${total}`];
}

function findTimeProblems({ preflightID, observedAt, validUntil, risks }: WrittenDocument): readonly string[] {
  const times: readonly (readonly [string, string | undefined])[] = [
    ["preflightID", preflightID.slice(0, 20)],
    ["observedAt", observedAt],
    ["validUntil", validUntil],
    ...risks.map(
      ({ conditions }, i) =>
        [`risks[${i}].conditions[0].lastTransitionTime`, conditions?.[0].lastTransitionTime] as const,
    ),
  ];
  const wrong = times.flatMap(([path, time]) =>
    time === undefined || isExistingDay(time) ? [] : [`${path}: this date does not exist`],
  );
  const reversed = observedAt !== undefined && validUntil !== undefined && validUntil < observedAt;
  return reversed ? [...wrong, "validUntil: must not be before observedAt"] : wrong;
}

/** The schema's pattern accepts the 31st of February, which a Date turns into a day in March. */
function isExistingDay(time: string): boolean {
  const date = new Date(time);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === time.slice(0, 10);
}

function findUrlProblems({ risks }: WrittenDocument): readonly string[] {
  return risks.flatMap(({ url }, i) =>
    URL.canParse(url) ? [] : [`risks[${i}].url: must be an absolute https:// URL`],
  );
}

/** What a completed document says against itself: nothing of it can be relied on then. */
function findContradictions(document: WrittenDocument): readonly string[] {
  if (document.executionStatus !== "completed") return [];
  const isEmpty = document.checks?.length === 0;
  return [
    ...(isEmpty ? ["checks: must not be empty in a completed document"] : []),
    ...(document.complete === true ? findUnseen(document) : []),
    ...findLostRisks(document),
  ];
}

/** What keeps a document from being complete, although it says that it is. */
function findUnseen({ checks, risks }: WrittenDocument): readonly string[] {
  if (checks === undefined) return ["complete: must not be true without checks"];
  const incomplete = checks.filter(({ outcome, accepted }) => outcome === "unknown" && accepted === undefined);
  const partial = risks.filter(({ conditions }) => conditions?.[0].reason === "PreflightPartial");
  return [
    ...incomplete.map(({ id }) => `complete: must not be true, because the outcome of ${id} is unknown`),
    ...partial.map(({ name }) => `complete: must not be true, because ${name} reports an incomplete check`),
  ];
}

/** A document without room for all risks says so. */
function findLostRisks({ checks = [], risks }: WrittenDocument): readonly string[] {
  const names = new Set(risks.map(({ name }) => name));
  if (names.has(FURTHER_RISKS)) return [];
  return checks.flatMap(({ id, outcome, risks: own = [] }, i) => {
    const lost = own.filter((name) => !names.has(name)).map((name) => `checks[${i}].risks: ${name} is not in risks`);
    const isUnnamed = outcome === "risk" && own.length === 0 && risks.length === 0;
    return isUnnamed ? [`risks: must not be empty, because the outcome of ${id} is risk`] : lost;
  });
}
