import { listClauses } from "../values/text-formatting.ts";
import type { CallExpr, Expr } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import type { Checked } from "./type-check.ts";
import { DYN, type TypeKind, typeText } from "../types/types.ts";

const NUMBERS = ["int", "uint"] as const;
const PLAIN = ["bool", "bytes", "double", "duration", "list", "map", "null", "string", "timestamp", "type"] as const;

/** What each verb formats. A text may stand for a double, since "NaN" does. Source: cel-go's ext.Strings, version 2. */
const FORMATTED: ReadonlyMap<string, readonly TypeKind[]> = new Map<string, readonly TypeKind[]>([
  ["s", [...PLAIN, ...NUMBERS]],
  ["d", NUMBERS],
  ["o", NUMBERS],
  ["b", [...NUMBERS, "bool"]],
  ["x", [...NUMBERS, "string", "bytes"]],
  ["X", [...NUMBERS, "string", "bytes"]],
  ["f", ["double", "string"]],
  ["e", ["double", "string"]],
]);

/** Refuses `'...'.format([...])` with a verb that does not exist or can't format its argument, and with too few or too many arguments. */
export function requireFormat({ name, target, args }: CallExpr, checked: Checked): void {
  const [list] = args;
  if (name !== "format" || target?.op !== "literal" || typeof target.value !== "string" || list?.op !== "list") return;
  const clauses = listClauses(target.value);
  for (const [i, verb] of clauses.entries()) {
    const item = list.items[i];
    if (item === undefined) throw new CompileError(`format() lacks a value for its ${i + 1}. verb`, list);
    requireVerb(verb, item, checked);
  }
  if (list.items.length > clauses.length)
    throw new CompileError(`format() has ${list.items.length} values for ${clauses.length} verbs`, list);
}

function requireVerb(verb: string | undefined, item: Expr, checked: Checked): void {
  const kinds = FORMATTED.get(verb ?? "");
  if (kinds === undefined) throw new CompileError("format() has a verb that does not exist", item);
  const type = checked.types.get(item) ?? DYN;
  if (type.kind !== "dyn" && !kinds.includes(type.kind))
    throw new CompileError(`%${verb} of format() can't format a value of type ${typeText(type)}`, item);
  if (verb !== "s") return;
  for (const part of listParts(item)) requireVerb(verb, part, checked);
}

function listParts(item: Expr): readonly Expr[] {
  if (item.op === "list") return item.items;
  return item.op === "map" ? item.entries.flatMap(({ key, value }) => [key, value]) : [];
}
