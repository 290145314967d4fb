import type { Json } from "../../model/json.ts";
import { decodeFlag, decodeNumber, decodeText, formOf, listOf, objectOf, oneOf, optional } from "./decoding.ts";
import type { SourceRange } from "../../data-checks/definition.ts";
import type { DanglingPredicate, EachPredicate, GetPredicate, ItemTest, Predicate } from "./known-bug.ts";

export const decodeRange = objectOf<SourceRange>({ from: optional(decodeText), before: optional(decodeText) });

function decodeScalar(value: Json | undefined, place: string): string | number | boolean {
  return typeof value === "number" || typeof value === "boolean" ? value : decodeText(value, place);
}

function decodeItemTest(value: Json | undefined, place: string): ItemTest {
  return decodeItemForm(value, place);
}

const decodeItemForm = formOf<ItemTest>({
  allOf: { allOf: listOf(decodeItemTest) },
  anyOf: { anyOf: listOf(decodeItemTest) },
  not: { not: decodeItemTest },
  items: { items: decodeText, where: decodeItemTest, least: optional(decodeNumber) },
  parsed: { parsed: decodeText, as: oneOf("json", "yaml"), where: decodeItemTest },
  is: { at: decodeText, is: oneOf("present", "absent", "nonEmpty") },
  equals: { at: decodeText, equals: decodeScalar },
  oneOf: { at: decodeText, oneOf: listOf(decodeText) },
  matches: { at: decodeText, matches: decodeText },
  atLeast: { at: decodeText, atLeast: decodeNumber },
  longerThan: { at: decodeText, longerThan: decodeNumber },
  family: { at: decodeText, family: oneOf("IPv4", "IPv6") },
  version: { at: decodeText, version: decodeRange },
});

const GET = { get: decodeText, name: decodeText, where: optional(decodeItemTest), unnamed: optional(oneOf(true)) };
const EACH = {
  each: decodeText,
  where: decodeItemTest,
  least: optional(decodeNumber),
  unnamed: optional(oneOf(true)),
};

const decodeNamesRead = formOf<Exclude<DanglingPredicate["missingIn"], string>>({
  each: { each: decodeText, where: decodeItemTest, at: decodeText },
  get: { get: decodeText, name: decodeText, parsed: optional(decodeText), at: decodeText },
});

/** The condition of a known bug, as its data file has it. */
export function decodePredicate(value: Json | undefined, place: string): Predicate {
  return decodePredicateForm(value, place);
}

const decodePredicateForm = formOf<Predicate>({
  get: GET,
  each: EACH,
  dangling: {
    dangling: formOf<GetPredicate | EachPredicate>({ get: GET, each: EACH }),
    names: decodeText,
    matching: optional(decodeText),
    all: optional(oneOf(true)),
    missingIn: (value, place) => (typeof value === "string" ? value : decodeNamesRead(value, place)),
  },
  allOf: { allOf: listOf(decodePredicate) },
  anyOf: { anyOf: listOf(decodePredicate) },
  not: { not: decodePredicate },
  always: { always: oneOf(true) },
  platform: { platform: listOf(decodeText) },
  hosted: { hosted: decodeFlag },
  aro: { aro: oneOf(true) },
  networkType: { networkType: listOf(decodeText) },
  bornBefore: { bornBefore: decodeText },
  completed: { completed: objectOf<CompletedRange>({ from: decodeText, before: optional(decodeText) }) },
  capability: { capability: decodeText },
  mayRun: { mayRun: oneOf("crun", "runc") },
  csv: { csv: decodeText, before: optional(decodeText), where: optional(decodeItemTest) },
});

type CompletedRange = Extract<Predicate, { readonly completed: unknown }>["completed"];
