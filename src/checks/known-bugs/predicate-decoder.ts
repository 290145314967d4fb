import type { Json } from "../../model/json.ts";
import {
  type Decoder,
  decodeFlag,
  decodeNumber,
  decodeText,
  formOf,
  listOf,
  objectOf,
  oneOf,
  optional,
} from "./decoding.ts";
import type { DanglingPredicate, EachPredicate, GetPredicate, ItemTest, Predicate } from "./known-bug.ts";

/** The variant of a union that has the key. */
type Form<T, K extends string> = Extract<T, Readonly<Record<K, unknown>>>;

const decodeRange = objectOf<{ readonly from?: string; readonly before?: string }>({
  from: optional(decodeText),
  before: optional(decodeText),
});

const decodeScalar: Decoder<string | number | boolean> = (value, place) => {
  if (typeof value === "number" || typeof value === "boolean") return value;
  return decodeText(value, place);
};

const ITEM_TESTS: Readonly<Record<string, Decoder<ItemTest>>> = {
  allOf: objectOf<Form<ItemTest, "allOf">>({ allOf: listOf(decodeItemTest) }),
  anyOf: objectOf<Form<ItemTest, "anyOf">>({ anyOf: listOf(decodeItemTest) }),
  not: objectOf<Form<ItemTest, "not">>({ not: decodeItemTest }),
  items: objectOf<Form<ItemTest, "items">>({ items: decodeText, where: decodeItemTest, least: optional(decodeNumber) }),
  parsed: objectOf<Form<ItemTest, "parsed">>({ parsed: decodeText, as: oneOf("json", "yaml"), where: decodeItemTest }),
  is: objectOf<Form<ItemTest, "is">>({ at: decodeText, is: oneOf("present", "absent", "nonEmpty") }),
  equals: objectOf<Form<ItemTest, "equals">>({ at: decodeText, equals: decodeScalar }),
  oneOf: objectOf<Form<ItemTest, "oneOf">>({ at: decodeText, oneOf: listOf(decodeText) }),
  matches: objectOf<Form<ItemTest, "matches">>({ at: decodeText, matches: decodeText }),
  atLeast: objectOf<Form<ItemTest, "atLeast">>({ at: decodeText, atLeast: decodeNumber }),
  longerThan: objectOf<Form<ItemTest, "longerThan">>({ at: decodeText, longerThan: decodeNumber }),
  family: objectOf<Form<ItemTest, "family">>({ at: decodeText, family: oneOf("IPv4", "IPv6") }),
  version: objectOf<Form<ItemTest, "version">>({ at: decodeText, version: decodeRange }),
};

function decodeItemTest(value: Json | undefined, place: string): ItemTest {
  return formOf(ITEM_TESTS)(value, place);
}

const decodeGet = objectOf<GetPredicate>({
  get: decodeText,
  name: decodeText,
  where: optional(decodeItemTest),
  unnamed: optional(oneOf(true)),
});

const decodeEach = objectOf<EachPredicate>({
  each: decodeText,
  where: decodeItemTest,
  least: optional(decodeNumber),
  unnamed: optional(oneOf(true)),
});

type MissingIn = Exclude<DanglingPredicate["missingIn"], string>;

const decodeNamesRead = formOf<MissingIn>({
  each: objectOf<Form<MissingIn, "each">>({ each: decodeText, where: decodeItemTest, at: decodeText }),
  get: objectOf<Form<MissingIn, "get">>({
    get: decodeText,
    name: decodeText,
    parsed: optional(decodeText),
    at: decodeText,
  }),
});

const decodeDangling = objectOf<DanglingPredicate>({
  dangling: formOf<GetPredicate | EachPredicate>({ get: decodeGet, each: decodeEach }),
  names: decodeText,
  matching: optional(decodeText),
  all: optional(oneOf(true)),
  missingIn: (value, place) => (typeof value === "string" ? value : decodeNamesRead(value, place)),
});

const PREDICATES: Readonly<Record<string, Decoder<Predicate>>> = {
  get: decodeGet,
  each: decodeEach,
  dangling: decodeDangling,
  allOf: objectOf<Form<Predicate, "allOf">>({ allOf: listOf(decodePredicate) }),
  anyOf: objectOf<Form<Predicate, "anyOf">>({ anyOf: listOf(decodePredicate) }),
  not: objectOf<Form<Predicate, "not">>({ not: decodePredicate }),
  always: objectOf<Form<Predicate, "always">>({ always: oneOf(true) }),
  platform: objectOf<Form<Predicate, "platform">>({ platform: listOf(decodeText) }),
  hosted: objectOf<Form<Predicate, "hosted">>({ hosted: decodeFlag }),
  aro: objectOf<Form<Predicate, "aro">>({ aro: oneOf(true) }),
  networkType: objectOf<Form<Predicate, "networkType">>({ networkType: listOf(decodeText) }),
  bornBefore: objectOf<Form<Predicate, "bornBefore">>({ bornBefore: decodeText }),
  completed: objectOf<Form<Predicate, "completed">>({
    completed: objectOf<Form<Predicate, "completed">["completed"]>({ from: decodeText, before: optional(decodeText) }),
  }),
  capability: objectOf<Form<Predicate, "capability">>({ capability: decodeText }),
  mayRun: objectOf<Form<Predicate, "mayRun">>({ mayRun: oneOf("crun", "runc") }),
  csv: objectOf<Form<Predicate, "csv">>({
    csv: decodeText,
    before: optional(decodeText),
    where: optional(decodeItemTest),
  }),
};

/** The condition of a known bug, as its data file has it. */
export function decodePredicate(value: Json | undefined, place: string): Predicate {
  return formOf(PREDICATES)(value, place);
}
