/** Texts of others are searched in time that grows with their lengths, and not with the product: V8 compares longer parts anew at each place. */
const SHORT = 64;

type Units = { readonly length: number; readonly at: (index: number) => number };

/** As `String.indexOf`. */
export function findText(text: string, part: string, start = 0): number {
  if (part.length <= SHORT) return text.indexOf(part, start);
  return find(forwards(text), forwards(part), start);
}

/** As `String.lastIndexOf`. */
export function findLastText(text: string, part: string, last: number): number {
  if (part.length <= SHORT) return text.lastIndexOf(part, last);
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
