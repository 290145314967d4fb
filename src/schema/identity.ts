import { type Json, type JsonObject, byText, isList, isObject } from "../model/json.ts";
import { isRounded } from "./numbers.ts";

type Left = { readonly kind: "text"; readonly text: string } | { readonly kind: "value"; readonly value: Json };

/**
 * Text that is equal for equal values; undefined where that can't be told, since JSON.parse may have rounded a number in it.
 * Works through a list of what is left, not by calling itself, so that no nesting can overflow the stack.
 */
export function identity(value: Json): string | undefined {
  const left: Left[] = [{ kind: "value", value }];
  const done: string[] = [];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.kind === "text") done.push(next.text);
    else if (isList(next.value)) pushReversed(left, ofList(next.value));
    else if (isObject(next.value)) pushReversed(left, ofObject(next.value));
    else if (typeof next.value === "number" && isRounded(next.value)) return undefined;
    else done.push(JSON.stringify(next.value));
  }
  return done.join("");
}

function pushReversed(left: Left[], parts: readonly Left[]): void {
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i];
    if (part !== undefined) left.push(part);
  }
}

function ofList(list: readonly Json[]): Left[] {
  return [text("["), ...list.flatMap((value): Left[] => [{ kind: "value", value }, text(",")]), text("]")];
}

function ofObject(object: JsonObject): Left[] {
  const entries = Object.entries(object).toSorted(([a], [b]) => byText(a, b));
  const parts = entries.flatMap(([key, value]): Left[] => [
    text(`${JSON.stringify(key)}:`),
    { kind: "value", value },
    text(","),
  ]);
  return [text("{"), ...parts, text("}")];
}

function text(of: string): Left {
  return { kind: "text", text: of };
}
