import type { Type, CompiledExpression, ExpressionFault, Expr } from "../../schema/cel/index.ts";
import { BOOL, DYN, isDyn, typeText, unwrapped, compileObjectExpression, findType } from "../../schema/cel/index.ts";
import type { KindTable } from "../kinds/kind.ts";
import { CLUSTER_FACTS } from "./cluster-facts.ts";
import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { type UsedPlace } from "./fields.ts";
import { type Origin, NOWHERE, selectAny } from "./origin-parts.ts";
import { useWhole, traceOrigin } from "./origins.ts";
import { findConstantFaults, findConstantWarnings } from "./constants.ts";
import { type Guards, openGuards, dependsOnTime } from "./guards.ts";
import { listMembers, listNames, listServed } from "./named.ts";
import { explain } from "./hints.ts";
import { type MinorScope, findMinorFaults, findMinorScale } from "./minors.ts";
import { type Names, declare } from "./names.ts";
import { findOrdinals, listPlatforms } from "../format/applies.ts";
import type { AppliesDefinition } from "../format/definition.ts";
import type { Platform } from "../../model/version.ts";

/** What a check's expressions and texts are compiled with: their faults, and what they use of the reads. */
export type Compilation = {
  /** Whether the check has been compiled before, without faults. */
  readonly isSound: boolean;
  readonly faults: PlacedFault[];
  readonly warnings: PlacedFault[];
  readonly used: UsedPlace[];
  /** The facts of the cluster that they use, and the reads of which they ask whether they succeeded. */
  readonly facts: Set<string>;
  readonly asked: Set<string>;
  /** The reads of which they ask whether the API server serves the kind. */
  readonly served: Set<string>;
  /** The reads and variables that they name. */
  readonly named: Set<string>;
  /** The parts of objects that the conditions of reads ask for. */
  readonly tested: Set<string>;
  /** Where the check applies. */
  readonly applies: AppliesDefinition;
  /** The kinds whose fields are known. */
  readonly kinds: KindTable;
  /** What is known of the objects of reads, by read. */
  readonly objects: ReadonlyMap<string, Type>;
};

/** Names, their types, and where their values come from. `isInScan`: the expression is evaluated for each object of a list. */
export type NameScope = {
  readonly names: Names;
  readonly origins: ReadonlyMap<string, Origin>;
  readonly isInScan: boolean;
  /** Whether expressions of other checks are evaluated for the same object, one after the other. */
  readonly isShared?: true;
  /** The names whose values depend on the time. */
  readonly timed?: ReadonlySet<string>;
  /** The parts of objects that other expressions, which are evaluated before, have asked for. */
  readonly tested?: ReadonlySet<string>;
  /** Where facts of the cluster come from, unless an author's name hides them. */
  readonly facts?: Origin;
  /** What the kinds of the objects say of the types of names. The code of expressions does not depend on it. */
  readonly types?: ReadonlyMap<string, Type>;
  /** The names that count the minors of a platform. */
  readonly minors?: ReadonlyMap<string, Platform>;
  /** The variables that are declared after it. */
  readonly later?: readonly string[];
};

/** Where an expression or a text stands, and what it is compiled with. */
export type Site = { readonly compilation: Compilation; readonly scope: NameScope; readonly place: DocumentPlace };

export function enter({ compilation, scope, place }: Site, ...steps: DocumentPlace): Site {
  return { compilation, scope, place: [...place, ...steps] };
}

export function refuse({ compilation, place }: Site, message: string, hint?: string, span?: PlacedFault["span"]): void {
  compilation.faults.push({ severity: "error", place, message, hint, span });
}

/** An expression and where its value comes from. */
export type CompiledPart = {
  readonly code: CompiledExpression;
  /** The type of the value, with what is known of kinds. */
  readonly type: Type;
  readonly origin: Origin;
  /** The scope of what is evaluated only after this, and perhaps only if it is true. */
  readonly after: NameScope;
};

/** What stands for an expression that has faults, so that no other fault follows from it. */
function compileNothing(): CompiledExpression {
  const compiled = compileObjectExpression("dyn({})", declare([]));
  if (compiled.kind === "fault") throw new Error(compiled.message);
  return { ...compiled, type: DYN };
}

/** Compiles an expression whose value is passed on: only what decides it is used. */
export function compileValue(site: Site, text: string): CompiledPart {
  const { compilation, scope } = site;
  const code = compileObjectExpression(text, declare(scope.names, compilation.isSound, scope.isShared));
  if (code.kind === "fault") {
    explainFault(site, text, code);
    return { code: compileNothing(), type: DYN, origin: NOWHERE, after: scope };
  }
  if (compilation.isSound) return { code, type: code.type, origin: trace(site, code.syntax, undefined), after: scope };
  const { type, origin, tested } = inspect(site, text, code);
  return { code, type, origin, after: { ...scope, tested } };
}

/** What an expression does with objects, and what is wrong with that. `tested`: the parts of objects that have been asked for after it. */
export function inspect(
  site: Site,
  text: string,
  code: CompiledExpression,
): Pick<CompiledPart, "type" | "origin"> & Required<Pick<NameScope, "tested">> {
  const { compilation, scope, place } = site;
  const type = findTypeOfObjects(site, code);
  const guards = openGuards(compilation.objects, scope.tested);
  const origin = trace(site, code.syntax, guards);
  const fault = type.kind === "fault" && isMistake(type) ? type : guards.findUnknown();
  if (fault !== undefined) explainFault(site, text, fault, isOtherDefault(fault) ? "warning" : "error");
  compilation.warnings.push(...guards.listWarnings(place));
  return { type: type.kind === "fault" ? code.type : type, origin, tested: guards.listTested() };
}

/** The code of an expression knows objects as values of any type: what is known of their kinds finds mistakes, and changes no verdict. */
function findTypeOfObjects(
  { scope: { names, types } }: Site,
  { syntax, type }: CompiledExpression,
): Type | ExpressionFault {
  if (types === undefined) return type;
  return findType(syntax, declare(names.map(([name, plain]) => [name, types.get(name) ?? plain])));
}

/** Values of several types may be in one list, an object may be compared with a map, and null may stand for any: nothing is wrong with that. */
function isMistake({ message, of }: ExpressionFault): boolean {
  return (
    of !== undefined ||
    / has no (?:field|elements)/.test(message) ||
    (/ does not accept /.test(message) && !/^\?:|^\+.*list|object|null/.test(message))
  );
}

/** A text may say "not set" of a number. */
function isOtherDefault({ message }: ExpressionFault): boolean {
  return message.startsWith("orValue does not accept");
}

/** Refuses what can't be compiled. */
export function explainFault(
  { compilation, scope, place }: Site,
  text: string,
  fault: ExpressionFault,
  severity: PlacedFault["severity"] = "error",
): void {
  const { names, later = [] } = scope;
  const found = severity === "error" ? compilation.faults : compilation.warnings;
  found.push({ severity, place, ...explain({ text, fault, names, later }) });
}

/** `guards`: what else there is to find in an expression, unless it is known to be sound. */
export function trace(site: Site, syntax: Expr, guards: Guards | undefined): Origin {
  const { compilation, scope, place } = site;
  if (guards !== undefined) {
    for (const name of listNames(syntax)) compilation.named.add(name);
    compilation.faults.push(...findConstantFaults(syntax, place));
    compilation.faults.push(...findMinorFaults(syntax, getMinorScope(site), place));
    compilation.warnings.push(...findConstantWarnings(syntax, place));
  }
  if (scope.facts !== undefined && scope.origins.get("cluster") === scope.facts)
    for (const name of listMembers(syntax, "cluster")) useFact(site, scope.facts, name);
  for (const key of listMembers(syntax, "readable")) compilation.asked.add(key);
  for (const key of listServed(syntax)) compilation.served.add(key);
  return traceOrigin(syntax, {
    names: scope.origins,
    isInScan: scope.isInScan,
    use: (used) => {
      compilation.used.push(used);
      if (isWholeObject(used)) refuseWhole(site);
    },
    onSelect: guards?.onSelect,
    onNestedScan: ({ start, end }) => {
      const hint = "declare an index in reads, and look up: READ.by.INDEX[?key]";
      refuse(site, "this goes through all objects once for each object of another list", hint, { start, end });
    },
  });
}

function getMinorScope({ compilation: { applies }, scope }: Site): MinorScope {
  return { platforms: listPlatforms(applies), ordinals: findOrdinals(applies), known: scope.minors ?? new Map() };
}

/** Which facts a check has is known from its text, before its expressions are compiled. */
function useFact(site: Site, { members }: Origin, name: string): void {
  site.compilation.facts.add(name);
  if (!Object.hasOwn(CLUSTER_FACTS, name) || members.some((member) => member.name === name)) return;
  refuse(site, `${name} of the cluster is not written as one name`, `write cluster.${name}`);
}

/** Compiles an expression whose whole value counts. */
export function compileWhole(site: Site, text: string): CompiledPart {
  const part = compileValue(site, text);
  use(site, part.origin);
  return part;
}

export function use(site: Site, origin: Origin): void {
  let isFaulty = false;
  const add = (one: UsedPlace): void => {
    if (isWholeObject(one)) isFaulty = true;
    else site.compilation.used.push(one);
  };
  useWhole(origin, { use: add });
  if (isFaulty) refuseWhole(site);
}

function isWholeObject({ isWhole, path }: UsedPlace): boolean {
  return isWhole && path.length === 0;
}

function refuseWhole(site: Site): void {
  refuse(site, "it uses a whole object", "name the fields that it needs, or ref(object)");
}

export function compileCondition(site: Site, text: string): CompiledPart {
  const part = compileWhole(site, text);
  requireType(site, part, [BOOL], { what: "true or false", hint: "compare the value, or ask has(...)" });
  return part;
}

/** Reports an expression of another type. Whatever has no type may have any. */
export function requireType(
  site: Site,
  { type }: CompiledPart,
  types: readonly Type[],
  { what, hint }: { readonly what: string; readonly hint: string },
): void {
  if (isDyn(type) || types.some(({ kind }) => kind === type.kind)) return;
  const isOptional = unwrapped(type) !== undefined;
  refuse(site, `it must be ${what}, not ${typeText(type)}`, isOptional ? "write .orValue(...) behind it" : hint);
}

/** The list that a rule goes through, and the scope for its items. */
export function compileForEach(site: Site, text: string): { readonly list: CompiledPart; readonly inner: NameScope } {
  const list = compileValue(site, text);
  const { type } = list;
  if (!isDyn(type) && type.kind !== "list") refuse(site, `it must be a list, not ${typeText(type)}`, suggestList(type));
  const item = getItem(type);
  const object = selectAny(list.origin);
  const inner = withName({ ...site, scope: list.after }, "object", {
    ...list,
    code: { ...list.code, type: getItem(list.code.type) },
    type: item,
    origin: object,
  });
  return { list, inner: { ...inner, isInScan: site.scope.isInScan || list.origin.isScan === true } };
}

function getItem({ kind, parameters }: Type): Type {
  return kind === "list" ? (parameters[0] ?? DYN) : DYN;
}

function suggestList(type: Type): string {
  if (type.fields?.has("items") === true) return "the objects of a list are in its items";
  return unwrapped(type) === undefined
    ? "put it in brackets, if it is one item"
    : "get reads one object: leave out forEach, and name it in the finding's object";
}

/** The scope after a part, with the part's value as a name. */
export function withName(site: Site, name: string, { code, type, origin, after }: CompiledPart): NameScope {
  const { scope } = site;
  const { timed = new Set() } = scope;
  const isTimed = dependsOnTime(code.syntax, timed);
  const minors = new Map(scope.minors);
  const counted = site.compilation.isSound ? undefined : findMinorScale(code.syntax, getMinorScope(site));
  if (counted === undefined) minors.delete(name);
  else minors.set(name, counted);
  return {
    ...after,
    names: [...scope.names, [name, code.type]],
    types: scope.types && new Map([...scope.types, [name, type]]),
    origins: new Map([...scope.origins, [name, origin]]),
    timed: isTimed ? new Set([...timed, name]) : new Set([...timed].filter((one) => one !== name)),
    minors,
  };
}
