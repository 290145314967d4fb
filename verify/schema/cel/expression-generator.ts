import * as types from "../../../src/schema/cel/types/types.ts";
import type { Random } from "../random/random.ts";
import { CALLEES, type Callee, KEYS, OBJECT, bind, pickType, resolve } from "./callees.ts";
import { OPERANDS, TEXTS } from "./operands.ts";

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
  if (random.chance(0.6)) return { rule: generate(types.BOOL, scope) };
  const type = pickType(random);
  const text = generate(type, scope);
  if (random.chance(0.2)) return { rule: `${text} == ${generate(type, scope)}` };
  if (type.kind === "string") return { rule: "false", messageExpression: text };
  const tell = random.pick(
    STRINGS.has(type.kind) ? ["string(X)", "'%s'.format([X])"] : ["'%s'.format([X])", "'%s'.format([dyn(X)])"],
  );
  return { rule: "false", messageExpression: tell.replace("X", () => text) };
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
  const all = CALLEES.filter(({ overload }) => {
    const isRare = overload.args.some(({ name }) => name.startsWith("kubernetes.authorization."));
    return bind(overload.result, type, new Map()) && (!isRare || random.chance(0.02));
  });
  const isAbout = ({ overload }: Callee): boolean =>
    overload.args.some((arg) => vocabulary.types.some((one) => bind(arg, one, new Map())));
  const callees = vocabulary.types.length > 0 && random.chance(0.7) ? all.filter(isAbout) : all;
  const names = [...new Set(callees.map(({ name }) => name))];
  const name = random.oneOf(names);
  const callee = random.oneOf(callees.filter((one) => one.name === name));
  return callee && formatCall(callee, type, scope);
}

function formatCall({ name, overload }: Callee, result: Type, scope: Scope): string {
  const { random } = scope;
  const bound = new Map<string, Type>();
  bind(overload.result, result, bound);
  const args = overload.args.map((arg) => {
    const text = arg.kind === "string" && random.chance(0.6) ? random.oneOf(TEXTS[name] ?? []) : undefined;
    return text === undefined ? generate(resolve(arg, bound, random), scope) : JSON.stringify(text);
  });
  if (random.chance(0.01 * scope.vocabulary.mistakes)) args.push(generate(pickType(random), scope));
  return formatOperator(name, args, scope) ?? formatFunction(name, overload.isMethod, args);
}

function formatOperator(name: string, args: readonly string[], { random, vocabulary }: Scope): string | undefined {
  const [a = "0", b = "0", c = "0"] = args;
  if (name === "_?_:_") return `(${a} ? ${b} : ${c})`;
  if (name === "_[_]") return `${receiver(a)}[${b}]`;
  if (name === "_[?_]") return `${receiver(a)}[?${b}]`;
  if (name === "_?._") return `${receiver(a)}.?${random.oneOf(vocabulary.fields) ?? "a"}`;
  if (name === "@in") return `(${a} in ${b})`;
  if (name === "!_" || name === "-_") return `${name.charAt(0)}${receiver(a)}`;
  return name.startsWith("_") ? `(${a} ${name.slice(1, -1)} ${b})` : undefined;
}

/** An expression on which something can be called. */
function receiver(text: string): string {
  return /^[-!0-9.]/.test(text) ? `(${text})` : text;
}

function formatFunction(name: string, isMethod: boolean, [first = "self", ...others]: readonly string[]): string {
  if (isMethod) return `${receiver(first)}.${name}(${others.join(", ")})`;
  return `${name}(${name === "optional.none" ? "" : [first, ...others].join(", ")})`;
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
function openMacro(scope: Scope, count: number): readonly [range: string, names: string, inner: Scope] {
  const { variables } = scope;
  const range = pickRange(scope);
  const [element = types.DYN] = range.parameters;
  const [key = types.DYN, value = types.DYN] = range.kind === "list" ? [types.INT, element] : range.parameters;
  const names = count === 2 ? [`k${variables.length}`, `v${variables.length}`] : [`x${variables.length}`];
  const own = count === 2 ? [key, value] : [range.kind === "list" ? element : key];
  const added = names.map((name, i) => ({ name, type: own[i] ?? types.DYN }));
  return [receiver(generate(range, scope)), names.join(", "), { ...scope, variables: [...added, ...variables] }];
}

/** A list or map, mostly of a type that the vocabulary has. */
function pickRange({ random, vocabulary }: Scope): Type {
  const own = vocabulary.types.filter(({ kind }) => kind === "list" || kind === "map");
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
