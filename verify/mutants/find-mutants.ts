import { stripTypeScriptTypes } from "node:module";
import { type AnyNode, parse } from "acorn";
import { type Change, type Role, findChanges } from "./changes.ts";
import type { Mutant, MutatedSource } from "./mutation.ts";

const MOST_CHARACTERS = 100;
/** Of what is the same ahead of a difference. */
const MOST_BEFORE = 40;

/** `safe`: what can be replaced as a whole, because a part of `a?.b.c()` cannot stand in parentheses. */
type Found = { readonly safe: AnyNode; readonly change: Change };

/** Every mutant of a source, in the order of its text. Types are blanked, so that positions are those of the file. */
export function findMutants(file: string, source: string): MutatedSource {
  const code = stripTypeScriptTypes(source);
  const found = walk(parse(code, { ecmaVersion: "latest", sourceType: "module" }), "other", code);
  const places = new Map<string, { start: number; end: number; variants: { number: number; text: string }[] }>();
  const keys: string[] = [];
  const mutants = found.map(({ safe, change }, index): Mutant => {
    const key = `${safe.start}-${safe.end}`;
    const place = places.get(key) ?? { start: safe.start, end: safe.end, variants: [] };
    if (!places.has(key)) keys.push(key);
    places.set(key, place);
    const text = code.slice(safe.start, change.start) + change.text + code.slice(change.end, safe.end);
    place.variants.push({ number: index + 1, text });
    return { file, number: index + 1, place: keys.indexOf(key), ...describe(change, code) };
  });
  return { code, places: [...places.values()], mutants };
}

function describe({ start, end, text }: Change, code: string): Omit<Mutant, "file" | "number" | "place"> {
  const before = code.slice(0, start);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineEnd = code.indexOf("\n", start);
  return {
    line: before.split("\n").length,
    column: start - lineStart + 1,
    ...shortenBoth(fold(code.slice(start, end)), fold(text)),
    sourceLine: fold(code.slice(lineStart, lineEnd === -1 ? code.length : lineEnd)),
  };
}

function fold(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Long texts are cut so that what differs is seen. */
function shortenBoth(original: string, mutated: string): Pick<Mutant, "original" | "mutated"> {
  const same = [...original].findIndex((character, index) => character !== mutated[index]);
  const isLong = Math.max(original.length, mutated.length) > MOST_CHARACTERS;
  const from = isLong && mutated.length > MOST_BEFORE ? Math.max(0, same - MOST_BEFORE) : 0;
  return { original: cut(original, from), mutated: cut(mutated, from) };
}

function cut(text: string, from: number): string {
  const end = from + MOST_CHARACTERS;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${text.length > end ? "…" : ""}`;
}

function walk(node: AnyNode, role: Role, code: string, chain?: AnyNode): readonly Found[] {
  const safe = chain ?? node;
  const own = findChanges(node, role, code).map((change): Found => ({ safe, change }));
  const parts = Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    [value]
      .flat()
      .filter(isNode)
      .flatMap((part) => walk(part, getRole(node, key, part), code, getChain(node, key, chain))),
  );
  return [...own, ...parts];
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Of what is called or read within `a?.b.c()`, the whole; what is passed to it stands alone again. */
function getChain(node: AnyNode, key: string, chain: AnyNode | undefined): AnyNode | undefined {
  if (node.type === "ChainExpression") return node;
  const isSpine = key === "callee" || key === "object";
  return isSpine && (node.type === "CallExpression" || node.type === "MemberExpression") ? chain : undefined;
}

/** By the type of a node and the name of a part of it. */
const ROLES: ReadonlyMap<string, Role> = new Map([
  ["IfStatement.test", "branch"],
  ["ConditionalExpression.test", "branch"],
  ["WhileStatement.test", "loop"],
  ["DoWhileStatement.test", "loop"],
  ["ForStatement.test", "loop"],
  ["ReturnStatement.argument", "result"],
  ["ArrayExpression.elements", "table"],
  ["Property.key", "key"],
  ["PropertyDefinition.key", "key"],
]);
/** As a statement, these are done for their effect; what a statement computes otherwise is an assignment, whose parts are changed. */
const EFFECTS: ReadonlySet<string> = new Set([
  "CallExpression",
  "ChainExpression",
  "AwaitExpression",
  "YieldExpression",
]);

function getRole(node: AnyNode, key: string, part: AnyNode): Role {
  if (node.type === "ArrowFunctionExpression") return key === "body" && node.expression ? "result" : "other";
  if (node.type === "ExpressionStatement") return EFFECTS.has(part.type) ? "statement" : "other";
  return ROLES.get(`${node.type}.${key}`) ?? "other";
}
