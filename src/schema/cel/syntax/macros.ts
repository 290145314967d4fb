import {
  type Expr,
  type FoldExpr,
  buildBool,
  buildCall,
  copyNode,
  buildIdent,
  buildInt,
  buildList,
  buildMethodCall,
} from "./ast.ts";
import { InvalidExpression } from "./invalid.ts";

/** The name of a macro's accumulator, which no expression can use. */
export const ACCUMULATOR = "@result";
const UNUSED = "#unused";

type Macro = (target: Expr, args: readonly Expr[]) => Expr;

/** Expands a call of a macro; undefined if the call is not a macro. Throws InvalidExpression. */
export function expandMacro(name: string, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  if (target === undefined) return name === "has" && args.length === 1 ? buildPresenceTest(args) : undefined;
  return MACROS.get(`${name}:${args.length}`)?.(target, args);
}

function buildPresenceTest([field]: readonly Expr[]): Expr {
  if (field?.op !== "select") throw new InvalidExpression("has() takes the selection of a field");
  return { ...field, isTest: true };
}

/** A fold's own parts; what it leaves out is the same in all macros. */
type Fold = Pick<FoldExpr, "init" | "step"> & Partial<Pick<FoldExpr, "condition" | "result">>;

function accumulator(): Expr {
  return buildIdent(ACCUMULATOR);
}

function fold(target: Expr, variables: readonly string[], { init, condition, step, result }: Fold): Expr {
  const [variable = UNUSED, second] = variables;
  return {
    op: "fold",
    range: target,
    variable,
    second,
    accumulator: ACCUMULATOR,
    init,
    condition: condition ?? buildBool(true),
    step,
    result: result ?? accumulator(),
  };
}

function parseVariables(nodes: readonly Expr[]): readonly string[] {
  const names = nodes.map((node) => {
    if (node.op !== "ident") throw new InvalidExpression("a macro's variable must be a plain name");
    return node.name;
  });
  if (names.some((name) => name === ACCUMULATOR || name === "__result__")) {
    throw new InvalidExpression("a macro's variable can't be called __result__");
  }
  if (names.length > new Set(names).size) throw new InvalidExpression("a macro's variables have the same name");
  return names;
}

/** Macros of one variable over lists and of two over keys and values share their making. */
function over(
  count: number,
  make: (rest: readonly Expr[], nodes: readonly Expr[], variables: readonly string[]) => Fold,
): Macro {
  return (target, args) => {
    const nodes = args.slice(0, count);
    const variables = parseVariables(nodes);
    return fold(target, variables, make(args.slice(count), nodes, variables));
  };
}

function buildPart(parts: readonly Expr[], index: number): Expr {
  return parts[index] ?? buildBool(true);
}

function all(rest: readonly Expr[]): Fold {
  return {
    init: buildBool(true),
    condition: buildCall("@not_strictly_false", accumulator()),
    step: buildCall("_&&_", accumulator(), buildPart(rest, 0)),
  };
}

function exists(rest: readonly Expr[]): Fold {
  return {
    init: buildBool(false),
    condition: buildCall("@not_strictly_false", buildCall("!_", accumulator())),
    step: buildCall("_||_", accumulator(), buildPart(rest, 0)),
  };
}

function existsOne(rest: readonly Expr[]): Fold {
  const more = buildCall("_+_", accumulator(), buildInt(1n));
  return {
    init: buildInt(0n),
    step: buildCall("_?_:_", buildPart(rest, 0), more, accumulator()),
    result: buildCall("_==_", accumulator(), buildInt(1n)),
  };
}

/** With a filter before the last part, elements that don't match are skipped. */
function filtered(rest: readonly Expr[], step: Expr): Expr {
  return rest.length > 1 ? buildCall("_?_:_", buildPart(rest, 0), step, accumulator()) : step;
}

function map(rest: readonly Expr[]): Fold {
  const step = buildCall("_+_", accumulator(), buildList(buildPart(rest, rest.length - 1)));
  return { init: buildList(), step: filtered(rest, step) };
}

function filter(rest: readonly Expr[], nodes: readonly Expr[]): Fold {
  const step = buildCall("_+_", accumulator(), buildList(buildPart(nodes, 0)));
  return { init: buildList(), step: buildCall("_?_:_", buildPart(rest, 0), step, accumulator()) };
}

function transformMap(rest: readonly Expr[], _: readonly Expr[], [key = ""]: readonly string[]): Fold {
  const step = buildCall("cel.@mapInsert", accumulator(), buildIdent(key), buildPart(rest, rest.length - 1));
  return { init: { op: "map", entries: [] }, step: filtered(rest, step) };
}

function transformMapEntry(rest: readonly Expr[]): Fold {
  const step = buildCall("cel.@mapInsert", accumulator(), buildPart(rest, rest.length - 1));
  return { init: { op: "map", entries: [] }, step: filtered(rest, step) };
}

/** `value` under a name of its own in `body`. */
function bind(name: string, value: Expr, body: Expr): Expr {
  return {
    op: "fold",
    range: buildList(),
    variable: UNUSED,
    second: undefined,
    accumulator: name,
    init: value,
    condition: buildBool(false),
    step: buildIdent(name),
    result: body,
  };
}

function mapOptional(wrap: (body: Expr) => Expr): Macro {
  return (target, args) => {
    const [variable, body] = [buildPart(args, 0), buildPart(args, 1)];
    if (variable.op !== "ident") throw new InvalidExpression("a macro's variable must be a plain name");
    const value = buildMethodCall("value", copyNode(target));
    return buildCall(
      "_?_:_",
      buildMethodCall("hasValue", target),
      wrap(bind(variable.name, value, body)),
      buildCall("optional.none"),
    );
  };
}

const SORTED = "@__sortBy_input__";

function sortBy(target: Expr, args: readonly Expr[]): Expr {
  if (target.op === "literal" || target.op === "map" || target.op === "struct") {
    throw new InvalidExpression("sortBy() must be called on a list");
  }
  const variables = parseVariables(args.slice(0, 1));
  const keys = fold(buildIdent(SORTED), variables, map(args.slice(1)));
  return bind(SORTED, target, buildMethodCall("@sortByAssociatedKeys", buildIdent(SORTED), keys));
}

const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ["all:2", over(1, all)],
  ["all:3", over(2, all)],
  ["exists:2", over(1, exists)],
  ["exists:3", over(2, exists)],
  ["exists_one:2", over(1, existsOne)],
  ["exists_one:3", over(2, existsOne)],
  ["existsOne:3", over(2, existsOne)],
  ["map:2", over(1, map)],
  ["map:3", over(1, map)],
  ["filter:2", over(1, filter)],
  ["transformList:3", over(2, map)],
  ["transformList:4", over(2, map)],
  ["transformMap:3", over(2, transformMap)],
  ["transformMap:4", over(2, transformMap)],
  ["transformMapEntry:3", over(2, transformMapEntry)],
  ["transformMapEntry:4", over(2, transformMapEntry)],
  ["optMap:2", mapOptional((body) => buildCall("optional.of", body))],
  ["optFlatMap:2", mapOptional((body) => body)],
  ["sortBy:2", sortBy],
]);
