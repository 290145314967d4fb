import { isSameType } from "../types/types.ts";
import { type CallCost, type CostedCall, type Estimate, knownSize } from "../cost/call-estimate.ts";
import { TRAVERSAL } from "../runtime/activation.ts";
import { type Entries, entriesIn, joinEntries, pathIn } from "../cost/coster.ts";
import { append } from "../cost/data-path.ts";
import { ONE, ZERO, add, scale, union } from "../cost/estimate.ts";
import {
  buildArithmetic,
  buildBinary,
  buildComparison,
  buildLogical,
  buildNotStrictlyFalse,
  buildUnary,
  differ,
  getContainerCost,
  getEqualityCost,
  not,
} from "../runtime/operators.ts";
import { isIn } from "../runtime/selection.ts";
import { negate } from "../values/arithmetic.ts";
import { equal } from "../values/equality.ts";
import { buildApiServerLibrary } from "../runtime/function-table.ts";

/** The right side may not be evaluated. */
const estimateLogical: Estimate = ({ costs: [left = ZERO, right = ZERO] }) => ({
  cost: { min: left.min, max: add(left, right).max },
  isTotal: true,
});

const estimateConditional: Estimate = (call) => {
  const [condition = ZERO, yes = ZERO, no = ZERO] = call.costs;
  keepEntries(call, 1, 2);
  return {
    cost: add(condition, union(yes, no)),
    size: union(knownSize(call, 1), knownSize(call, 2)),
    isTotal: true,
  };
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

const COMPARED =
  "(bool, bool) bool | (int, int) bool | (int, double) bool since mixedNumbers | (int, uint) bool since mixedNumbers | (uint, uint) bool | " +
  "(uint, double) bool since mixedNumbers | (uint, int) bool since mixedNumbers | (double, double) bool | (double, int) bool since mixedNumbers | " +
  "(double, uint) bool since mixedNumbers | (string, string) bool | (bytes, bytes) bool | (timestamp, timestamp) bool | " +
  "(duration, duration) bool";
const COMPARISON = {
  types: COMPARED,
  estimate: { "(string, string)": estimateComparison, "(bytes, bytes)": estimateComparison },
};
const MULTIPLIED = "(double, double) double | (int, int) int | (uint, uint) uint";

/** The language's operators, by the names that cel-go gives them. Selections and the conditional are compiled as attributes. */
export const OPERATORS = buildApiServerLibrary("rules", {
  "!_": { types: "(bool) bool", compile: buildUnary(not) },
  "@not_strictly_false": { types: "(bool) bool", compile: buildNotStrictlyFalse },
  "-_": { types: "(double) double | (int) int", compile: buildUnary(negate) },
  "@in": {
    types: "(A, list(A)) bool | (A, map(A, B)) bool",
    estimate: { "(A, list(A))": (call) => ({ cost: scale(knownSize(call, 1), 1) }) },
    compile: buildBinary(isIn, getContainerCost),
  },
  "_!=_": { types: "(A, A) bool", estimate: estimateComparison, compile: buildBinary(differ, getEqualityCost) },
  "_==_": { types: "(A, A) bool", estimate: estimateEquality, compile: buildBinary(equal, getEqualityCost) },
  "_%_": { types: "(int, int) int | (uint, uint) uint", compile: buildArithmetic("%") },
  "_&&_": { types: "(bool, bool) bool", estimate: estimateLogical, compile: buildLogical(false) },
  "_||_": { types: "(bool, bool) bool", estimate: estimateLogical, compile: buildLogical(true) },
  "_*_": { types: MULTIPLIED, compile: buildArithmetic("*") },
  "_/_": { types: MULTIPLIED, compile: buildArithmetic("/") },
  "_+_": {
    types:
      "(bytes, bytes) bytes | (double, double) double | (duration, duration) duration | " +
      "(duration, timestamp) timestamp | (timestamp, duration) timestamp | (int, int) int | " +
      "(list(A), list(A)) list(A) | (string, string) string | (uint, uint) uint",
    estimate: {
      "(string, string)": estimateAddition(TRAVERSAL),
      "(bytes, bytes)": estimateAddition(TRAVERSAL),
      "(list(A), list(A))": estimateAddition(undefined),
    },
    compile: buildArithmetic("+"),
  },
  "_-_": {
    types:
      "(double, double) double | (duration, duration) duration | (int, int) int | " +
      "(timestamp, duration) timestamp | (timestamp, timestamp) duration | (uint, uint) uint",
    compile: buildArithmetic("-"),
  },
  "_<=_": { ...COMPARISON, compile: buildComparison((order) => order <= 0) },
  "_<_": { ...COMPARISON, compile: buildComparison((order) => order < 0) },
  "_>=_": { ...COMPARISON, compile: buildComparison((order) => order >= 0) },
  "_>_": { ...COMPARISON, compile: buildComparison((order) => order > 0) },
  "_?_:_": { types: "(bool, A, A) A", estimate: estimateConditional },
  "_?._": { types: "(dyn, string) optional_type(V) since optionals" },
  "_[?_]": {
    types:
      "(list(V), int) optional_type(V) since optionals | (optional_type(list(V)), int) optional_type(V) since optionals | " +
      "(map(K, V), K) optional_type(V) since optionals | (optional_type(map(K, V)), K) optional_type(V) since optionals",
  },
  "_[_]": {
    types:
      "(list(A), int) A | (map(A, B), A) B | (optional_type(list(V)), int) optional_type(V) since optionals | " +
      "(optional_type(map(K, V)), K) optional_type(V) since optionals",
    estimate: { "(list(A), int)": estimateIndex("@items"), "(map(A, B), A)": estimateIndex("@values") },
  },
});
