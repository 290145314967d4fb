import { PATTERN, TRAVERSAL } from "../values/size.ts";
import {
  type CallCost,
  type CostedCall,
  type Estimate,
  type Estimates,
  estimateConversion,
  estimateSameSize,
  estimateTraversal,
  findElement,
  knownSize,
  nodeSize,
  operandSize,
} from "./call-estimate.ts";
import { LARGEST, ONE, type Range, ZERO, add, asBits, multiply, scale, wrapped } from "./estimate.ts";

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
export const TEXT_ESTIMATES: Estimates = {
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
