import { isSameType } from "../types/types.ts";
import { TRAVERSAL } from "../values/size.ts";
import {
  type CallCost,
  type CostedCall,
  type Estimate,
  type Estimates,
  estimateConversion,
  knownSize,
} from "./call-estimate.ts";
import { type Entries, copySizes, entriesIn, joinEntries, pathIn } from "./coster.ts";
import { append } from "./data-path.ts";
import { ONE, ZERO, add, asBits, scale, union, wrapped } from "./estimate.ts";

/** The right side may not be evaluated. */
const estimateLogical: Estimate = ({ costs: [left = ZERO, right = ZERO] }) => ({
  cost: { min: left.min, max: add(left, right).max },
  isTotal: true,
});

const estimateConditional: Estimate = (call) => {
  const [condition = ZERO, yes = ZERO, no = ZERO] = call.costs;
  keepEntries(call, 1, 2);
  return { cost: add(condition, union(yes, no)), size: union(knownSize(call, 1), knownSize(call, 2)), isTotal: true };
};

function keepEntries(call: CostedCall, one: number, other: number): void {
  const entries = joinEntries(findEntries(call, one), findEntries(call, other));
  if (entries) call.coster.entries.set(call.expr, entries);
}

function findEntries({ operands, coster }: CostedCall, at: number): Entries | undefined {
  const expr = operands[at]?.expr;
  return expr && entriesIn(coster, expr);
}

function estimateAddition(factor: number | undefined): Estimate {
  return (call) => {
    const size = add(knownSize(call, 0), knownSize(call, 1));
    keepEntries(call, 0, 1);
    return { cost: factor === undefined ? ONE : scale(size, factor), size };
  };
}

/** Of the shorter one. */
const estimateComparison: Estimate = (call) => {
  const max = Math.min(knownSize(call, 0).max, knownSize(call, 1).max);
  return { cost: scale({ min: max > 0 ? 1 : 0, max }, TRAVERSAL) };
};

const QUICK = new Set(["net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"]);

const estimateEquality: Estimate = (call) =>
  (call.coster.rules.knowsLibraryEquality ? estimateLibraryEquality(call) : undefined) ?? estimateComparison(call);

/** Of values of Kubernetes' libraries. */
function estimateLibraryEquality({ operands: [left, right] }: CostedCall): CallCost | undefined {
  if (left === undefined || right === undefined || !isSameType(left.type, right.type, true)) return undefined;
  const { kind, name } = left.type;
  if (kind !== "opaque" && kind !== "struct") return undefined;
  if (QUICK.has(name) || name.startsWith("kubernetes.authorization.")) return { cost: ONE };
  if (name === "kubernetes.NamedFormat") return { cost: scale({ min: 1, max: 64 }, TRAVERSAL) };
  return name === "kubernetes.URL" ? { cost: scale({ min: 1, max: (right.size ?? ONE).max }, TRAVERSAL) } : undefined;
}

/** The size of an indexed value is that of the elements of the list or map. */
function estimateIndex(step: string): Estimate {
  return ({ expr, coster, operands: [operand] }) => {
    if (operand?.expr === undefined) return { cost: ONE };
    coster.paths.set(expr, append(pathIn(coster, operand.expr), step));
    return { cost: ONE, size: entriesIn(coster, operand.expr)?.value };
  };
}

/** A character becomes four bytes at most. */
const estimateBytes = estimateConversion(({ min, max }) => ({ min, max: wrapped(asBits(max) * 4n) }));
const estimateText = estimateConversion(({ min, max }) => ({ min: Math.floor(min / 4), max }));

const estimateDyn: Estimate = ({ expr, coster, operands: [operand] }) => {
  if (operand?.expr && coster.rules.tracksEntries) copySizes(expr, operand.expr, coster);
  return { cost: ONE };
};

const COMPARISON = { "(string, string)": estimateComparison, "(bytes, bytes)": estimateComparison };

/** The language's operators and conversions. Source: cel-go's checker/cost.go. */
export const OPERATOR_ESTIMATES: Estimates = {
  "@in": { "(A, list(A))": (call) => ({ cost: scale(knownSize(call, 1), 1) }) },
  "_!=_": estimateComparison,
  "_==_": estimateEquality,
  "_&&_": estimateLogical,
  "_||_": estimateLogical,
  "_+_": {
    "(string, string)": estimateAddition(TRAVERSAL),
    "(bytes, bytes)": estimateAddition(TRAVERSAL),
    "(list(A), list(A))": estimateAddition(undefined),
  },
  "_<=_": COMPARISON,
  "_<_": COMPARISON,
  "_>=_": COMPARISON,
  "_>_": COMPARISON,
  "_?_:_": estimateConditional,
  "_[_]": { "(list(A), int)": estimateIndex("@items"), "(map(A, B), A)": estimateIndex("@values") },
  dyn: estimateDyn,
  string: { "(bytes)": estimateText },
  bytes: { "(string)": estimateBytes },
};
