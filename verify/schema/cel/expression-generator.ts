import * as types from "../../../src/schema/cel/types/types.ts";
import type { Random } from "../random/random.ts";
import { formatFunction, formatOperator, generateEnd, receiver } from "./call-forms.ts";
import { CALLEES, type Callee, KEYS, OBJECT, bind, pickType, resolve } from "./callees.ts";
import { OPERANDS, ROWS, TEXTS } from "./operands.ts";

type Type = types.Type;
type Variable = { readonly name: string; readonly type: Type };

/**
 * What expressions are made of: the types that they are about, if any, operands by the text of their types, and names of fields.
 * `mistakes`: how often, relative to the rules of the tables, an expression has another type than is needed.
 */
export type Vocabulary = {
  readonly types: readonly Type[];
  readonly operands: Readonly<Record<string, readonly string[]>>;
  readonly fields: readonly string[];
  readonly mistakes: number;
};

/** What an expression can use, and how many calls may still stand within each other. */
type Scope = {
  readonly random: Random;
  readonly depth: number;
  readonly variables: readonly Variable[];
  readonly vocabulary: Vocabulary;
};

/** A rule, or one that is false and whose message tells the value of an expression. */
export type GeneratedRule = { readonly rule: string; readonly messageExpression?: string };

/** Kinds of types that string() takes. */
const STRINGS = new Set(["bool", "int", "uint", "double", "bytes", "duration", "timestamp"]);

export function generateRule(random: Random): GeneratedRule {
  const scope = { random, depth: 1 + random.below(4), variables: [], vocabulary: TABLES };
  const form = random.next();
  if (form < 0.3) return generateProbe({ ...scope, depth: 0 });
  if (form < 0.4) return { rule: generateNested(scope) };
  if (form < 0.75) return { rule: generate(types.BOOL, scope) };
  const type = pickType(random);
  const text = generate(type, scope);
  return random.chance(0.2) ? { rule: `${text} == ${generate(type, scope)}` } : tell(text, type, random);
}

/** A rule that is false, and tells the value of an expression. */
function tell(text: string, type: Type, random: Random): GeneratedRule {
  if (type.kind === "string") return { rule: "false", messageExpression: text };
  const told = random.pick(
    STRINGS.has(type.kind) ? ["string(X)", "'%s'.format([X])"] : ["'%s'.format([X])", "'%s'.format([dyn(X)])"],
  );
  return { rule: "false", messageExpression: told.replace("X", () => text) };
}

const NAMES = [...new Set(CALLEES.filter((one) => !isRare(one)).map(({ name }) => name))];

/** One call of any function, so that each is often called with operands at the ends of their ranges. */
function generateProbe(scope: Scope): GeneratedRule {
  const { random } = scope;
  const name = random.oneOf(NAMES);
  const callee = random.oneOf(CALLEES.filter((one) => one.name === name && !isRare(one)));
  if (callee === undefined) return { rule: "true" };
  const result = resolve(callee.overload.result, new Map(), random);
  return tell(formatCall(callee, result, scope), result, random);
}

/** A macro about the fields of objects within a macro about the objects. */
function generateNested(scope: Scope): string {
  const [range, names, inner] = openRows(scope, scope.random.pick([1, 1, 2]));
  const held = scope.random.oneOf(inner.variables.filter(({ type }) => isRange(type)));
  const below = { ...inner, depth: scope.random.below(2) };
  const [, own, body] = openMacro(below, 1, held);
  const outer = scope.random.pick(["all", "exists", "exists_one"]);
  const quantifier = scope.random.pick(["all", "exists", "exists_one"]);
  return `${range}.${outer}(${names}, ${held?.name ?? "[]"}.${quantifier}(${own}, ${generateCall(types.BOOL, body) ?? "true"}))`;
}

const FIELDS = "a b x y k v s i one none metadata kind absent maybe percent".split(" ");
const TABLES: Vocabulary = { types: [], operands: {}, fields: FIELDS, mistakes: 1 };

/** An expression of a type that is about what the vocabulary names. */
export function generateExpression(type: Type, vocabulary: Vocabulary, random: Random): string {
  const scope = { random, depth: random.below(3), variables: [], vocabulary };
  return generateMacroOrCall(type, scope);
}

/** An expression of a type, now and then of another one. */
function generate(type: Type, scope: Scope): string {
  const { random } = scope;
  const { mistakes } = scope.vocabulary;
  if (random.chance(0.015 * mistakes)) return generateTyped(pickType(random), scope);
  if (random.chance(0.025 * mistakes))
    return `dyn(${generateTyped(random.chance(0.5) ? type : pickType(random), scope)})`;
  return generateTyped(type, scope);
}

function generateTyped(type: Type, scope: Scope): string {
  const { random, depth, vocabulary } = scope;
  const isKnown = vocabulary.operands[types.typeText(type)] !== undefined;
  if (depth <= 0 || random.chance(isKnown ? 0.5 : 0.15)) return generateOperand(type, scope);
  return generateMacroOrCall(type, { ...scope, depth: depth - 1 });
}

/** An expression that is made of others, if there is one. */
function generateMacroOrCall(type: Type, below: Scope): string {
  const { random } = below;
  const kind = random.next();
  if (kind < 0.2) return generateMacro(type, below) ?? generateOperand(type, below);
  if (kind < 0.35) return generateLiteral(type, below) ?? generateOperand(type, below);
  return generateCall(type, below) ?? generateOperand(type, below);
}

function generateOperand(type: Type, scope: Scope): string {
  const { random, variables, vocabulary } = scope;
  const own = variables.filter(
    (variable) => types.isSameType(variable.type, type, true) || random.chance(0.03 * vocabulary.mistakes),
  );
  const variable = random.chance(0.5) ? random.oneOf(own) : undefined;
  if (variable) return variable.name;
  const known = pickOperand(type, scope);
  if (known !== undefined) return known;
  const [first] = type.parameters;
  if (first === undefined) return random.oneOf(OPERANDS["dyn"] ?? []) ?? "dyn(0)";
  return generateLiteral(type, { ...scope, depth: 0 }) ?? "dyn(0)";
}

/** An operand of the vocabulary, or one of the tables; those name fields of their own schema. */
function pickOperand(type: Type, { random, vocabulary }: Scope): string | undefined {
  const text = types.typeText(type);
  const operand = random.chance(0.8) ? random.oneOf(vocabulary.operands[text] ?? []) : undefined;
  if (operand !== undefined) return operand;
  const all = OPERANDS[text] ?? [];
  return random.oneOf(vocabulary === TABLES ? all : all.filter((one) => !one.includes("self")));
}

/** A list or map that is written, some of whose elements are optional, or an optional value. */
function generateLiteral(type: Type, scope: Scope): string | undefined {
  const { random } = scope;
  const [first = types.DYN, second = types.DYN] = type.parameters;
  const count = random.pick([0, 1, 1, 2, 2, 3]);
  const build = (entry: (mark: string, element: (type: Type) => string) => string): string =>
    Array.from({ length: count }, () =>
      random.chance(0.08)
        ? entry("?", (inner) => generateTyped(types.optionalType(inner), scope))
        : entry("", (inner) => generate(inner, scope)),
    ).join(", ");
  if (type.kind === "list") return `[${build((mark, element) => mark + element(first))}]`;
  if (type.kind === "map")
    return `{${build((mark, element) => `${mark}${generate(first, scope)}: ${element(second)}`)}}`;
  if (type.kind !== "opaque" || type.name !== "optional_type") return undefined;
  return `optional.${random.pick(["of", "of", "ofNonZeroValue"])}(${generate(first, scope)})`;
}

/** A call of any signature that has such a result. What only an authorizer has is called rarely. */
function generateCall(type: Type, scope: Scope): string | undefined {
  const { random, vocabulary } = scope;
  const all = CALLEES.filter(
    (one) => bind(one.overload.result, type, new Map()) && (!isRare(one) || random.chance(0.02)),
  );
  const isAbout = ({ overload }: Callee): boolean =>
    overload.args.some((arg) => vocabulary.types.some((one) => bind(arg, one, new Map())));
  const callees = vocabulary.types.length > 0 && random.chance(0.7) ? all.filter(isAbout) : all;
  const names = [...new Set(callees.map(({ name }) => name))];
  const name = random.oneOf(names);
  const callee = random.oneOf(callees.filter((one) => one.name === name));
  return callee && formatCall(callee, type, scope);
}

function isRare({ overload }: Callee): boolean {
  return overload.args.some(({ name }) => name.startsWith("kubernetes.authorization."));
}

function formatCall({ name, overload }: Callee, result: Type, scope: Scope): string {
  const { random } = scope;
  const bound = new Map<string, Type>();
  bind(overload.result, result, bound);
  const args: string[] = [];
  for (const arg of overload.args) {
    const text = arg.kind === "string" && random.chance(0.6) ? random.oneOf(TEXTS[name] ?? []) : undefined;
    const end = arg.kind === "int" && random.chance(0.4) ? generateEnd(args[0], overload.args[0], random) : undefined;
    args.push(end ?? (text === undefined ? generate(resolve(arg, bound, random), scope) : JSON.stringify(text)));
  }
  if (random.chance(0.01 * scope.vocabulary.mistakes)) args.push(generate(pickType(random), scope));
  return (
    formatOperator(name, args, () => random.oneOf(scope.vocabulary.fields)) ??
    formatFunction(name, overload.isMethod, args)
  );
}

/** A macro whose expansion has such a type. */
function generateMacro(type: Type, scope: Scope): string | undefined {
  const { random } = scope;
  const [first = types.DYN, second = types.DYN] = type.parameters;
  if (type.kind === "bool") return random.chance(0.2) ? generateTest(scope) : generateQuantifier(scope);
  if (type.kind === "list") return generateListMacro(first, scope);
  if (type.kind === "map") return generateMapMacro(first, second, scope);
  return type.name === "optional_type" ? generateOptionalMacro(first, scope) : undefined;
}

function generateTest(scope: Scope): string {
  const operand = generate(scope.random.pick([OBJECT, types.mapType(types.STRING, types.INT), types.DYN]), scope);
  return `has(${receiver(operand)}.${scope.random.oneOf(scope.vocabulary.fields) ?? "a"})`;
}

/** The range of a macro, and the scope of its body with one variable or two. */
function openMacro(
  scope: Scope,
  count: number,
  over?: Variable,
): readonly [range: string, names: string, inner: Scope] {
  const { random, variables } = scope;
  const held = over ?? (random.chance(0.4) ? random.oneOf(variables.filter(({ type }) => isRange(type))) : undefined);
  const range = held?.type ?? pickRange(scope);
  const [element = types.DYN] = range.parameters;
  const [key = types.DYN, value = types.DYN] = range.kind === "list" ? [types.INT, element] : range.parameters;
  const names = count === 2 ? [`k${variables.length}`, `v${variables.length}`] : [`x${variables.length}`];
  const own = count === 2 ? [key, value] : [range.kind === "list" ? element : key];
  const added = names.map((name, i) => ({ name, type: own[i] ?? types.DYN }));
  const text = held?.name ?? receiver(generate(range, scope));
  return [text, names.join(", "), { ...scope, variables: [...added, ...variables] }];
}

function isRange({ kind }: Type): boolean {
  return kind === "list" || kind === "map";
}

/** A macro about objects: the fields of the variable are variables, too. */
function openRows(scope: Scope, count: number): readonly [range: string, names: string, inner: Scope] {
  const { random, variables } = scope;
  const name = `x${variables.length}`;
  const fields = Object.entries(ROWS.fields).map(([field, type]) => ({ name: `${name}.${field}`, type }));
  const index = count === 2 ? [{ name: `k${variables.length}`, type: types.INT }] : [];
  const names = [...index.map((one) => one.name), name].join(", ");
  return [random.pick(ROWS.ranges), names, { ...scope, variables: [...fields, ...index, ...variables] }];
}

/** A list or map, mostly of a type that the vocabulary has. */
function pickRange({ random, vocabulary }: Scope): Type {
  const own = vocabulary.types.filter(isRange);
  const known = random.chance(0.75) ? random.oneOf(own) : undefined;
  if (known) return known;
  const element = pickType(random, 1);
  return random.chance(0.7) ? types.listType(element) : types.mapType(random.pick(KEYS), element);
}

function generateQuantifier(scope: Scope): string {
  const count = scope.random.pick([1, 1, 2]);
  const [range, names, inner] = openMacro(scope, count);
  const name = scope.random.pick([
    "all",
    "exists",
    "exists_one",
    "all",
    "exists",
    count === 2 ? "existsOne" : "exists_one",
  ]);
  return `${range}.${name}(${names}, ${generate(types.BOOL, inner)})`;
}

function generateListMacro(item: Type, scope: Scope): string {
  const { random } = scope;
  const name = random.pick(["map", "map", "filter", "transformList", "sortBy"]);
  const [range, names, inner] = openMacro(scope, name === "transformList" ? 2 : 1);
  if (name === "filter")
    return `${receiver(generate(types.listType(item), scope))}.filter(x, ${generate(types.BOOL, { ...scope, variables: [{ name: "x", type: item }, ...scope.variables] })})`;
  if (name === "sortBy") return `${range}.sortBy(${names}, ${generate(pickType(random, 0), inner)})`;
  const kept = random.chance(0.3) ? `${generate(types.BOOL, inner)}, ` : "";
  return `${range}.${name}(${names}, ${kept}${generate(item, inner)})`;
}

function generateMapMacro(key: Type, value: Type, scope: Scope): string {
  const [range, names, inner] = openMacro(scope, 2);
  const kept = scope.random.chance(0.3) ? `${generate(types.BOOL, inner)}, ` : "";
  return scope.random.chance(0.5)
    ? `${range}.transformMap(${names}, ${kept}${generate(value, inner)})`
    : `${range}.transformMapEntry(${names}, ${kept}{${generate(key, inner)}: ${generate(value, inner)}})`;
}

function generateOptionalMacro(value: Type, scope: Scope): string {
  const { random } = scope;
  const element = pickType(random, 1);
  const target = receiver(generate(types.optionalType(element), scope));
  const inner = { ...scope, variables: [{ name: "o", type: element }, ...scope.variables] };
  return random.chance(0.5)
    ? `${target}.optMap(o, ${generate(value, inner)})`
    : `${target}.optFlatMap(o, ${generate(types.optionalType(value), inner)})`;
}
