import type { ServerFeature } from "../../openapi/index.ts";
import {
  type Expr,
  type FoldExpr,
  type MacroCall,
  buildCall,
  buildIdent,
  buildList,
  buildLiteral,
  buildMethodCall,
  nodesOf,
} from "./ast.ts";
import { CompileError } from "./compile-error.ts";
import {
  ALL,
  EXISTS,
  EXISTS_ONE,
  FILTER,
  TRANSFORM,
  TRANSFORM_MAP,
  TRANSFORM_MAP_ENTRY,
  defineFold,
  getVariable,
} from "./fold-macros.ts";
import { type MacroBody, formatMacroKey } from "./macro.ts";

const HAS: MacroBody = {
  isMethod: false,
  expand: ({ operands: [field] }) => {
    if (field.op === "select") return { ...field, isTest: true };
    throw new CompileError("has() takes the selection of a field", field);
  },
};

/** `value` under a name of its own in `body`. */
function buildBinding(call: MacroCall, name: string, value: Expr, body: Expr): FoldExpr {
  const condition = buildLiteral(call, false);
  const range = buildList(call);
  const step = buildIdent(call, name);
  const { start, end } = call;
  const fold = { range, variable: "#unused", second: undefined, init: value, condition, step, result: body };
  return { op: "fold", accumulator: name, ...fold, start, end };
}

/** Whether there is a value, and the value itself, are asked of the target and of a copy of it. */
function defineOptionalMap(name: string | undefined): MacroBody {
  return {
    isMethod: true,
    expand: (call) => {
      const [target, variable, body = target] = call.operands;
      const value = buildMethodCall(call, "value", copyNodes(target));
      const bound = buildBinding(call, getVariable(variable, call), value, body);
      const result = name === undefined ? bound : buildCall(call, name, bound);
      const test = buildMethodCall(call, "hasValue", target);
      return buildCall(call, "_?_:_", test, result, buildCall(call, "optional.none"));
    },
  };
}

const MOST_COPIED = 10_000;

/** Each such macro on the result of another doubles the nodes, in the API server too. */
function copyNodes(expr: Expr): Expr {
  let count = 0;
  for (const _ of nodesOf(expr)) {
    if (++count > MOST_COPIED) throw new CompileError("it is too large once its macros are expanded", expr, true);
  }
  return structuredClone(expr);
}

const OPT_MAP = defineOptionalMap("optional.of");
const OPT_FLAT_MAP = defineOptionalMap(undefined);

const SORTED = "@__sortBy_input__";
const KEYS = defineFold(1, TRANSFORM);

const SORT_BY: MacroBody = {
  isMethod: true,
  expand: (call) => {
    const [target, ...others] = call.operands;
    if (target.op === "literal" || target.op === "map" || target.op === "struct")
      throw new CompileError("sortBy() must be called on a list", target);
    const keys = KEYS.expand({ ...call, operands: [buildIdent(call, SORTED), ...others] });
    const sorted = buildMethodCall(call, "@sortByAssociatedKeys", buildIdent(call, SORTED), keys);
    return buildBinding(call, SORTED, target, sorted);
  },
};

type Row = readonly [name: string, operandCount: number, MacroBody];

const LANGUAGE: readonly Row[] = [
  ["has", 1, HAS],
  ["all", 3, defineFold(1, ALL)],
  ["exists", 3, defineFold(1, EXISTS)],
  ["exists_one", 3, defineFold(1, EXISTS_ONE)],
  ["map", 3, defineFold(1, TRANSFORM)],
  ["map", 4, defineFold(1, TRANSFORM)],
  ["filter", 3, defineFold(1, FILTER)],
];
const OPTIONAL_TYPES: readonly Row[] = [
  ["optMap", 3, OPT_MAP],
  ["optFlatMap", 3, OPT_FLAT_MAP],
];
const TWO_VARIABLES: readonly Row[] = [
  ["all", 4, defineFold(2, ALL)],
  ["exists", 4, defineFold(2, EXISTS)],
  ["exists_one", 4, defineFold(2, EXISTS_ONE)],
  ["existsOne", 4, defineFold(2, EXISTS_ONE)],
  ["transformList", 4, defineFold(2, TRANSFORM)],
  ["transformList", 5, defineFold(2, TRANSFORM)],
  ["transformMap", 4, defineFold(2, TRANSFORM_MAP)],
  ["transformMap", 5, defineFold(2, TRANSFORM_MAP)],
  ["transformMapEntry", 4, defineFold(2, TRANSFORM_MAP_ENTRY)],
  ["transformMapEntry", 5, defineFold(2, TRANSFORM_MAP_ENTRY)],
];
const LISTS: readonly Row[] = [["sortBy", 3, SORT_BY]];

/** A macro with what it came with. */
type Macro = MacroBody & { readonly feature: ServerFeature };

function list(feature: ServerFeature, rows: readonly Row[]): readonly (readonly [string, Macro])[] {
  return rows.map(([name, count, macro]) => [formatMacroKey(name, macro.isMethod, count), { ...macro, feature }]);
}

/** The macros of the API server, by `formatMacroKey`. */
export const API_SERVER_MACROS: ReadonlyMap<string, Macro> = new Map([
  ...list("rules", LANGUAGE),
  ...list("optionals", OPTIONAL_TYPES),
  ...list("twoVariables", TWO_VARIABLES),
  ...list("listBuilding", LISTS),
]);
