import type { AnyNode, BinaryExpression, CallExpression, Literal } from "acorn";
import { mutateRegex } from "./regex-changes.ts";

/** A text for a part of the source. */
export type Change = { readonly start: number; readonly end: number; readonly text: string };

/** Where a node stands: what is tested by an `if` or the like is forced both ways, and a result is emptied. */
export type Role = "branch" | "loop" | "result" | "statement" | "table" | "key" | "other";

const BOUNDARIES: Readonly<Record<string, readonly [boundary: string, opposite: string]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
};
const EQUALITIES: Readonly<Record<string, string>> = { "===": "!==", "!==": "===", "==": "!=", "!=": "==" };
const ARITHMETIC: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" };
const LOGIC: Readonly<Record<string, string>> = { "&&": "||", "||": "&&", "??": "&&" };
const ASSIGNMENTS: Readonly<Record<string, string>> = { "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=" };
const METHODS = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
]);
/** Without the call, what it is called on has the same type. */
const DROPPED_METHODS = new Set([
  "filter",
  "sort",
  "toSorted",
  "reverse",
  "toReversed",
  "trim",
  "slice",
  "toLowerCase",
]);
const LISTS = new Set([
  "map",
  "filter",
  "flatMap",
  "toSorted",
  "sort",
  "slice",
  "concat",
  "flat",
  "split",
  "toReversed",
]);
const QUESTIONS = new Set(["some", "every", "includes", "has", "startsWith", "endsWith", "test", "isArray", "hasOwn"]);

/** Every change of one node alone; those of its parts are found at these. */
export function findChanges(node: AnyNode, role: Role, code: string): readonly Change[] {
  const whole = (...texts: readonly string[]): readonly Change[] =>
    texts.map((text) => ({ start: node.start, end: node.end, text }));
  const source = code.slice(node.start, node.end);
  const forced = forceCondition(node, role);
  const emptied = role === "result" ? emptyResult(node, source) : [];
  if (role === "statement") return isDroppable(node) ? whole("undefined") : [];
  return [...whole(...forced, ...emptied), ...changeNode(node, role, code)];
}

function forceCondition(node: AnyNode, role: Role): readonly string[] {
  if (node.type === "Literal") return [];
  if (role === "branch") return ["true", "false"];
  return role === "loop" ? ["false"] : [];
}

/** A result of one of these types may be forgotten as a whole. */
const FORGOTTEN: ReadonlySet<string> = new Set(["AwaitExpression", "MemberExpression", "NewExpression"]);

function emptyResult(node: AnyNode, source: string): readonly string[] {
  if (node.type === "ArrayExpression") return node.elements.length > 0 ? ["[]"] : [];
  if (node.type === "ObjectExpression") return node.properties.length > 0 ? ["{}"] : [];
  if (node.type === "Literal" && typeof node.value === "boolean") return [String(!node.value)];
  if (node.type === "Literal") return typeof node.value === "string" && node.value !== "" ? ['""'] : [];
  if (isText(node)) return ['""'];
  if (node.type === "CallExpression") return emptyCall(node, source);
  if (node.type === "ChainExpression") return emptyCall(node.expression, source);
  if (node.type === "Identifier") return node.name === "undefined" ? [] : ["undefined"];
  return FORGOTTEN.has(node.type) ? ["undefined"] : [];
}

function emptyCall(node: AnyNode, source: string): readonly string[] {
  const method = node.type === "CallExpression" ? getMethod(node) : undefined;
  if (method !== undefined && LISTS.has(method)) return ["[]"];
  return isQuestion(node) ? [`!(${source})`] : ["undefined"];
}

function getMethod({ callee }: CallExpression): string | undefined {
  return callee.type === "MemberExpression" && !callee.computed && callee.property.type === "Identifier"
    ? callee.property.name
    : undefined;
}

function isQuestion(node: AnyNode): boolean {
  if (node.type !== "CallExpression") return false;
  const method = getMethod(node);
  if (method !== undefined) return QUESTIONS.has(method) || /^(?:is|has)[A-Z]/.test(method);
  return node.callee.type === "Identifier" && /^(?:is|has|can|needs)[A-Z]/.test(node.callee.name);
}

function isDroppable(node: AnyNode): boolean {
  if (node.type === "ChainExpression") return isDroppable(node.expression);
  if (node.type === "AwaitExpression") return isDroppable(node.argument);
  if (node.type === "YieldExpression") return true;
  return node.type === "CallExpression" && node.callee.type !== "Super";
}

function changeNode(node: AnyNode, role: Role, code: string): readonly Change[] {
  if (node.type === "BinaryExpression")
    return changeBinary(node, role).map((operator) => replaceOperator(node, operator, code));
  if (node.type === "LogicalExpression") return [replaceOperator(node, LOGIC[node.operator] ?? "&&", code)];
  if (node.type === "AssignmentExpression") {
    const operator = ASSIGNMENTS[node.operator];
    const isTextual = node.operator === "+=" && isText(node.right);
    return operator === undefined || isTextual ? [] : [replaceOperator(node, operator, code)];
  }
  if (node.type === "UnaryExpression") {
    if (node.operator === "!" && (role === "branch" || role === "loop")) return [];
    return ["!", "-"].includes(node.operator)
      ? [replace(node, code.slice(node.argument.start, node.argument.end))]
      : [];
  }
  if (node.type === "UpdateExpression") {
    const operator = node.operator === "++" ? "--" : "++";
    const argument = code.slice(node.argument.start, node.argument.end);
    return [replace(node, node.prefix ? operator + argument : argument + operator)];
  }
  if (node.type === "CallExpression") return changeCall(node, code);
  return node.type === "Literal" ? changeLiteral(node, role) : [];
}

function changeBinary(node: BinaryExpression, role: Role): readonly string[] {
  const isTested = role === "branch" || role === "loop";
  const [boundary, opposite] = BOUNDARIES[node.operator] ?? [];
  if (boundary !== undefined && opposite !== undefined) return isTested ? [boundary] : [boundary, opposite];
  const equality = EQUALITIES[node.operator];
  // A condition that is forced both ways has no third form.
  if (equality !== undefined) return isTested ? [] : [equality];
  const arithmetic = ARITHMETIC[node.operator];
  return arithmetic === undefined || isText(node) ? [] : [arithmetic];
}

/** Whether a sum is certainly a text. */
function isText(node: AnyNode): boolean {
  if (node.type === "TemplateLiteral") return true;
  if (node.type === "Literal") return typeof node.value === "string";
  return node.type === "BinaryExpression" && node.operator === "+" && (isText(node.left) || isText(node.right));
}

type WithOperator = { readonly left: AnyNode; readonly right: AnyNode; readonly operator: string } & Range;
type Range = { readonly start: number; readonly end: number };

function replaceOperator({ start, end, left, right, operator }: WithOperator, by: string, code: string): Change {
  const at = code.indexOf(operator, left.end);
  const between = at !== -1 && at < right.start ? code.slice(left.end, right.start) : ` ${operator} `;
  // `a && b` beside `??`, and `a ?? b` beside `&&`, need parentheses, which every part has that is a compound.
  const part = (node: AnyNode): string => enclose(node, code.slice(node.start, node.end));
  const head = code.slice(start, left.start);
  const tail = code.slice(right.end, end);
  return { start, end, text: head + part(left) + between.replace(operator, () => by) + part(right) + tail };
}

function enclose(node: AnyNode, text: string): string {
  return node.type === "LogicalExpression" ? `(${text})` : text;
}

function replace({ start, end }: Range, text: string): Change {
  return { start, end, text };
}

function changeCall(node: CallExpression, code: string): readonly Change[] {
  const method = getMethod(node);
  if (method === undefined || node.callee.type !== "MemberExpression") return [];
  const { object, property } = node.callee;
  const other = METHODS.get(method);
  const changes = other === undefined ? [] : [{ start: property.start, end: property.end, text: other }];
  // What it is called on may stand in parentheses.
  const [closing = ""] = /^[\s)]*/.exec(code.slice(object.end, property.start)) ?? [];
  const dropped = { start: object.end + closing.length, end: node.end, text: "" };
  return DROPPED_METHODS.has(method) ? [...changes, dropped] : changes;
}

function changeLiteral(node: Literal, role: Role): readonly Change[] {
  if (node.regex) return mutateRegex(node.regex.pattern, node.regex.flags).map((text) => replace(node, text));
  if (role === "key" || role === "table") return [];
  if (typeof node.value === "number") return [replace(node, String(node.value + 1))];
  return typeof node.value === "bigint" ? [replace(node, `${node.value + 1n}n`)] : [];
}
