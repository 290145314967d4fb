import { countBytes, countCodePoints } from "../../openapi/index.ts";
import { findLastText, findText, splitText } from "./text-search.ts";
import { type CelValue, buildError, buildList } from "./value.ts";

function buildRangeError(index: bigint): CelValue {
  return buildError(`index out of range: ${index}`);
}

/** Places count code points, as in all functions here. */
export function charAt(text: string, at: bigint): CelValue {
  const all = [...text];
  if (at < 0n || at > BigInt(all.length)) return buildRangeError(at);
  return all[Number(at)] ?? "";
}

export function indexOf(text: string, part: string, from: bigint): CelValue {
  if (part === "") return from;
  const all = [...text];
  if (from < 0n) return buildRangeError(from);
  if (from >= BigInt(all.length)) return -1n;
  const start = all.slice(0, Number(from)).join("").length;
  const position = findText(text, part, start);
  return position < 0 ? -1n : BigInt(countCodePoints(text.slice(0, position)));
}

export function lastIndexOf(text: string, part: string, from: bigint | undefined): CelValue {
  const all = [...text];
  if (part === "") return from ?? BigInt(all.length);
  if (from === undefined && countBytes(text) < countBytes(part)) return -1n;
  const offset = from ?? BigInt(all.length - 1);
  if (offset < 0n) return buildRangeError(offset);
  if (offset >= BigInt(all.length)) return -1n;
  const position = findLastText(text, part, all.slice(0, Number(offset)).join("").length);
  return position < 0 ? -1n : BigInt(countCodePoints(text.slice(0, position)));
}

export function substring(text: string, start: bigint, end: bigint | undefined): CelValue {
  const all = [...text];
  const size = BigInt(all.length);
  if (end !== undefined && start > end) return buildError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > size) return buildRangeError(start);
  if (end !== undefined && (end < 0n || end > size)) return buildRangeError(end);
  return all.slice(Number(start), end === undefined ? undefined : Number(end)).join("");
}

export function replace(text: string, old: string, by: string, most: bigint): CelValue {
  if (most < 0n || most >= BigInt(text.length) + 1n)
    return old === "" ? interleave(text, by) : splitText(text, old).join(by);
  if (old === "") return interleave(text, by, Number(most));
  const parts = splitText(text, old);
  const head = parts.slice(0, Number(most) + 1).join(by);
  const tail = parts.slice(Number(most) + 1);
  return tail.length === 0 ? head : [head, ...tail].join(old);
}

/** The text with `by` before every character and at the end. */
function interleave(text: string, by: string, most = Infinity): string {
  const all = [...text];
  const interleaved = all.map((point, i) => (i < most ? by + point : point)).join("");
  return all.length < most ? interleaved + by : interleaved;
}

export function split(text: string, by: string, most: bigint): CelValue {
  if (most === 0n) return buildList([]);
  const parts = by === "" ? [...text] : splitText(text, by);
  if (most < 0n || most >= BigInt(parts.length)) return buildList(parts);
  const head = parts.slice(0, Number(most) - 1);
  return buildList([...head, parts.slice(Number(most) - 1).join(by)]);
}

const SPACE = new Set(
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
);

/** Without white space at its ends. A regular expression would try each space within. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.has(text.charAt(start))) start++;
  while (end > start && SPACE.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
