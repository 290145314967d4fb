import { findNearestName } from "../../model/nearest-name.ts";
import { defined } from "../../model/optional.ts";
import { BOOL, DYN, type Type, isDyn, typeText } from "../../schema/cel/check/types.ts";
import { type CompiledExpression, type ExpressionFault, compileObjectExpression } from "../../schema/cel/expression.ts";
import { type Expr, nodesOf } from "../../schema/cel/syntax/ast.ts";
import type { DocumentPlace, PlacedFault } from "../fault.ts";
import { type UsedPlace } from "../fields.ts";
import { type Origin, NOWHERE, selectAny, traceOrigin, useWhole } from "../origins.ts";
import { CHECK_FUNCTIONS } from "../functions/table.ts";
import { type Template, compileTemplate } from "../template.ts";
import { FACTS_ORIGIN } from "./fact-origins.ts";
import { type Names, declare } from "./names.ts";

/** What a check's expressions and texts are compiled with: their faults, and what they use of the reads. */
export type Compilation = {
  readonly faults: PlacedFault[];
  readonly used: UsedPlace[];
  /** The facts of the cluster that they use, and the reads of which they ask whether they succeeded. */
  readonly facts: Set<string>;
  readonly asked: Set<string>;
};

/** Names, their types, and where their values come from. `isInScan`: the expression is evaluated for each object of a list. */
export type NameScope = {
  readonly names: Names;
  readonly origins: ReadonlyMap<string, Origin>;
  readonly isInScan: boolean;
};

/** An expression and where its value comes from. */
export type CompiledPart = {
  readonly code: CompiledExpression;
  readonly origin: Origin;
  readonly place: DocumentPlace;
};

/** What stands for an expression that has faults, so that no other fault follows from it. */
const NOTHING = compileNothing();

function compileNothing(): CompiledExpression {
  const compiled = compileObjectExpression("dyn({})", declare([]));
  if (compiled.kind === "fault") throw new Error(compiled.message);
  return { ...compiled, type: DYN };
}

/** Compiles an expression whose value is passed on: only what decides it is used. */
export function compileValue(
  compilation: Compilation,
  scope: NameScope,
  place: DocumentPlace,
  text: string,
): CompiledPart {
  const compiled = compileObjectExpression(text, declare(scope.names));
  if (compiled.kind === "fault") {
    compilation.faults.push(buildFault(place, compiled, scope));
    return { code: NOTHING, origin: NOWHERE, place };
  }
  return { code: compiled, origin: trace(compilation, scope, place, compiled.syntax), place };
}

function trace(compilation: Compilation, scope: NameScope, place: DocumentPlace, syntax: Expr): Origin {
  if (scope.origins.get("cluster") === FACTS_ORIGIN)
    for (const name of listMembers(syntax, "cluster")) compilation.facts.add(name);
  for (const key of listMembers(syntax, "readable")) compilation.asked.add(key);
  return traceOrigin(syntax, {
    names: scope.origins,
    isInScan: scope.isInScan,
    use: (used) => compilation.used.push(used),
    onNestedScan: ({ start, end }) =>
      compilation.faults.push({
        severity: "error",
        place,
        message: "this goes through all objects once for each object of another list",
        hint: "declare an index in reads, and look up: READ.by.INDEX[?key]",
        span: { start, end },
      }),
  });
}

/** The members of a variable that an expression names. */
function listMembers(syntax: Expr, variable: string): readonly string[] {
  return [...nodesOf(syntax)].flatMap((node) =>
    node.op === "select" && node.operand.op === "ident" && node.operand.name === variable ? [node.field] : [],
  );
}

/** Compiles an expression whose whole value counts. */
export function compileWhole(
  compilation: Compilation,
  scope: NameScope,
  place: DocumentPlace,
  text: string,
): CompiledPart {
  const part = compileValue(compilation, scope, place, text);
  use(compilation, part.origin, place);
  return part;
}

function use({ used, faults }: Compilation, origin: Origin, place: DocumentPlace): void {
  let isFaulty = false;
  const add = (one: UsedPlace): void => {
    if (one.isWhole && one.path.length === 0) isFaulty = true;
    else used.push(one);
  };
  useWhole(origin, { names: new Map(), use: add });
  if (isFaulty)
    faults.push({
      severity: "error",
      place,
      message: "it uses a whole object",
      hint: "name the fields that it needs, or ref(object)",
    });
}

export function compileCondition(
  compilation: Compilation,
  scope: NameScope,
  place: DocumentPlace,
  text: string,
): CompiledPart {
  const part = compileWhole(compilation, scope, place, text);
  requireType(compilation, part, [BOOL], "true or false");
  return part;
}

/** Reports an expression of another type. Whatever has no type may have any. */
export function requireType(
  { faults }: Compilation,
  { code, place }: CompiledPart,
  types: readonly Type[],
  what: string,
): void {
  if (isDyn(code.type) || types.some(({ kind }) => kind === code.type.kind)) return;
  const message = `it must be ${what}, not ${typeText(code.type)}`;
  faults.push({ severity: "error", place, message });
}

/** The list that a rule goes through, and the scope for its items. */
export function compileForEach(
  compilation: Compilation,
  scope: NameScope,
  place: DocumentPlace,
  text: string,
): { readonly list: CompiledPart; readonly inner: NameScope } {
  const list = compileValue(compilation, scope, place, text);
  const { type } = list.code;
  if (!isDyn(type) && type.kind !== "list")
    compilation.faults.push({ severity: "error", place, message: `it must be a list, not ${typeText(type)}` });
  const item = type.kind === "list" ? (type.parameters[0] ?? DYN) : DYN;
  const object = selectAny(list.origin);
  const inner = withName(scope, "object", item, object);
  return { list, inner: { ...inner, isInScan: scope.isInScan || list.origin.isScan === true } };
}

export function withName({ names, origins, isInScan }: NameScope, name: string, type: Type, origin: Origin): NameScope {
  return { names: [...names, [name, type]], origins: new Map([...origins, [name, origin]]), isInScan };
}

export function compileText(compilation: Compilation, scope: NameScope, place: DocumentPlace, text: string): Template {
  const template = compileTemplate(text, declare(scope.names));
  if (template.kind === "fault") {
    compilation.faults.push(buildFault(place, template, scope));
    return { kind: "template", parts: [] };
  }
  for (const part of template.parts)
    if (typeof part !== "string") use(compilation, trace(compilation, scope, place, part.syntax), place);
  return template;
}

function buildFault(place: DocumentPlace, { message, start, end }: ExpressionFault, { names }: NameScope): PlacedFault {
  const hint = suggest(message, names);
  return { severity: "error", place, message, ...defined({ hint }), span: { start, end } };
}

/** The nearest name to one that does not exist, of the kind of which the message speaks. */
function suggest(message: string, names: Names): string | undefined {
  const [, kind, function_] = /^(?:the (name)|there is no (function|field)) /.exec(message) ?? [];
  const [word] = /(?<=name |function |field )\S+/.exec(message) ?? [];
  if (word === undefined) return undefined;
  const nearest = findNearestName(word, listCandidates(kind ?? function_, names));
  return nearest === undefined ? undefined : `did you mean ${nearest}?`;
}

function listCandidates(kind: string | undefined, names: Names): readonly string[] {
  if (kind === "function") return [...CHECK_FUNCTIONS.names].filter((name) => /^[a-z]/i.test(name));
  if (kind === "name") return names.map(([name]) => name).filter((name) => !name.startsWith("@"));
  return names.flatMap(([, { fields }]) => [...(fields?.keys() ?? [])]);
}
