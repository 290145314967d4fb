import { buildError, buildList, NO_OVERLOAD, type CelValue, isList } from "./values/value.ts";
import {
  type FunctionImplementation,
  type NamedFunctions,
  onText,
  onTexts,
  traverseOnce,
  traverseTwice,
} from "./function-binding.ts";
import { formatString, quote } from "./text-formatting.ts";
import { actualSize, getTraversalCost } from "./activation.ts";
import { listIndexOf, listLastIndexOf, traversalCost } from "./list-functions.ts";
import { countBytes } from "../../formats/names.ts";
import { getListValues } from "./values/unstructured.ts";

/** The code points of a text; positions count them. */
function splitCodePoints(text: string): readonly string[] {
  return [...text];
}

function buildRangeError(index: bigint): CelValue {
  return buildError(`index out of range: ${index}`);
}

function charAt(text: string, at: bigint): CelValue {
  const all = splitCodePoints(text);
  if (at < 0n || at > BigInt(all.length)) return buildRangeError(at);
  return all[Number(at)] ?? "";
}

function indexOf(text: string, part: string, from: bigint): CelValue {
  if (part === "") return from;
  const all = splitCodePoints(text);
  if (from < 0n) return buildRangeError(from);
  if (from >= BigInt(all.length)) return -1n;
  const start = all.slice(0, Number(from)).join("").length;
  const position = text.indexOf(part, start);
  return position < 0 ? -1n : BigInt(splitCodePoints(text.slice(0, position)).length);
}

function lastIndexOf(text: string, part: string, from: bigint | undefined): CelValue {
  const all = splitCodePoints(text);
  if (part === "") return from ?? BigInt(all.length);
  if (from === undefined && countBytes(text) < countBytes(part)) return -1n;
  const offset = from ?? BigInt(all.length - 1);
  if (offset < 0n) return buildRangeError(offset);
  if (offset >= BigInt(all.length)) return -1n;
  const position = text.lastIndexOf(part, all.slice(0, Number(offset)).join("").length);
  return position < 0 ? -1n : BigInt(splitCodePoints(text.slice(0, position)).length);
}

function substring(text: string, start: bigint, end: bigint | undefined): CelValue {
  const all = splitCodePoints(text);
  const size = BigInt(all.length);
  if (end !== undefined && start > end) return buildError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > size) return buildRangeError(start);
  if (end !== undefined && (end < 0n || end > size)) return buildRangeError(end);
  return all.slice(Number(start), end === undefined ? undefined : Number(end)).join("");
}

function replace(text: string, old: string, by: string, most: bigint): CelValue {
  if (most < 0n || most >= BigInt(text.length) + 1n)
    return old === "" ? interleave(text, by) : text.replaceAll(old, () => by);
  if (old === "") return interleave(text, by, Number(most));
  const parts = text.split(old);
  const head = parts.slice(0, Number(most) + 1).join(by);
  const tail = parts.slice(Number(most) + 1);
  return tail.length === 0 ? head : [head, ...tail].join(old);
}

/** The text with `by` before every character and at the end. */
function interleave(text: string, by: string, most = Infinity): string {
  const all = splitCodePoints(text);
  const interleaved = all.map((point, i) => (i < most ? by + point : point)).join("");
  return all.length < most ? interleaved + by : interleaved;
}

function split(text: string, by: string, most: bigint): CelValue {
  if (most === 0n) return buildList([]);
  const parts = by === "" ? splitCodePoints(text) : text.split(by);
  if (most < 0n || most >= BigInt(parts.length)) return buildList(parts);
  const head = parts.slice(0, Number(most) - 1);
  return buildList([...head, parts.slice(Number(most) - 1).join(by)]);
}

function join(args: readonly CelValue[]): CelValue {
  const [list = null, by = ""] = args;
  if (!isList(list) || typeof by !== "string") return NO_OVERLOAD;
  const values = getListValues(list);
  const parts = values.filter((part) => typeof part === "string");
  return parts.length === values.length ? parts.join(by) : buildError("join: invalid input");
}

const SPACE =
  /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

/** Of texts and of lists. */
function onTextOrList(
  ofText: (text: string, part: string, from: bigint | undefined) => CelValue,
  ofList: FunctionImplementation,
): FunctionImplementation {
  return (args) => {
    const [of, part, from] = args;
    if (typeof of !== "string") return from === undefined ? ofList(args) : NO_OVERLOAD;
    if (typeof part !== "string" || (from !== undefined && typeof from !== "bigint")) return NO_OVERLOAD;
    return ofText(of, part, from);
  };
}

const getListTraversalCost = ([of = null]: readonly CelValue[]): number => traversalCost(of);

export const TEXT_METHODS: NamedFunctions = [
  [
    "contains",
    {
      min: 2,
      max: 2,
      call: onTexts((a, b) => a.includes(b)),
      cost: ([a = null, b = null]) => getTraversalCost(actualSize(a)) * getTraversalCost(actualSize(b)),
    },
  ],
  ["startsWith", { min: 2, max: 2, call: onTexts((a, b) => a.startsWith(b)), cost: traverseOnce }],
  ["endsWith", { min: 2, max: 2, call: onTexts((a, b) => a.endsWith(b)), cost: traverseOnce }],
  [
    "charAt",
    {
      min: 2,
      max: 2,
      call: ([a, i]) => (typeof a === "string" && typeof i === "bigint" ? charAt(a, i) : NO_OVERLOAD),
    },
  ],
  [
    "indexOf",
    {
      min: 2,
      max: 3,
      call: onTextOrList((a, b, from) => indexOf(a, b, from ?? 0n), listIndexOf),
      cost: getListTraversalCost,
    },
  ],
  ["lastIndexOf", { min: 2, max: 3, call: onTextOrList(lastIndexOf, listLastIndexOf), cost: getListTraversalCost }],
  [
    "lowerAscii",
    { min: 1, max: 1, call: onText((a) => a.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())), cost: traverseOnce },
  ],
  [
    "upperAscii",
    { min: 1, max: 1, call: onText((a) => a.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())), cost: traverseOnce },
  ],
  ["trim", { min: 1, max: 1, call: onText((a) => a.replaceAll(SPACE, "")), cost: traverseOnce }],
  ["substring", { min: 2, max: 3, call: callSubstring, cost: traverseOnce }],
  ["replace", { min: 3, max: 4, call: callReplace, costBefore: getReplaceCost, cost: () => 0 }],
  ["split", { min: 2, max: 3, call: callSplit, cost: traverseTwice }],
  ["join", { min: 1, max: 2, call: join, cost: (_, result) => getTraversalCost(actualSize(result) * 2) }],
  [
    "format",
    {
      min: 2,
      max: 2,
      call: ([a, b = null]) => (typeof a === "string" && isList(b) ? formatString(a, getListValues(b)) : NO_OVERLOAD),
      cost: traverseOnce,
    },
  ],
];

export const TEXT_GLOBALS: NamedFunctions = [
  ["strings.quote", { min: 1, max: 1, call: onText(quote), cost: traverseOnce }],
];

function callSubstring([a, start, end]: readonly CelValue[]): CelValue {
  if (typeof a !== "string" || typeof start !== "bigint") return NO_OVERLOAD;
  return end === undefined || typeof end === "bigint" ? substring(a, start, end) : NO_OVERLOAD;
}

function callReplace([a, old, by, most = -1n]: readonly CelValue[]): CelValue {
  if (typeof a !== "string" || typeof old !== "string" || typeof by !== "string") return NO_OVERLOAD;
  return typeof most === "bigint" ? replace(a, old, by, most) : NO_OVERLOAD;
}

/** Charges far more than any rule may cost if the result would be enormous. */
function getReplaceCost([a = null, , by = null]: readonly CelValue[]): number {
  const enormous = actualSize(a) * actualSize(by) > 100_000_000 ? Infinity : 0;
  return getTraversalCost(actualSize(a) * 2) + enormous;
}

function callSplit([a, by, most = -1n]: readonly CelValue[]): CelValue {
  if (typeof a !== "string" || typeof by !== "string" || typeof most !== "bigint") return NO_OVERLOAD;
  return split(a, by, most);
}
