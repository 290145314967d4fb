import type { Expr, MacroCall, Span, FoldExpr } from "./ast.ts";
import { buildCall, buildIdent, buildList, buildLiteral, CompileError, buildMethodCall, nodesOf } from "./ast.ts";
import type { ServerFeature } from "../../openapi/index.ts";

/** The name of a macro's accumulator, which no expression can use. */
export const ACCUMULATOR = "@result";

/** What a macro stands for: its calls are checked, estimated and evaluated as their expansion. `expand` throws a CompileError. */
type MacroBody = { readonly isMethod: boolean; readonly expand: (call: MacroCall) => Expr };

/** The macros that a parser expands, by `formatMacroKey`. */
export type Expansions = ReadonlyMap<string, MacroBody>;

/** Macros of one name differ in their number of operands, and in whether they are called on a value. */
export function formatMacroKey(name: string, isMethod: boolean, operandCount: number): string {
  return `${isMethod ? "method " : ""}${name}/${operandCount}`;
}

/** The expansion; undefined if the call is not one of a macro. */
export function expandMacro(
  { start, end }: Span,
  name: string,
  isMethod: boolean,
  operands: readonly Expr[],
  macros: Expansions,
): Expr | undefined {
  const [first, ...others] = operands;
  const macro = macros.get(formatMacroKey(name, isMethod, operands.length));
  if (first === undefined || macro === undefined) return undefined;
  return { ...macro.expand({ operands: [first, ...others], start, end }), start, end };
}

/** The expression of each element, and before it perhaps one that keeps elements. */
type Operands = { readonly body: Expr; readonly filter: Expr | undefined };

/** How a macro visits the elements of a list or map. What is left out is the same in most macros. `variable` is the first one. */
type ExpandFold = (
  operands: Operands,
  variable: Expr,
  at: MacroCall,
) => Pick<FoldExpr, "init" | "step"> & Partial<Pick<FoldExpr, "condition" | "result">>;

/** With one variable, for elements or keys, or with two, for positions or keys and values. */
function defineFold(count: 1 | 2, expand: ExpandFold): MacroBody {
  return {
    isMethod: true,
    expand: (call) => {
      const [range, first = range, ...others] = call.operands;
      const [variable = "", second] = getVariables(call, count);
      const parts = others.slice(count - 1);
      const operands = { body: parts.at(-1) ?? range, filter: parts.length > 1 ? parts[0] : undefined };
      const { start, end } = call;
      const usual = { condition: buildLiteral(call, true), result: buildIdent(call, ACCUMULATOR) };
      const own = expand(operands, first, call);
      return { op: "fold", range, variable, second, accumulator: ACCUMULATOR, ...usual, ...own, start, end };
    },
  };
}

function getVariable(expr: Expr | undefined, call: MacroCall): string {
  if (expr?.op === "ident") return expr.name;
  throw new CompileError("a macro's variable must be a plain name", expr ?? call);
}

function getVariables(call: MacroCall, count: number): readonly string[] {
  const names = call.operands.slice(1, 1 + count).map((expr) => getVariable(expr, call));
  if (names.includes(ACCUMULATOR) || names.includes("__result__"))
    throw new CompileError("a macro's variable can't be called __result__", call);
  if (names.length > new Set(names).size) throw new CompileError("a macro's variables have the same name", call);
  return names;
}

/** `all` and `exists`: one element may decide, even if others fail. */
function buildQuantifier(decisive: boolean): ExpandFold {
  return ({ body }, _, at) => {
    const result = buildIdent(at, ACCUMULATOR);
    return {
      init: buildLiteral(at, !decisive),
      condition: buildCall(at, "@not_strictly_false", decisive ? buildCall(at, "!_", result) : result),
      step: buildCall(at, decisive ? "_||_" : "_&&_", buildIdent(at, ACCUMULATOR), body),
    };
  };
}

const ALL = buildQuantifier(false);
const EXISTS = buildQuantifier(true);

const EXISTS_ONE: ExpandFold = ({ body }, _, at) => {
  const more = buildCall(at, "_+_", buildIdent(at, ACCUMULATOR), buildLiteral(at, 1n));
  return {
    init: buildLiteral(at, 0n),
    step: buildCall(at, "_?_:_", body, more, buildIdent(at, ACCUMULATOR)),
    result: buildCall(at, "_==_", buildIdent(at, ACCUMULATOR), buildLiteral(at, 1n)),
  };
};

/** `map` and `transformList`: of each element, or of those that the filter keeps. */
const TRANSFORM: ExpandFold = ({ filter, body }, _, at) => {
  const step = buildCall(at, "_+_", buildIdent(at, ACCUMULATOR), buildList(at, [body]));
  return { init: buildList(at), step: skipOthers(filter, step, at) };
};

const FILTER: ExpandFold = ({ body: filter }, body, at) => TRANSFORM({ filter, body }, body, at);

function skipOthers(filter: Expr | undefined, step: Expr, at: MacroCall): Expr {
  return filter ? buildCall(at, "_?_:_", filter, step, buildIdent(at, ACCUMULATOR)) : step;
}

function buildMapTransform(expandEntry: (key: Expr, body: Expr) => readonly Expr[]): ExpandFold {
  return ({ filter, body }, key, at) => {
    const step = buildCall(at, "cel.@mapInsert", buildIdent(at, ACCUMULATOR), ...expandEntry(key, body));
    return { init: { op: "map", entries: [], start: at.start, end: at.end }, step: skipOthers(filter, step, at) };
  };
}

const TRANSFORM_MAP = buildMapTransform((key, body) => [key, body]);
const TRANSFORM_MAP_ENTRY = buildMapTransform((_, body) => [body]);

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

const KEYS = defineFold(1, TRANSFORM);

/** `LIST.sortBy(ITEM, KEY)`: the method `@sortByAssociatedKeys` of the list, with the keys of its items. */
export function defineByKeys(name: string): MacroBody {
  const input = `@__${name}_input__`;
  return {
    isMethod: true,
    expand: (call) => {
      const [target, ...others] = call.operands;
      if (target.op === "literal" || target.op === "map" || target.op === "struct")
        throw new CompileError(`${name}() must be called on a list`, target);
      const keys = KEYS.expand({ ...call, operands: [buildIdent(call, input), ...others] });
      const result = buildMethodCall(call, `@${name}AssociatedKeys`, buildIdent(call, input), keys);
      return buildBinding(call, input, target, result);
    },
  };
}

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
const LISTS: readonly Row[] = [["sortBy", 3, defineByKeys("sortBy")]];

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
