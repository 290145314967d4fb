import type { CodeRange, PatternProgram } from "./pattern-program.ts";

/**
 * One character for each set of characters that the steps of the programs don't tell apart; undefined if there are too many. Readable ones
 * come first, and stand for their set.
 */
export function listAlphabet(programs: readonly PatternProgram[]): readonly number[] | undefined {
  const sets = listSets(programs);
  const changes = listChanges(sets);
  const sorted = [...changes.keys()].toSorted((a, b) => a - b);
  const active = new Set<number>();
  const letters = new Map<string, number>();
  sorted.forEach((first, i) => {
    for (const set of changes.get(first) ?? []) if (!active.delete(set)) active.add(set);
    if (first > LAST_CODE || isSurrogate(first)) return;
    const letter = chooseLetter(first, (sorted[i + 1] ?? LAST_CODE + 1) - 1);
    const key = [...active].toSorted((a, b) => a - b).join();
    const known = letters.get(key);
    if (known === undefined || rank(letter) < rank(known)) letters.set(key, letter);
  });
  return letters.size > MOST_LETTERS ? undefined : [...letters.values()].toSorted((a, b) => rank(a) - rank(b));
}

const MOST_LETTERS = 1_000;

function listSets(programs: readonly PatternProgram[]): readonly (readonly CodeRange[])[] {
  const all = programs.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === "read" ? [step.ranges] : [])));
  return [...new Map(all.map((ranges) => [ranges.join(";"), ranges])).values(), [NEWLINE], WORD];
}

/** Where each set begins or ends. */
function listChanges(sets: readonly (readonly CodeRange[])[]): ReadonlyMap<number, readonly number[]> {
  const changes = new Map<number, number[]>([0, ...SURROGATES].map((code) => [code, []]));
  const add = (code: number, set: number): void => {
    const known = changes.get(code);
    if (known === undefined) changes.set(code, [set]);
    else known.push(set);
  };
  sets.forEach((ranges, set) => {
    for (const [first, last] of ranges) {
      add(first, set);
      add(last + 1, set);
    }
  });
  return changes;
}

const LAST_CODE = 0x10_ff_ff;
const NEWLINE: CodeRange = [10, 10];
const WORD: readonly CodeRange[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
/** Where they begin, and where other characters begin again. They are none of a text. */
const SURROGATES = [0xd8_00, 0xe0_00] as const;

function isSurrogate(code: number): boolean {
  return code >= SURROGATES[0] && code < SURROGATES[1];
}

export function isWithin(code: number, ranges: readonly CodeRange[]): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last);
}

export function isWordCharacter(code: number): boolean {
  return isWithin(code, WORD);
}

const READABLE: readonly CodeRange[] = [
  [97, 122],
  [65, 90],
  [48, 57],
  [33, 126],
];

function chooseLetter(first: number, last: number): number {
  const [best] = READABLE.filter(([from, to]) => first <= to && from <= last);
  return best === undefined ? first : Math.max(first, best[0]);
}

function rank(code: number): number {
  const place = READABLE.findIndex((range) => isWithin(code, [range]));
  return place < 0 ? READABLE.length : place;
}
