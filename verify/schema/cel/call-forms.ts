import type { Type } from "../../../src/schema/cel/types/types.ts";
import type { Random } from "../random/random.ts";

/** The longest operand that is written twice. */
const SHORT = 40;

/** The position at the end of a text or list, or beside it. */
export function generateEnd(text: string | undefined, type: Type | undefined, random: Random): string | undefined {
  if (text === undefined || text.length > SHORT || !["string", "list"].includes(type?.kind ?? "")) return undefined;
  return random.pick(["X.size()", "X.size()", "(X.size() - 1)", "(X.size() + 1)"]).replace("X", () => receiver(text));
}

/** A call that is written as an operator, if it is one; `pickField` names what it selects. */
export function formatOperator(
  name: string,
  args: readonly string[],
  pickField: () => string | undefined,
): string | undefined {
  const [a = "0", b = "0", c = "0"] = args;
  if (name === "_?_:_") return `(${a} ? ${b} : ${c})`;
  if (name === "_[_]") return `${receiver(a)}[${b}]`;
  if (name === "_[?_]") return `${receiver(a)}[?${b}]`;
  if (name === "_?._") return `${receiver(a)}.?${pickField() ?? "a"}`;
  if (name === "@in") return `(${a} in ${b})`;
  if (name === "!_" || name === "-_") return `${name.charAt(0)}${receiver(a)}`;
  return name.startsWith("_") ? `(${a} ${name.slice(1, -1)} ${b})` : undefined;
}

/** An expression on which something can be called. */
export function receiver(text: string): string {
  return /^[-!0-9.]/.test(text) ? `(${text})` : text;
}

export function formatFunction(
  name: string,
  isMethod: boolean,
  [first = "self", ...others]: readonly string[],
): string {
  if (isMethod) return `${receiver(first)}.${name}(${others.join(", ")})`;
  return `${name}(${name === "optional.none" ? "" : [first, ...others].join(", ")})`;
}
