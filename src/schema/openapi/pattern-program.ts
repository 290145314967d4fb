import { compilePattern } from "./go-pattern.ts";

/** From a code point to another, both included. */
export type CodeRange = readonly [first: number, last: number];

/** A step of the automaton that RE2 makes of a pattern. */
export type PatternStep =
  | { readonly kind: "go"; readonly to: readonly number[] }
  | { readonly kind: "look"; readonly flags: number; readonly to: number }
  | { readonly kind: "read"; readonly ranges: readonly CodeRange[]; readonly to: number }
  | { readonly kind: "match" };

export type PatternProgram = {
  readonly steps: readonly PatternStep[];
  readonly start: number;
  /** The steps from which the rest of a text can match where no text begins. */
  readonly live: ReadonlySet<number>;
};

/** What a step may look for between two characters, as RE2 numbers it. */
export const LOOKS = { lineStart: 1, lineEnd: 2, textStart: 4, textEnd: 8, wordEdge: 16, noWordEdge: 32 } as const;

const LARGEST = 20_000;

/** Reads the automaton of a Go regular expression; undefined if it is too large, or has what this can't read. */
export function readPatternProgram(pattern: string): PatternProgram | undefined {
  const engine: unknown = compilePattern(pattern).re2Input;
  const prog = isObject(engine) ? engine["prog"] : undefined;
  if (!isProgram(prog) || prog.inst.length > LARGEST) return undefined;
  const steps: PatternStep[] = [];
  for (const instruction of prog.inst) {
    const step = isInstruction(instruction) ? readStep(instruction) : undefined;
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return { steps, start: prog.start, live: findLive(steps) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isProgram(value: unknown): value is { readonly inst: readonly unknown[]; readonly start: number } {
  return isObject(value) && Array.isArray(value["inst"]) && typeof value["start"] === "number";
}

type Instruction = {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: readonly number[] | Int32Array;
};

function isInstruction(value: unknown): value is Instruction {
  return (
    isObject(value) &&
    ["op", "out", "arg"].every((key) => typeof value[key] === "number") &&
    (Array.isArray(value["runes"]) || value["runes"] instanceof Int32Array)
  );
}

const FOLD_CASE = 1;
const LAST_CODE = 0x10_ff_ff;

/** By RE2's numbers of operations. */
function readStep({ op, out, arg, runes }: Instruction): PatternStep | undefined {
  switch (op) {
    case 1:
    case 2:
      return { kind: "go", to: [out, arg] };
    case 3:
    case 7:
      return { kind: "go", to: [out] };
    case 4:
      return { kind: "look", flags: arg, to: out };
    case 5:
      return { kind: "go", to: [] };
    case 6:
      return { kind: "match" };
    case 8:
    case 9:
      return readRunes([...runes], (arg & FOLD_CASE) !== 0, out);
    case 10:
      return { kind: "read", ranges: [[0, LAST_CODE]], to: out };
    case 11:
      return {
        kind: "read",
        ranges: [
          [0, 9],
          [11, LAST_CODE],
        ],
        to: out,
      };
    default:
      return undefined;
  }
}

/** One character, in either case if `folds`, or pairs of first and last ones. */
function readRunes(runes: readonly number[], folds: boolean, to: number): PatternStep | undefined {
  const [only] = runes;
  if (runes.length === 1 && only !== undefined) {
    const cases = folds ? listCases(only) : [only];
    return cases && { kind: "read", ranges: cases.map((code) => [code, code]), to };
  }
  const ranges = runes.flatMap((first, i) => (i % 2 === 0 ? [[first, runes[i + 1] ?? first] as const] : []));
  return { kind: "read", ranges, to };
}

/** The Kelvin sign and the long s are other cases of a k and an s. */
const OTHER_CASES: ReadonlyMap<string, number> = new Map([
  ["k", 0x21_2a],
  ["s", 0x1_7f],
]);

function listCases(code: number): readonly number[] | undefined {
  const letter = String.fromCodePoint(code).toLowerCase();
  if (!/^[a-z]$/.test(letter)) return undefined;
  const other = OTHER_CASES.get(letter);
  return [letter.charCodeAt(0), letter.toUpperCase().charCodeAt(0), ...(other === undefined ? [] : [other])];
}

function findLive(steps: readonly PatternStep[]): ReadonlySet<number> {
  const before = new Map<number, number[]>();
  steps.forEach((step, place) => {
    for (const next of listNext(step)) before.set(next, [...(before.get(next) ?? []), place]);
  });
  const live = new Set<number>();
  const waiting = steps.flatMap(({ kind }, place) => (kind === "match" ? [place] : []));
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (live.has(place)) continue;
    live.add(place);
    waiting.push(...(before.get(place) ?? []));
  }
  return live;
}

function listNext(step: PatternStep): readonly number[] {
  if (step.kind === "match") return [];
  if (step.kind === "go") return step.to;
  return step.kind === "look" && (step.flags & LOOKS.textStart) !== 0 ? [] : [step.to];
}
