import { joinNames, sortNames, summarizeNames } from "../../model/names.ts";
import { quote } from "../../model/quote.ts";
import {
  READS_ONCE,
  type FunctionImplementation,
  type FunctionRows,
  traverseAll,
  getListValues,
  type CelValue,
  NO_OVERLOAD,
  isList,
} from "../../schema/cel/index.ts";

/** The text of a value that may stand in a sentence: a text, an int or a bool. */
export function formatPart(value: CelValue): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "bigint" || typeof value === "boolean" ? String(value) : undefined;
}

function onNames(format: (names: readonly string[]) => string): FunctionImplementation {
  return ([list = null]) => {
    const values = isList(list) ? getListValues(list) : [null];
    const names = values.map(formatPart).filter((name) => name !== undefined);
    return names.length < values.length ? NO_OVERLOAD : format(names);
  };
}

const MOST_QUOTED = 1_000n;

function quoteText([text, most]: readonly CelValue[]): CelValue {
  if (typeof text !== "string" || typeof most !== "bigint" || most < 1n || most > MOST_QUOTED) return NO_OVERLOAD;
  return quote(text, Number(most));
}

export const TEXT_FUNCTIONS: FunctionRows = {
  names: {
    types: "(list(dyn)) string",
    call: onNames((names) => summarizeNames(sortNames(names))),
    cost: (args) => traverseAll(args) + 1,
  },
  listed: { types: "(list(dyn)) string", call: onNames(joinNames), cost: (args) => traverseAll(args) + 1 },
  quote: { types: "(string, int) string", ...READS_ONCE, call: quoteText },
};
