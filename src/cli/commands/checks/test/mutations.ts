import type { DocumentPlace } from "../../../../data-checks/fault.ts";
import { type Json, isList, isObject } from "../../../../model/json.ts";
import { type Token, tokenize } from "../../../../schema/cel/index.ts";

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
