import { PATTERN, TRAVERSAL } from "../runtime/environment.ts";
import type { CallCost, CostedCall, Estimate, Estimates } from "./operator-estimates.ts";
import {
  estimateConversion,
  estimateSameSize,
  estimateTraversal,
  findElement,
  knownSize,
  nodeSize,
  operandSize,
  OPERATOR_ESTIMATES,
} from "./operator-estimates.ts";
import { type Range, LARGEST, ONE, ZERO, add, asBits, multiply, scale, wrapped, fixed } from "./coster.ts";
import type { Overload } from "../types/signatures.ts";

const estimateContains: Estimate = (call) => ({
  cost: multiply(scale(knownSize(call, 0), TRAVERSAL), scale(knownSize(call, 1), TRAVERSAL)),
});

function estimateReplace(call: CostedCall): CallCost {
  const text = operandSize(call, 0);
  const from = operandSize(call, 1);
  const to = operandSize(call, 2);
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

/** One more character, so that an empty text still costs what its pattern does. */
function estimateMatch(text: Range, pattern: Range): Range {
  return multiply(scale(add(text, ONE), TRAVERSAL), scale(pattern, PATTERN));
}

const estimateFind: Estimate = (call) => {
  const text = operandSize(call, 0);
  return { cost: estimateMatch(text, operandSize(call, 1)), size: { min: 0, max: text.max } };
};

const estimateMatches: Estimate = (call) => ({ cost: estimateMatch(knownSize(call, 0), knownSize(call, 1)) });

const SEARCH = { "string.(string)": estimateTraversal(1), "string.(string, int)": estimateTraversal(1) };

/** Sources: cel-go's checker/cost.go, for the language's own; apiserver's pkg/cel/library/cost.go. */
const TEXT_ESTIMATES: Estimates = {
  contains: estimateContains,
  startsWith: estimateAffix,
  endsWith: estimateAffix,
  indexOf: SEARCH,
  lastIndexOf: SEARCH,
  lowerAscii: estimateSameSize,
  upperAscii: estimateSameSize,
  trim: estimateSameSize,
  substring: estimateSameSize,
  replace: estimateReplace,
  split: estimateSplit,
  join: estimateJoin,
  format: (call) => ({ cost: scale(knownSize(call, 0), TRAVERSAL) }),
  "strings.quote": estimateQuote,
  matches: { "string.(string)": estimateMatches },
  find: estimateFind,
  findAll: estimateFind,
};

/** Texts and bytes are traversed. */
const estimateOverItems: Estimate = (call) => {
  const list = operandSize(call, 0);
  const element = findElement(call, 0);
  if (element === undefined) return { cost: scale(list, TRAVERSAL) };
  const isText = element.type.kind === "string" || element.type.kind === "bytes";
  return { cost: multiply(list, isText ? add(ONE, scale(nodeSize(element, call.coster), TRAVERSAL)) : ONE) };
};

/** A call, and the cost of a new list. */
const CALL_AND_LIST = add(ONE, fixed(10));

function estimateNewList(measure: Measure, factor: (call: CostedCall) => number = () => 1): Estimate {
  return (call) => {
    const size = measure(call);
    return { cost: add(scale(size, factor(call)), CALL_AND_LIST), size };
  };
}

type Measure = (call: CostedCall) => Range;

/** Every item with every other. */
function measurePairs(at: number): Measure {
  return (call) => multiply(operandSize(call, at), operandSize(call, at));
}

function measureSlice(call: CostedCall): Range {
  const start = findExact(call, 1) ?? 0n;
  const end = findExact(call, 2) ?? asBits(operandSize(call, 0).max);
  return fixed(wrapped(end - start));
}

/** A negative constant counts as none. */
function findConstant(call: CostedCall, at: number, otherwise: number): number {
  const value = findExact(call, at);
  return value === undefined ? otherwise : Number(value);
}

function findExact({ operands }: CostedCall, at: number): bigint | undefined {
  const expr = operands[at]?.expr;
  const value = expr?.op === "literal" ? expr.value : undefined;
  return typeof value === "bigint" ? (value < 0n ? 0n : value) : undefined;
}

/** Texts and bytes are dearer to compare. */
function getSortFactor({ overload }: CostedCall): number {
  const kind = overload.args.at(-1)?.parameters[0]?.kind;
  return kind === "string" || kind === "bytes" ? 2.1 : 2;
}

/** Each item of the one with each of the other, so many times. */
function estimatePairs(times: number): Estimate {
  return (call) => ({ cost: add(scale(multiply(operandSize(call, 0), operandSize(call, 1)), times), ONE) });
}

/** Sources: lists in apiserver's pkg/cel/library/cost.go; cel-go's ext/lists.go and ext/sets.go. */
const LIST_ESTIMATES: Estimates = {
  isSorted: estimateOverItems,
  sum: estimateOverItems,
  max: estimateOverItems,
  min: estimateOverItems,
  indexOf: { "list(A).(A)": estimateOverItems },
  lastIndexOf: { "list(A).(A)": estimateOverItems },
  slice: estimateNewList(measureSlice),
  flatten: estimateNewList(
    (call) => operandSize(call, 0),
    (call) => findConstant(call, 1, call.operands.length === 1 ? 1 : LARGEST),
  ),
  "lists.range": estimateNewList((call) => fixed(findConstant(call, 0, LARGEST))),
  reverse: estimateNewList((call) => operandSize(call, 0)),
  distinct: estimateNewList(measurePairs(0), () => 2),
  sort: estimateNewList(measurePairs(0), getSortFactor),
  "@sortByAssociatedKeys": estimateNewList(measurePairs(1), getSortFactor),
  "sets.contains": estimatePairs(1),
  "sets.intersects": estimatePairs(1),
  "sets.equivalent": estimatePairs(2),
};

/** The size of the result came with the cost of comparing it. */
const estimateUrl: Estimate = (call) => {
  const { cost, size } = estimateSameSize(call);
  return { cost, size: call.coster.rules.knowsLibraryEquality ? size : undefined };
};

/** Half of a selector's characters, each with a list and a struct. */
const SELECTOR = { list: fixed(10), requirement: 0.5, each: 50 };

const estimateSelector: Estimate = (call) => {
  const length = operandSize(call, 1);
  const requirements = scale(scale(length, SELECTOR.requirement), SELECTOR.each);
  return { cost: add(SELECTOR.list, scale(length, TRAVERSAL), requirements) };
};

/** Addresses have 4 or 16 bytes. */
const BYTES: Range = { min: 4, max: 16 };
const COMPARED = scale(add(BYTES, BYTES), TRAVERSAL);
const MASKED = add(scale(BYTES, TRAVERSAL), ONE);

/** Whether a network contains another one, or an address, which is read first if it is a text. */
function estimateContainment(type: string, masked: Range): Readonly<Record<string, Estimate>> {
  const compared = add(COMPARED, masked);
  return {
    "net.CIDR.(string)": (call) => ({ cost: add(compared, scale(operandSize(call, 1), TRAVERSAL)) }),
    [`net.CIDR.(${type})`]: () => ({ cost: compared }),
  };
}

const MAX_PATTERN_SIZE = 128;

/** Kubernetes' libraries of values. Source: apiserver's pkg/cel/library/cost.go. */
const LIBRARY_ESTIMATES: Estimates = {
  url: estimateUrl,
  quantity: estimateTraversal(1),
  isQuantity: estimateTraversal(1),
  semver: estimateTraversal(1),
  isSemver: estimateTraversal(1),
  ip: { "(string)": estimateTraversal(1) },
  isIP: estimateTraversal(1),
  "ip.isCanonical": estimateTraversal(2),
  cidr: estimateTraversal(1),
  isCIDR: estimateTraversal(1),
  containsIP: estimateContainment("net.IP", ZERO),
  containsCIDR: estimateContainment("net.CIDR", MASKED),
  validate: (call) => ({ cost: scale(scale(operandSize(call, 1), TRAVERSAL), MAX_PATTERN_SIZE * PATTERN) }),
  fieldSelector: estimateSelector,
  labelSelector: estimateSelector,
  check: () => ({ cost: fixed(350_000) }),
};

/** What the API server's functions cost at most. One that stands in two tables has other signatures in each. */
export const FUNCTION_ESTIMATES: readonly Estimates[] = [
  OPERATOR_ESTIMATES,
  LIST_ESTIMATES,
  TEXT_ESTIMATES,
  LIBRARY_ESTIMATES,
];

export function estimateOverload(call: CostedCall): CallCost {
  const result = findEstimate(call.overload)?.(call) ?? { cost: ONE };
  return result.isTotal ? result : { ...result, cost: add(result.cost, ...call.costs) };
}

function findEstimate({ name, text }: Overload): Estimate | undefined {
  for (const estimates of FUNCTION_ESTIMATES) {
    const known = Object.hasOwn(estimates, name) ? estimates[name] : undefined;
    const estimate = typeof known === "function" ? known : known?.[text];
    if (estimate) return estimate;
  }
  return undefined;
}
