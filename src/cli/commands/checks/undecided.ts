import type { CheckText, CheckFault, DocumentPlace } from "../../../data-checks/format/fault.ts";
import { parseChecks } from "../../../data-checks/format/parse.ts";
import { loadChecks } from "../../../data-checks/load.ts";
import { parseDocuments } from "../../../encoding/yaml.ts";
import type { Check } from "../../../model/check.ts";
import { type Json, isList, isObject } from "../../../model/json.ts";
import { type CaseResult, isSameReport } from "./case-results.ts";
import { type Token, tokenize } from "../../../schema/cel/index.ts";

/** The parts of a check's expressions that can be changed without any case that notices. */
export async function findUndecided(
  text: CheckText,
  cases: readonly CaseResult[],
  others: readonly Check[],
  list = listMutations,
): Promise<readonly CheckFault[]> {
  const parsed = parseDocuments(text.text);
  const [document] = parsed.kind === "documents" ? parsed.documents : [];
  const { checks } = await parseChecks(text);
  const [source] = checks;
  if (document === undefined || source === undefined) return [];
  const undecided: CheckFault[] = [];
  // The case that noticed the last change most often notices the next one, which is beside it.
  let order = cases;
  for (const mutation of list(document)) {
    const noticed = await findNoticing(text.name, document, mutation, order, others);
    if (noticed === undefined) undecided.push(source.locate(describeMutation(mutation)));
    else if (noticed !== "loader") order = [noticed, ...order.filter((one) => one !== noticed)];
  }
  return undecided;
}

/** The first case that notices a mutation. What can't be loaded any more says nothing about the cases. */
async function findNoticing(
  name: string,
  document: Json,
  mutation: Mutation,
  cases: readonly CaseResult[],
  others: readonly Check[],
): Promise<CaseResult | "loader" | undefined> {
  const text = JSON.stringify(applyMutation(document, mutation));
  const { checks, faults } = await loadChecks([{ name, text }], { kind: "embedded" }, new Set());
  const [check] = checks;
  if (check === undefined || faults.some(({ severity }) => severity === "error")) return "loader";
  for (const one of cases) if (!(await isSameReport(one, check, others))) return one;
  return undefined;
}

function describeMutation({ place, expression, start, end, instead }: Mutation): Parameters<Locate>[0] {
  const written = expression.slice(start, end);
  const change = instead === "" ? `without ${written}` : `with ${instead} instead`;
  return {
    severity: "warning",
    place,
    span: { start, end },
    message: `no case decides ${written}`,
    hint: `${change}, all cases report the same`,
  };
}

type Locate = Awaited<ReturnType<typeof parseChecks>>["checks"][number]["locate"];

/** A part of an expression of a check, and what is put in its place to see whether a case notices. */
export type Mutation = {
  readonly place: DocumentPlace;
  readonly expression: string;
  readonly start: number;
  readonly end: number;
  readonly instead: string;
};

/** Of every expression of the check's document, each operator and word that can be turned round. */
export function listMutations(document: Json): readonly Mutation[] {
  return listTexts(document, []).flatMap(({ place, text }) => (isExpression(place) ? listOfText(place, text) : []));
}

/** The document with a mutation. */
export function applyMutation(document: Json, { place, expression, start, end, instead }: Mutation): Json {
  return replaceAt(document, place, `${expression.slice(0, start)}${instead}${expression.slice(end)}`);
}

type PlacedText = { readonly place: DocumentPlace; readonly text: string };

/** Every text in a value. */
export function listTexts(value: Json, place: DocumentPlace): readonly PlacedText[] {
  if (typeof value === "string") return [{ place, text: value }];
  if (isList(value)) return value.flatMap((item, i) => listTexts(item, [...place, i]));
  return isObject(value) ? Object.entries(value).flatMap(([key, one]) => listTexts(one, [...place, key])) : [];
}

const EXPRESSIONS: readonly (string | number | undefined)[] = ["when", "forEach", "expression", "object"];

/** "where" is a text with expressions in it, unless it is that of a read. */
export function isExpression(place: DocumentPlace): boolean {
  const [parent, key] = place.slice(-2);
  if (place[1] === "reads") return key === "where" || key === "when" || parent === "index";
  return EXPRESSIONS.includes(key);
}

function listOfText(place: DocumentPlace, expression: string): readonly Mutation[] {
  const tokens = tokenize(expression);
  return tokens.flatMap((token, i) => {
    const instead = findOpposite(token, tokens[i - 1], tokens[i + 1]);
    return instead === undefined ? [] : [{ place, expression, start: token.start, end: token.end, instead }];
  });
}

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ["==", "!="],
  ["!=", "=="],
  ["&&", "||"],
  ["||", "&&"],
  ["<", ">="],
  [">=", "<"],
  [">", "<="],
  ["<=", ">"],
  ["!", ""],
  ["true", "false"],
  ["false", "true"],
  ['"True"', '"False"'],
  ['"False"', '"True"'],
]);
const OPPOSITE_MACROS: ReadonlyMap<string, string> = new Map([
  ["exists", "all"],
  ["all", "exists"],
]);

/** What is put in place of an operator or a word; undefined for any other token. */
export function findOpposite({ text }: Token, before: Token | undefined, after: Token | undefined): string | undefined {
  return before?.kind === "." && after?.kind === "(" ? OPPOSITE_MACROS.get(text) : OPPOSITES.get(text);
}

function replaceAt(value: Json, [step, ...rest]: DocumentPlace, text: string): Json {
  if (step === undefined) return text;
  if (isList(value)) return value.map((item, i) => (i === step ? replaceAt(item, rest, text) : item));
  if (!isObject(value)) return value;
  return { ...value, [step]: replaceAt(value[step] ?? null, rest, text) };
}
