import { quoteArgument } from "../../model/commands.ts";
import { sortNames, summarizeNames } from "../../model/text.ts";
import { isVisibleLine, toLine } from "../../model/visible-text.ts";
import {
  type Type,
  type CompiledExpression,
  type Declarations,
  type Evaluation,
  type ExpressionFault,
  type CelValue,
  type Span,
  type EvaluationLimits,
  type Taken,
  CALL_LIMITS,
  typeText,
  unwrapped,
  compileObjectExpression,
  evaluateExpression,
  getListValues,
  isList,
  unwrapOptional,
  findClosingBrace,
} from "../../schema/cel/index.ts";
import { formatPart } from "../functions/texts.ts";
import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { type Site, explainFault, inspect, refuse, trace, use } from "./expressions.ts";
import { dependsOnTime } from "./guards.ts";
import { declare } from "./names.ts";

/** A text with values in it: "It holds ${object.spec.size} items." `$${` is a literal `${`. */
export type Template = {
  readonly kind: "template";
  readonly parts: readonly (string | TemplatePart)[];
  /** The variables that its expressions use. */
  readonly names: ReadonlySet<string>;
};

/** `start`: where the expression stands in the text. */
type TemplatePart = CompiledExpression & { readonly start: number };

/** Where an expression stands in a text; without an end, it is not closed. */
type ExpressionPlace = { readonly start: number; readonly end: number | undefined };

/** What a text says, and its expressions. */
export function splitTemplate(text: string): readonly (string | ExpressionPlace)[] {
  const parts: (string | ExpressionPlace)[] = [];
  let written = 0;
  for (let at = text.indexOf("${"); at >= 0; at = text.indexOf("${", written)) {
    if (text[at - 1] === "$" && at > written) {
      parts.push(text.slice(written, at - 1), "${");
      written = at + 2;
      continue;
    }
    const start = at + 2;
    const end = findClosingBrace(text, start);
    parts.push(text.slice(written, at), { start, end });
    written = (end ?? text.length) + 1;
  }
  return [...parts, text.slice(written)].filter((part) => part !== "");
}

/** Positions of faults are those in the text. */
export function compileTemplate(text: string, declarations: Declarations): Template | ExpressionFault {
  const parts: (string | TemplatePart)[] = [];
  for (const part of splitTemplate(text)) {
    if (typeof part === "string") {
      parts.push(part);
      continue;
    }
    const { start, end } = part;
    if (end === undefined) return buildExpressionFault("this ${ is not closed by }", start - 2, start);
    const compiled = compilePart(text.slice(start, end), declarations);
    if (compiled.kind === "fault") return { ...compiled, start: start + compiled.start, end: start + compiled.end };
    parts.push({ ...compiled, start });
  }
  return buildTemplate(parts);
}

function buildTemplate(parts: Template["parts"]): Template {
  const names = new Set(parts.flatMap((part) => (typeof part === "string" ? [] : [...part.names])));
  return { kind: "template", parts, names };
}

function compilePart(text: string, declarations: Declarations): CompiledExpression | ExpressionFault {
  const compiled = compileObjectExpression(text, declarations);
  if (compiled.kind === "fault") return compiled;
  return findTextFault(compiled.type, 0, text.length) ?? compiled;
}

function findTextFault(type: Type, start: number, end: number): ExpressionFault | undefined {
  if (canBeText(type)) return undefined;
  return buildExpressionFault(`a text can't hold a value of type ${typeText(type)}`, start, end);
}

const TEXT_KINDS: readonly Type["kind"][] = ["string", "int", "bool", "dyn"];

function canBeText(type: Type): boolean {
  const plain = unwrapped(type) ?? type;
  const [item = plain] = plain.kind === "list" ? plain.parameters : [];
  return TEXT_KINDS.includes(item.kind);
}

function buildExpressionFault(message: string, start: number, end: number): ExpressionFault {
  return { kind: "fault", message, start, end, isUndecided: false };
}

/**
 * `sentence`: for people; `whole`: the same, of values that are short already; `command`: each value is one quoted argument of a shell;
 * `exact`: as it is, for what is quoted as a whole.
 */
export type TemplateUse = "sentence" | "whole" | "command" | "exact";

/** A text, or why a value in it has none. */
export type TemplateResult =
  | ({ readonly kind: "text"; readonly text: string } & Taken)
  | Exclude<Evaluation, { readonly kind: "value" }>;

/** Values are inserted once, and never evaluated again. */
export function formatTemplate(
  { parts }: Template,
  variables: readonly CelValue[],
  use: TemplateUse = "sentence",
  limits: EvaluationLimits = CALL_LIMITS,
): TemplateResult {
  let whole = "";
  let taken: Taken = { cost: 0, work: 0, memory: 0 };
  for (const part of parts) {
    const result = typeof part === "string" ? part : insert(part, variables, use, limits);
    if (typeof result === "string") {
      whole += result;
      continue;
    }
    taken = { cost: taken.cost + result.cost, work: taken.work + result.work, memory: taken.memory + result.memory };
    if (result.kind !== "text") return { ...result, ...taken };
    whole += result.text;
  }
  return { kind: "text", text: isForCommand(use) ? whole : whole.replaceAll(COMMAND_LABEL, "$&:"), ...taken };
}

/** A text may not read as the label of a command: "Fix (safe)". */
export const COMMAND_LABEL = /\bfix(?=\s*\(\s*(?:safe|disruptive|weakens|weakening|from)\b)/gi;

function isForCommand(use: TemplateUse): use is "command" | "exact" {
  return use === "command" || use === "exact";
}

function insert(
  part: CompiledExpression,
  variables: readonly CelValue[],
  use: TemplateUse,
  limits: EvaluationLimits,
): TemplateResult {
  const result = evaluateExpression(part, variables, limits);
  if (result.kind !== "value") return result;
  const work = result.work + countCharacters(result.value) * SENTENCE_WORK;
  const taken: Taken = { cost: result.cost, work, memory: result.memory };
  if (work > limits.work) return { kind: "costLimit", text: "it costs too much to evaluate", ...taken };
  const text = isForCommand(use) ? toCommandPart(result.value, use) : toSentencePart(result.value, use);
  if (text !== undefined) return { kind: "text", text, ...taken };
  const message = `a value can't be part of a ${isForCommand(use) ? "command" : "sentence"}`;
  return { kind: "error", text: message, ...taken };
}

/** Of a character that is looked at. */
const SENTENCE_WORK = 0.2;

/** Of a text, or of the items of a list, each of which counts by itself, too. */
function countCharacters(value: CelValue): number {
  const plain = unwrapOptional(value) ?? null;
  const values = isList(plain) ? getListValues(plain) : [plain];
  return values.reduce<number>((sum, item) => sum + (typeof item === "string" ? item.length : 0) + 1, 0);
}

const MOST_CHARACTERS = 300;

/** On one line, without hidden characters, and not too long; of a list the first names. */
function toSentencePart(value: CelValue, use: TemplateUse): string | undefined {
  const plain = unwrapOptional(value) ?? null;
  const values = isList(plain) ? getListValues(plain) : [plain];
  const texts = values.map(formatPart).filter((text) => text !== undefined);
  if (texts.length < values.length) return undefined;
  const short = texts.map((text) => (use === "whole" ? toLine(text) : shorten(toLine(text))));
  return isList(plain) ? summarizeNames(sortNames(short)) : short[0];
}

function shorten(line: string): string {
  const characters = [...line];
  return characters.length <= MOST_CHARACTERS ? line : `${characters.slice(0, MOST_CHARACTERS).join("")}...`;
}

/** It is never shortened, since it would name something else, and never one of the program's options. */
function toCommandPart(value: CelValue, use: "command" | "exact"): string | undefined {
  const text = formatPart(unwrapOptional(value) ?? null);
  if (text === undefined || !isVisibleLine(text)) return undefined;
  if (use === "exact") return text;
  return text.startsWith("-") ? undefined : quoteArgument(text);
}

export function compileText(site: Site, text: string): Template {
  const { compilation, scope, place } = site;
  const template = compileTemplate(text, declare(scope.names, compilation.isSound));
  if (template.kind === "fault") {
    explainFault(site, text, template);
    return buildTemplate([]);
  }
  const parts = template.parts.filter((part) => typeof part !== "string");
  if (compilation.isSound) {
    for (const { syntax } of parts) use(site, trace(site, syntax, undefined));
    return template;
  }
  for (const part of parts) compileTextPart(site, part, text.slice(part.start));
  compilation.warnings.push(...findPlaceholderWarnings(place, text));
  return template;
}

/** Positions of faults are those in the text. */
function compileTextPart({ compilation, scope, place }: Site, part: TemplatePart, text: string): void {
  const faults: PlacedFault[] = [];
  const warnings: PlacedFault[] = [];
  const own: Site = { compilation: { ...compilation, faults, warnings }, scope, place };
  const { type, origin } = inspect(own, text, part);
  use(own, origin);
  const fault = findTextFault(type, part.syntax.start, part.syntax.end);
  if (fault !== undefined) explainFault(own, text, fault);
  if (dependsOnTime(part.syntax, scope.timed ?? new Set())) refuseTime(own, part.syntax);
  const shift = ({ span, ...fault }: PlacedFault): PlacedFault =>
    span === undefined ? fault : { ...fault, span: { start: part.start + span.start, end: part.start + span.end } };
  compilation.faults.push(...faults.map(shift));
  compilation.warnings.push(...warnings.map(shift));
}

/** As other tools write them. In a command they may be the command's own. */
function findPlaceholderWarnings(place: DocumentPlace, text: string): readonly PlacedFault[] {
  const found = place.at(-1) === "run" ? null : /\{\{.*?\}\}/.exec(text);
  if (found === null) return [];
  const span = { start: found.index, end: found.index + found[0].length };
  return [{ severity: "warning", place, message: "{{ }} is printed as it is", hint: "write ${...}", span }];
}

function refuseTime(site: Site, { start, end }: Span): void {
  const hint = "now may decide in when; in the text, name the date itself";
  refuse(site, "this text changes with the time, though the cluster stays the same", hint, { start, end });
}
