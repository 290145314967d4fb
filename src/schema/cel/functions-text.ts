import { failure, listOf, NO_OVERLOAD, type Value, isList } from "./value.ts";
import { type Act, type Named, onText, onTexts, traverses, traversesTwice } from "./fn.ts";
import { formatted, quoted } from "./format-text.ts";
import { costSize, traversal } from "./frame.ts";
import { listIndexOf, listLastIndexOf, traversalCost } from "./lists.ts";
import { listValues } from "./wrap.ts";

/** A text by its code points, which are what positions count. */
function points(text: string): readonly string[] {
  return [...text];
}

function outOfRange(index: bigint): Value {
  return failure(`index out of range: ${index}`);
}

function charAt(text: string, at: bigint): Value {
  const all = points(text);
  if (at < 0n || at > BigInt(all.length)) return outOfRange(at);
  return all[Number(at)] ?? "";
}

function indexOf(text: string, part: string, from: bigint): Value {
  if (part === "") return from;
  const all = points(text);
  if (from < 0n) return outOfRange(from);
  if (from >= BigInt(all.length)) return -1n;
  const start = all.slice(0, Number(from)).join("").length;
  const found = text.indexOf(part, start);
  return found < 0 ? -1n : BigInt(points(text.slice(0, found)).length);
}

function lastIndexOf(text: string, part: string, from: bigint | undefined): Value {
  const all = points(text);
  if (part === "") return from ?? BigInt(all.length);
  if (from === undefined && utf8Size(text) < utf8Size(part)) return -1n;
  const offset = from ?? BigInt(all.length - 1);
  if (offset < 0n) return outOfRange(offset);
  if (offset >= BigInt(all.length)) return -1n;
  const found = text.lastIndexOf(part, all.slice(0, Number(offset)).join("").length);
  return found < 0 ? -1n : BigInt(points(text.slice(0, found)).length);
}

function utf8Size(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function substring(text: string, start: bigint, end: bigint | undefined): Value {
  const all = points(text);
  const size = BigInt(all.length);
  if (end !== undefined && start > end) return failure(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > size) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > size)) return outOfRange(end);
  return all.slice(Number(start), end === undefined ? undefined : Number(end)).join("");
}

function replace(text: string, old: string, by: string, most: bigint): Value {
  if (most < 0n || most >= BigInt(text.length) + 1n)
    return old === "" ? spread(text, by) : text.replaceAll(old, () => by);
  if (old === "") return spread(text, by, Number(most));
  const parts = text.split(old);
  const head = parts.slice(0, Number(most) + 1).join(by);
  const tail = parts.slice(Number(most) + 1);
  return tail.length === 0 ? head : [head, ...tail].join(old);
}

/** The text with `by` before every character and at the end. */
function spread(text: string, by: string, most = Infinity): string {
  const all = points(text);
  const made = all.map((point, i) => (i < most ? by + point : point)).join("");
  return all.length < most ? made + by : made;
}

function split(text: string, by: string, most: bigint): Value {
  if (most === 0n) return listOf([]);
  const parts = by === "" ? points(text) : text.split(by);
  if (most < 0n || most >= BigInt(parts.length)) return listOf(parts);
  const head = parts.slice(0, Number(most) - 1);
  return listOf([...head, parts.slice(Number(most) - 1).join(by)]);
}

function join(args: readonly Value[]): Value {
  const [list = null, by = ""] = args;
  if (!isList(list) || typeof by !== "string") return NO_OVERLOAD;
  const values = listValues(list);
  const parts = values.filter((part) => typeof part === "string");
  return parts.length === values.length ? parts.join(by) : failure("join: invalid input");
}

const SPACE =
  /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

/** Of texts and of lists. */
function either(ofText: (text: string, part: string, from: bigint | undefined) => Value, ofList: Act): Act {
  return (args) => {
    const [of, part, from] = args;
    if (typeof of !== "string") return from === undefined ? ofList(args) : NO_OVERLOAD;
    if (typeof part !== "string" || (from !== undefined && typeof from !== "bigint")) return NO_OVERLOAD;
    return ofText(of, part, from);
  };
}

const traversed = ([of = null]: readonly Value[]): number => traversalCost(of);

export const TEXT_METHODS: Named = [
  [
    "contains",
    {
      least: 2,
      most: 2,
      act: onTexts((a, b) => a.includes(b)),
      cost: ([a = null, b = null]) => traversal(costSize(a)) * traversal(costSize(b)),
    },
  ],
  ["startsWith", { least: 2, most: 2, act: onTexts((a, b) => a.startsWith(b)), cost: traverses }],
  ["endsWith", { least: 2, most: 2, act: onTexts((a, b) => a.endsWith(b)), cost: traverses }],
  [
    "charAt",
    {
      least: 2,
      most: 2,
      act: ([a, i]) => (typeof a === "string" && typeof i === "bigint" ? charAt(a, i) : NO_OVERLOAD),
    },
  ],
  [
    "indexOf",
    { least: 2, most: 3, act: either((a, b, from) => indexOf(a, b, from ?? 0n), listIndexOf), cost: traversed },
  ],
  ["lastIndexOf", { least: 2, most: 3, act: either(lastIndexOf, listLastIndexOf), cost: traversed }],
  [
    "lowerAscii",
    { least: 1, most: 1, act: onText((a) => a.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())), cost: traverses },
  ],
  [
    "upperAscii",
    { least: 1, most: 1, act: onText((a) => a.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())), cost: traverses },
  ],
  ["trim", { least: 1, most: 1, act: onText((a) => a.replaceAll(SPACE, "")), cost: traverses }],
  ["substring", { least: 2, most: 3, act: actOfSubstring, cost: traverses }],
  ["replace", { least: 3, most: 4, act: actOfReplace, before: costOfReplace, cost: () => 0 }],
  ["split", { least: 2, most: 3, act: actOfSplit, cost: traversesTwice }],
  ["join", { least: 1, most: 2, act: join, cost: (_, result) => traversal(costSize(result) * 2) }],
  [
    "format",
    {
      least: 2,
      most: 2,
      act: ([a, b = null]) => (typeof a === "string" && isList(b) ? formatted(a, listValues(b)) : NO_OVERLOAD),
      cost: traverses,
    },
  ],
];

export const TEXT_GLOBALS: Named = [["strings.quote", { least: 1, most: 1, act: onText(quoted), cost: traverses }]];

function actOfSubstring([a, start, end]: readonly Value[]): Value {
  if (typeof a !== "string" || typeof start !== "bigint") return NO_OVERLOAD;
  return end === undefined || typeof end === "bigint" ? substring(a, start, end) : NO_OVERLOAD;
}

function actOfReplace([a, old, by, most = -1n]: readonly Value[]): Value {
  if (typeof a !== "string" || typeof old !== "string" || typeof by !== "string") return NO_OVERLOAD;
  return typeof most === "bigint" ? replace(a, old, by, most) : NO_OVERLOAD;
}

/** Far more than any rule may cost where the result would be enormous. */
function costOfReplace([a = null, , by = null]: readonly Value[]): number {
  const enormous = costSize(a) * costSize(by) > 100_000_000 ? Infinity : 0;
  return traversal(costSize(a) * 2) + enormous;
}

function actOfSplit([a, by, most = -1n]: readonly Value[]): Value {
  if (typeof a !== "string" || typeof by !== "string" || typeof most !== "bigint") return NO_OVERLOAD;
  return split(a, by, most);
}
