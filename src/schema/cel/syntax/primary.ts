import {
  type Expr,
  type Literal,
  type MapEntry,
  type StructField,
  buildCall,
  buildIdent,
  buildLiteral,
} from "./ast.ts";
import { type State, accept, expect, peek, take, token, unexpected } from "./cursor.ts";
import { InvalidExpression } from "./invalid.ts";
import { parseBytes, parseDouble, parseInt64, parseString, parseUint64 } from "./literals.ts";
import { expandMacro } from "./macros.ts";
import { parseArguments, parseConditional } from "./parser.ts";

/** A primary expression: a name or call, a constant, a list, a map, a message, or anything in parentheses. */
export function parsePrimary(state: State): Expr {
  switch (peek(state)) {
    case "(":
      return parseNested(state);
    case "[":
      return parseList(state);
    case "{":
      return parseMap(state);
    case ".":
    case "name":
      return parseName(state);
    default:
      return buildLiteral(parseLiteral(state));
  }
}

function parseNested(state: State): Expr {
  take(state);
  const expr = parseConditional(state);
  expect(state, ")");
  return expr;
}

const RESERVED = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " ",
  ),
);

function parseName(state: State): Expr {
  const length = structNameLength(state);
  if (length > 0) return parseStruct(length, state);
  const dot = accept(state, ".") ? "." : "";
  const { text } = expect(state, "name");
  if (RESERVED.has(text)) throw new InvalidExpression(`the name ${text} is reserved`);
  const name = `${dot}${text}`;
  if (peek(state) !== "(") return buildIdent(name);
  const args = parseArguments(state);
  return expandMacro(name, undefined, args) ?? buildCall(name, ...args);
}

/** How many tokens ahead name a message whose fields follow: "a.b.C{". */
function structNameLength(state: State): number {
  let ahead = peek(state) === "." ? 1 : 0;
  while (peek(state, ahead) === "name") {
    if (peek(state, ahead + 1) === "{") return ahead + 1;
    if (peek(state, ahead + 1) !== ".") return 0;
    ahead += 2;
  }
  return 0;
}

function parseStruct(length: number, state: State): Expr {
  const name = Array.from({ length }, () => take(state).text).join("");
  expect(state, "{");
  const fields: StructField[] = [];
  while (peek(state) === "?" || peek(state) === "name") {
    const isOptional = accept(state, "?");
    const field = expect(state, "name").text;
    expect(state, ":");
    fields.push({ name: field, value: parseConditional(state), isOptional });
    if (!accept(state, ",")) break;
  }
  closeInitializer(fields.length, "}", state);
  return { op: "struct", name, fields };
}

/** One trailing comma is allowed, even without entries. */
function closeInitializer(count: number, mark: string, state: State): void {
  if (count === 0) accept(state, ",");
  expect(state, mark);
}

function parseList(state: State): Expr {
  take(state);
  const [items, optional]: [Expr[], Set<number>] = [[], new Set()];
  while (peek(state) !== "]" && peek(state) !== ",") {
    if (accept(state, "?")) optional.add(items.length);
    items.push(parseConditional(state));
    if (!accept(state, ",")) break;
  }
  closeInitializer(items.length, "]", state);
  return { op: "list", items, optional };
}

function parseMap(state: State): Expr {
  take(state);
  const entries: MapEntry[] = [];
  while (peek(state) !== "}" && peek(state) !== ",") {
    const isOptional = accept(state, "?");
    const key = parseConditional(state);
    expect(state, ":");
    entries.push({ key, value: parseConditional(state), isOptional });
    if (!accept(state, ",")) break;
  }
  closeInitializer(entries.length, "}", state);
  return { op: "map", entries };
}

function parseLiteral(state: State): Literal {
  const isNegative = accept(state, "-");
  const { kind, text } = token(state);
  if (isNegative && kind !== "int" && kind !== "float") return unexpected(state);
  const literal = literalFrom(kind, text, isNegative);
  if (literal === undefined) return unexpected(state);
  take(state);
  return literal;
}

function literalFrom(kind: string, text: string, isNegative: boolean): Literal | undefined {
  switch (kind) {
    case "int":
      return parseInt64(text, isNegative);
    case "uint":
      return parseUint64(text);
    case "float":
      return parseDouble(text, isNegative);
    case "string":
      return parseString(text);
    case "bytes":
      return parseBytes(text);
    case "true":
    case "false":
      return { kind: "bool", value: kind === "true" };
    case "null":
      return { kind: "null" };
    default:
      return undefined;
  }
}
