import { compareText } from "./json.ts";

/** "1 risk", "2 risks" */
export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Each name once, in the order of the code units. */
export function sortNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted(compareText);
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** "A", "A and B", "A, B and C". */
export function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

export const MAX_NAMED = 3;

/** The first three names and the number of the others: "A, B, C and 4 more". `count`: how many there are, if not all are in `names`. */
export function summarizeNames(names: readonly string[], count = names.length): string {
  const named = names.slice(0, MAX_NAMED);
  return joinNames(count > named.length ? [...named, `${count - named.length} more`] : named);
}

/** Quotes foreign text inside a sentence: on one line, without its final period, cut after `maxCharacters`. */
export function quote(text: string, maxCharacters: number): string {
  const characters = [...text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "")];
  return characters.length <= maxCharacters
    ? characters.join("")
    : `${characters.slice(0, maxCharacters).join("").trimEnd()}...`;
}

/** The same within quotation marks; those in the text become apostrophes. */
export function quoteText(text: string, maxCharacters: number): string {
  return `"${quote(text, maxCharacters).replaceAll('"', "'")}"`;
}

/**
 * A character is a Unicode code point, as the Kubernetes API counts lengths (Go's utf8.RuneCount):
 * neither UTF-16 code units nor bytes.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `limit` characters; never half of one. */
export function takeCharacters(text: string, limit: number): string {
  let count = 0;
  let units = 0;
  for (const character of text) {
    if (count === limit) break;
    count += 1;
    units += character.length;
  }
  return text.slice(0, units);
}

const SENTENCE = /(?<=[.!?]["')]?) (?=["'(]?[A-Z])/;
/** A comma in quotes, such as in a command, ends nothing. */
const CLAUSE = /(?<=,|[.!?]["')]?) (?=(?:[^"]*"[^"]*")*[^"]*$)/;

/** Nobody reads more on a first screen, and looking for quotes takes the square of the length. */
const MAX_SEARCHED = 1_000;

/** As many whole sentences as fit into `limit` characters, the first one in any case; "..." stands for the others. */
export function takeSentences(text: string, limit: number): string {
  return takeParts(text, SENTENCE, limit);
}

/** The same of sentences and of their parts between commas. */
export function takeClauses(text: string, limit: number): string {
  return takeParts(text, CLAUSE, limit);
}

function takeParts(text: string, boundary: RegExp, limit: number): string {
  if (text.length <= limit) return text;
  const [first = "", ...others] = takeCharacters(text, MAX_SEARCHED).split(boundary);
  let taken = first;
  for (const part of others) {
    if (taken.length + 1 + part.length > limit) break;
    taken += ` ${part}`;
  }
  return taken === text ? text : `${taken.replace(/[.,!?]$/, "")}...`;
}

/** Letter case does not count. Undefined if every name differs in more than half of its letters. */
export function findNearestName(name: string, known: readonly string[], most = Infinity): string | undefined {
  const distances = known.map((candidate) => ({
    candidate,
    distance: computeEditDistance(name.toLowerCase(), candidate.toLowerCase()),
  }));
  const near = distances.filter(({ candidate, distance }) => distance <= Math.min(candidate.length / 2, most));
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** Levenshtein: the fewest letters to insert, delete or replace. */
function computeEditDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** ": did you mean NAME?", or nothing if no name is near. */
export function formatDidYouMean(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? "" : `: did you mean ${nearest}?`;
}

/** A Go duration, such as "5m0s". After "=" it is a quantity or a setting. */
const DURATION = String.raw`(?<![\w.=])(?:\d+(?:\.\d+)?(?:ns|us|\u00b5s|ms|[smh]))+\b`;
const IPV4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const IPV6 = String.raw`\[[\da-fA-F]*:[\da-fA-F:.]*(?:%\w+)?\]`;

/** What differs each time that one failure is reported, and helps nobody: the host of a URL or of an image is none of it. */
const CHANGING: readonly RegExp[] = [
  /\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?(?: [A-Z]{3,4})?(?: m=[+-][\d.]+)?/g,
  /\b[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d+ +\d+/g,
  /\b\d{2}:\d{2}:\d{2}(?:\.\d+)?\b/g,
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi,
  /\b0x[\da-f]{6,}\b/g,
  new RegExp(String.raw`(?<![\w./@])(?:${IPV4}|${IPV6})(?::\d+|(?!:\d))(?![\w/])(?!\.\w)`, "g"),
  new RegExp(DURATION, "g"),
  /(?<=\b(?:attempt|retry|try|pid|process|goroutine)[ =:#]{1,2})\d+(?:\/\d+)?\b/gi,
  /(?<=\()x\d+(?= )/g,
];

/** The text with "…" for times, addresses, ports, counters and the like, so that the same failure has the same text. */
export function toStableText(text: string): string {
  return CHANGING.reduce((rest, pattern) => rest.replaceAll(pattern, "…"), text);
}

/** Two hashes of 32 bits, mixed as in MurmurHash3: texts are known by them where there are so many that the texts would take several times as much. */
export function hashText(text: string, seed = 0): readonly [number, number] {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [a >>> 0, b >>> 0];
}

/** Numbers above 0 by text; 0 for a text that has none. */
type TextTable = {
  readonly set: (text: string, value: number) => void;
  readonly get: (text: string) => number;
};

/** Three words for each entry, with open addressing: a Map takes three times as much for 100,000 of them, and the texts several times. */
export function createTextTable(): TextTable {
  let slots = new Uint32Array(3 * 1024);
  let count = 0;
  const set = (text: string, value: number): void => {
    if (count * 3 > slots.length * 0.7) slots = grow(slots);
    const hash = hashText(text);
    const slot = findSlot(slots, hash);
    if (slots[slot + 2] === 0) count += 1;
    slots.set([...hash, value], slot);
  };
  return { set, get: (text) => slots[findSlot(slots, hashText(text)) + 2] ?? 0 };
}

/** The entry of the hash, or a free one. */
function findSlot(slots: Uint32Array, [a, b]: ReturnType<typeof hashText>): number {
  let slot = (a % (slots.length / 3)) * 3;
  while (slots[slot + 2] !== 0 && (slots[slot] !== a || slots[slot + 1] !== b)) slot = (slot + 3) % slots.length;
  return slot;
}

function grow(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(slots.length * 2);
  for (let i = 0; i < slots.length; i += 3) {
    const [a = 0, b = 0, value = 0] = slots.subarray(i, i + 3);
    if (value !== 0) larger.set([a, b, value], findSlot(larger, [a, b]));
  }
  return larger;
}
