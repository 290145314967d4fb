import {
  type CallCost,
  type CostedCall,
  type Estimate,
  estimateTraversal,
  findElement,
  knownSize,
  nodeSize,
  operandSize,
} from "../cost/call-estimate.ts";
import { LARGEST, ZERO, add, asBits, multiply, scale, wrapped } from "../cost/estimate.ts";
import { TRAVERSAL, actualSize, getTraversalCost } from "../runtime/activation.ts";
import { charAt, indexOf, lastIndexOf, replace, split, substring, trim } from "../values/text.ts";
import { findText } from "../values/text-search.ts";
import { getListValues } from "../values/unstructured.ts";
import { buildError, NO_OVERLOAD, type CelValue, isList } from "../values/value.ts";
import { estimateConversion } from "./conversions.ts";
import { KEEPS_SIZE, onText, onTexts, traverseOnce, traverseTwice } from "./function-binding.ts";
import { type FunctionImplementation, buildApiServerLibrary } from "../runtime/function-table.ts";
import { traverseAll } from "./lists.ts";
import { formatString, quote } from "../values/text-formatting.ts";

function join(args: readonly CelValue[]): CelValue {
  const [list = null, by = ""] = args;
  if (!isList(list) || typeof by !== "string") return NO_OVERLOAD;
  const values = getListValues(list);
  const parts = values.filter((part) => typeof part === "string");
  return parts.length === values.length ? parts.join(by) : buildError("join: invalid input");
}

/** With an optional place to start from. */
function onPart(act: (text: string, part: string, from: bigint | undefined) => CelValue): FunctionImplementation {
  return ([text, part, from]) => {
    if (typeof text !== "string" || typeof part !== "string") return NO_OVERLOAD;
    return from === undefined || typeof from === "bigint" ? act(text, part, from) : NO_OVERLOAD;
  };
}

function callSubstring([a, start, end]: readonly CelValue[]): CelValue {
  if (typeof a !== "string" || typeof start !== "bigint") return NO_OVERLOAD;
  return end === undefined || typeof end === "bigint" ? substring(a, start, end) : NO_OVERLOAD;
}

function callReplace([a, old, by, most = -1n]: readonly CelValue[]): CelValue {
  if (typeof a !== "string" || typeof old !== "string" || typeof by !== "string") return NO_OVERLOAD;
  return typeof most === "bigint" ? replace(a, old, by, most) : NO_OVERLOAD;
}

/** Charges far more than any rule may cost if the result would be enormous. */
function getReplaceCost([a = null, , by = null]: readonly CelValue[]): number {
  const enormous = actualSize(a) * actualSize(by) > 100_000_000 ? Infinity : 0;
  return getTraversalCost(actualSize(a) * 2) + enormous;
}

const estimateContains: Estimate = (call) => ({
  cost: multiply(scale(knownSize(call, 0), TRAVERSAL), scale(knownSize(call, 1), TRAVERSAL)),
});

function estimateReplace(call: CostedCall): CallCost {
  const [text, from, to] = [operandSize(call, 0), operandSize(call, 1), operandSize(call, 2)];
  const [most, mostKept] = countReplacements(text.max, from.min, to.max <= from.min);
  const [least, leastKept] = countReplacements(text.min, from.max, from.max <= to.min);
  const size = add(multiply({ min: least, max: most }, to), { min: leastKept, max: mostKept });
  return { cost: scale(text, 2 * TRAVERSAL), size };
}

/** How many replacements a text allows, and the size of the rest; an empty text is replaced between all characters. */
function countReplacements(text: number, from: number, isBound: boolean): readonly [count: number, kept: number] {
  if (from === 0) return [Math.min(text + 1, LARGEST), text];
  return isBound ? [0, text] : [Math.ceil(text / from), 0];
}

/** A constant number of parts bounds their number. */
const estimateSplit: Estimate = (call) => {
  const text = operandSize(call, 0);
  const parts = call.operands[2]?.expr;
  const value = parts?.op === "literal" ? parts.value : undefined;
  const max = typeof value === "bigint" ? Number(BigInt.asUintN(64, value)) : text.max;
  return { cost: scale(text, 2 * TRAVERSAL), size: { min: 0, max } };
};

const estimateJoin: Estimate = (call) => {
  const list = operandSize(call, 0);
  const element = findElement(call, 0);
  const texts = element ? multiply(list, nodeSize(element, call.coster)) : ZERO;
  const between = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const size = call.operands.length > 1 ? add(texts, multiply(operandSize(call, 1), between)) : texts;
  return { cost: scale(size, TRAVERSAL), size };
};

/** Reads the text that is looked for. */
const estimateAffix: Estimate = (call) => ({ cost: scale(knownSize(call, 1), TRAVERSAL) });

/** Two more for the quotes; a quoted character becomes two. */
const estimateQuote = estimateConversion(({ min, max }) => ({
  min: wrapped(asBits(min) + 2n),
  max: wrapped(asBits(max) * 2n + 2n),
}));

const TEST = "string.(string) bool";
const SEARCH = {
  types: "string.(string) int | string.(string, int) int",
  estimate: estimateTraversal(1),
  cost: traverseAll,
};
const CHANGE = { types: "string.() string", ...KEEPS_SIZE };
const AFFIX = { types: TEST, estimate: estimateAffix, cost: traverseOnce };

/** The language's own tests, and cel-go's library of strings. */
export const TEXTS = buildApiServerLibrary("rules", {
  contains: {
    types: TEST,
    estimate: estimateContains,
    call: onTexts((a, b) => findText(a, b) >= 0),
    cost: ([a = null, b = null]) => getTraversalCost(actualSize(a)) * getTraversalCost(actualSize(b)),
  },
  startsWith: { ...AFFIX, call: onTexts((a, b) => a.startsWith(b)) },
  endsWith: { ...AFFIX, call: onTexts((a, b) => a.endsWith(b)) },
  charAt: {
    types: "string.(int) string",
    call: ([a, i]) => (typeof a === "string" && typeof i === "bigint" ? charAt(a, i) : NO_OVERLOAD),
  },
  indexOf: { ...SEARCH, call: onPart((text, part, from = 0n) => indexOf(text, part, from)) },
  lastIndexOf: { ...SEARCH, call: onPart(lastIndexOf) },
  lowerAscii: { ...CHANGE, call: onText((text) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())) },
  upperAscii: { ...CHANGE, call: onText((text) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())) },
  trim: { ...CHANGE, call: onText(trim) },
  substring: { ...CHANGE, types: "string.(int) string | string.(int, int) string", call: callSubstring },
  replace: {
    types: "string.(string, string) string | string.(string, string, int) string",
    estimate: estimateReplace,
    call: callReplace,
    costBefore: getReplaceCost,
  },
  split: {
    types: "string.(string) list(string) | string.(string, int) list(string)",
    estimate: estimateSplit,
    call: onPart((text, by, most = -1n) => split(text, by, most)),
    cost: traverseTwice,
  },
  join: {
    types: "list(string).() string | list(string).(string) string",
    estimate: estimateJoin,
    call: join,
    cost: (_, result) => getTraversalCost(actualSize(result) * 2),
  },
  format: {
    types: "string.(list(dyn)) string since formatting",
    estimate: (call) => ({ cost: scale(knownSize(call, 0), TRAVERSAL) }),
    call: ([a, b = null]) => (typeof a === "string" && isList(b) ? formatString(a, getListValues(b)) : NO_OVERLOAD),
    cost: traverseOnce,
  },
  "strings.quote": {
    types: "(string) string since formatting",
    estimate: estimateQuote,
    call: onText(quote),
    cost: traverseOnce,
  },
});
