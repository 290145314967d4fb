import type { RE2JS } from "re2js";
import { compilePattern, countBytes, estimateProgramSize, patternFault } from "../../openapi/index.ts";
import { type CelValue, UnsupportedError, buildError, buildList } from "./value.ts";

function buildRangeError(index: bigint): CelValue {
  return buildError(`index out of range: ${index}`);
}

/** Places count code points, as in all functions here. */
export function charAt(text: string, at: bigint): CelValue {
  const places = findPlaces(text);
  if (at < 0n || at > BigInt(places.count)) return buildRangeError(at);
  return cut(text, places, Number(at), Number(at) + 1);
}

function cut(text: string, places: TextPlaces, start: number, end: number): string {
  return text.slice(toUnits(text, places, start), toUnits(text, places, end));
}

export function indexOf(text: string, part: string, from: bigint): CelValue {
  if (part === "") return from;
  if (from < 0n) return buildRangeError(from);
  const places = findPlaces(text);
  if (from >= BigInt(places.count)) return -1n;
  const position = findText(text, part, toUnits(text, places, Number(from)));
  return position < 0 ? -1n : BigInt(toCharacters(places, position));
}

export function lastIndexOf(text: string, part: string, from: bigint | undefined): CelValue {
  const places = findPlaces(text);
  if (part === "") return from ?? BigInt(places.count);
  if (from === undefined && countBytes(text) < countBytes(part)) return -1n;
  const offset = from ?? BigInt(places.count - 1);
  if (offset < 0n) return buildRangeError(offset);
  if (offset >= BigInt(places.count)) return -1n;
  const position = findLastText(text, part, toUnits(text, places, Number(offset)));
  return position < 0 ? -1n : BigInt(toCharacters(places, position));
}

export function substring(text: string, start: bigint, end: bigint | undefined): CelValue {
  const places = findPlaces(text);
  const size = BigInt(places.count);
  if (end !== undefined && start > end) return buildError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > size) return buildRangeError(start);
  if (end !== undefined && (end < 0n || end > size)) return buildRangeError(end);
  return cut(text, places, Number(start), Number(end ?? size));
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

/** Into how many parts a text is split, at most: by a text, or by nothing into its characters. */
export function countParts(text: string, by: string, most: bigint): number {
  const limit = most < 0n ? Infinity : Number(most) + 1;
  if (by === "") return Math.min(text.length + 1, limit);
  let count = 1;
  for (let at = findText(text, by); at >= 0 && count < limit; at = findText(text, by, at + by.length)) count++;
  return count;
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

/** Texts of others are searched in time that grows with their lengths, and not with the product: V8 compares longer parts anew at each place. */
const SHORT = 64;
/** From the end, it does so with shorter ones, too. */
const SHORTEST = 8;

type Units = { readonly length: number; readonly at: (index: number) => number };

/** As `String.indexOf`. */
export function findText(text: string, part: string, start = 0): number {
  if (part.length > text.length) return -1;
  if (part.length <= SHORT) return text.indexOf(part, start);
  return find(forwards(text), forwards(part), start);
}

/** As `String.lastIndexOf`. */
export function findLastText(text: string, part: string, last: number): number {
  if (part.length > text.length) return -1;
  if (part.length <= SHORTEST) return text.lastIndexOf(part, last);
  const end = Math.min(text.length, last + part.length);
  const fromEnd = find(backwards(text, end), backwards(part, part.length), 0);
  return fromEnd < 0 ? -1 : end - fromEnd - part.length;
}

/** As `String.split`. */
export function splitText(text: string, by: string): readonly string[] {
  if (by.length <= SHORT) return text.split(by);
  const parts: string[] = [];
  let start = 0;
  for (let at = findText(text, by); at >= 0; at = findText(text, by, start)) {
    parts.push(text.slice(start, at));
    start = at + by.length;
  }
  return [...parts, text.slice(start)];
}

function forwards(text: string): Units {
  return { length: text.length, at: (index) => text.charCodeAt(index) };
}

function backwards(text: string, end: number): Units {
  return { length: end, at: (index) => text.charCodeAt(end - 1 - index) };
}

/** The search of Knuth, Morris and Pratt. */
function find(text: Units, part: Units, start: number): number {
  const borders = listBorders(part);
  let matched = 0;
  for (let i = start; i < text.length; i++) {
    matched = extend(text.at(i), part, borders, matched);
    if (matched === part.length) return i + 1 - matched;
  }
  return -1;
}

/** For each beginning of a text, the length of the longest shorter beginning that is also its end. */
function listBorders(part: Units): Uint32Array {
  const borders = new Uint32Array(part.length);
  let matched = 0;
  for (let i = 1; i < part.length; i++) borders[i] = matched = extend(part.at(i), part, borders, matched);
  return borders;
}

function extend(unit: number, part: Units, borders: Uint32Array, matched: number): number {
  let length = matched;
  while (length > 0 && part.at(length) !== unit) length = borders[length - 1] ?? 0;
  return part.at(length) === unit ? length + 1 : length;
}

/** Of texts that rules index again and again: each call would walk through the whole text. */
const MOST_KEPT = 8;
/** Together, in UTF-16 units. A longer text is kept alone. */
const LONGEST_KEPT = 2 ** 20;
const SHORTEST_KEPT = 32;
const known = new Map<string, TextPlaces>();

/** Words of the language that can't be names, as the API server lists them. */
export const RESERVED_WORDS = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ["underscores", "__"],
  ["dot", "."],
  ["dash", "-"],
  ["slash", "/"],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([...SIGNS].map(([name, sign]) => [sign, `__${name}__`]));

/** A property's name as rules write it; undefined if it can't be written. */
export function escapeName(name: string): string | undefined {
  if (name === "" || /^[0-9]/.test(name) || /[^a-zA-Z0-9\-./_]/.test(name)) return undefined;
  if (RESERVED_WORDS.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[-./]/g, (sign) => ESCAPES.get(sign) ?? sign);
}

/** The property that a name in a rule refers to, if any. */
export function unescapeName(name: string): string | undefined {
  if (!name.includes("__")) return name;
  let isName = true;
  const original = name.replaceAll(/__([^_]+)__/g, (all, word: string) => {
    const sign = SIGNS.get(word);
    if (sign !== undefined) return sign;
    if (!RESERVED_WORDS.has(word) || all.length !== name.length) isName = false;
    return word;
  });
  return isName ? original : undefined;
}

const LETTERS = "abfnrtv";
const CONTROLS = "\u0007\b\f\n\r\t\v";

/** What a letter stands for after a backslash. */
export function getEscapedSign(letter: string): string | undefined {
  return CONTROLS[LETTERS.indexOf(letter)];
}

/** A sign with a backslash, a control character as its letter. */
export function escapeSign(sign: string): string {
  return `\\${LETTERS[CONTROLS.indexOf(sign)] ?? sign}`;
}

/** Bounds on a pattern and on the steps of its program, beyond any sensible schema: each step takes half a KiB, and 5 µs to compile. */
const MAX_PATTERN_LENGTH = 100_000;
const MAX_PATTERN_STEPS = 10_000;

export const LARGE_PATTERN = `the pattern repeats too much: it has more than ${MAX_PATTERN_STEPS} steps`;

/** The API server may accept it. */
export function isLargePattern(pattern: string): boolean {
  return pattern.length <= MAX_PATTERN_LENGTH && estimateProgramSize(pattern) > MAX_PATTERN_STEPS;
}

/** A pattern that matches() can use; undefined if the API server refuses it, or it is too long. */
export function findPattern(pattern: string): RE2JS | undefined {
  if (isLargePattern(pattern)) throw new UnsupportedError(LARGE_PATTERN);
  if (pattern.length > MAX_PATTERN_LENGTH || patternFault(pattern) !== undefined) return undefined;
  return compilePattern(pattern);
}

/** Why a constant pattern is refused. */
export function formatPatternFault(pattern: string): string {
  return `${JSON.stringify(pattern)} is not a valid regular expression: ${patternFault(pattern) ?? "it is too long"}`;
}

/** Where each character (code point) of a text begins, in UTF-16 units. Without pairs of surrogates the numbers are the same. */
type TextPlaces = { readonly count: number; readonly starts: Uint32Array | undefined };

function findPlaces(text: string): TextPlaces {
  const kept = known.get(text);
  if (kept !== undefined) return kept;
  const places = listPlaces(text);
  if (text.length < SHORTEST_KEPT) return places;
  const length = [...known.keys()].reduce((sum, one) => sum + one.length, text.length);
  if (known.size >= MOST_KEPT || length > LONGEST_KEPT) known.clear();
  known.set(text, places);
  return places;
}

function listPlaces(text: string): TextPlaces {
  const starts = new Uint32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1) starts[count++] = at;
  return { count, starts: count === text.length ? undefined : starts.subarray(0, count) };
}

/** Where a character begins in UTF-16 units; the end of the text if it has no such character. */
function toUnits(text: string, { count, starts }: TextPlaces, index: number): number {
  return index >= count ? text.length : (starts?.[index] ?? index);
}

/** How many characters begin before a place. */
function toCharacters({ count, starts }: TextPlaces, units: number): number {
  if (starts === undefined) return units;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < units) low = middle + 1;
    else high = middle;
  }
  return low;
}
