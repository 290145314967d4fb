import { patternFault } from "./go-pattern.ts";
import { isWithin, isWordCharacter, listAlphabet } from "./pattern-alphabet.ts";
import { LOOKS, type PatternProgram, readPatternProgram } from "./pattern-program.ts";

/** What a schema allows of texts. A pattern may match anywhere; lengths count code points. */
export type TextLimits = {
  readonly pattern?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
};

/** Whether each text that fits one schema fits another. `text`: a shortest one that does not. */
export type Inclusion =
  | { readonly kind: "included" }
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "undecided" };

const UNDECIDED: Inclusion = { kind: "undecided" };

/** Bounds on what is computed: far beyond what patterns of real schemas need. */
const MOST_STATES = 10_000;
const MOST_STEPS = 2_000_000;

/** Decides whether all texts that `before` allows are allowed by `after`, by a search of what both automata do with the same text. */
export function compareTexts(before: TextLimits, after: TextLimits): Inclusion {
  const sides = [readSide(before), readSide(after)] as const;
  const [one, other] = sides;
  if (one === undefined || other === undefined) return UNDECIDED;
  const letters = listAlphabet([one.program, other.program].filter((program) => program !== undefined));
  if (letters === undefined) return UNDECIDED;
  const isByLength = one.program === undefined && other.program === undefined;
  return isByLength ? compareLengths(one, other, letters) : search(one, other, letters);
}

/** Longer texts than an API server stores prove nothing. */
const LONGEST_TEXT = 2 ** 20;

function compareLengths(one: Side, other: Side, [letter = 0]: readonly number[]): Inclusion {
  const shortest = Math.max(0, one.min);
  const length = shortest < other.min ? shortest : Math.max(shortest, other.max + 1);
  if (length > one.max) return { kind: "included" };
  return length > LONGEST_TEXT ? UNDECIDED : { kind: "refused", text: String.fromCodePoint(letter).repeat(length) };
}

/** Where a text is matched already, the rest does not matter; without a pattern, every text is. */
type Threads = readonly number[] | "matched";
type Side = { readonly program: PatternProgram | undefined; readonly min: number; readonly max: number };

/** What both sides know of a text; `length` no further than lengths matter. */
type State = {
  readonly one: Threads;
  readonly other: Threads;
  readonly length: number;
  /** The character before; -1 at the start. */
  readonly last: number;
  readonly from: State | undefined;
};

function readSide({ pattern, minLength = 0, maxLength = Infinity }: TextLimits): Side | undefined {
  if (pattern === undefined) return { program: undefined, min: minLength, max: maxLength };
  const program = patternFault(pattern) === undefined ? readPatternProgram(pattern) : undefined;
  return program && { program, min: minLength, max: maxLength };
}

type Work = { left: number };

function search(one: Side, other: Side, letters: readonly number[]): Inclusion {
  const limits = [one.min, one.max, other.min, other.max].filter(Number.isFinite);
  const cap = limits.every((limit) => limit === 0) && limits.length === 2 ? 0 : Math.max(...limits) + 1;
  const work = { left: MOST_STEPS };
  const first: State = { one: begin(one), other: begin(other), length: 0, last: -1, from: undefined };
  const waiting = [first];
  const known = new Set([buildKey(first)]);
  for (let i = 0; i < waiting.length; i++) {
    const state = waiting[i];
    if (state === undefined || known.size > MOST_STATES || work.left < 0) return UNDECIDED;
    if (ends(one, state.one, state, work) && !ends(other, state.other, state, work))
      return { kind: "refused", text: spell(state) };
    for (const next of letters.flatMap((letter) => read(state, letter, one, other, cap, work))) {
      const key = buildKey(next);
      if (!known.has(key)) waiting.push(next);
      known.add(key);
    }
  }
  return { kind: "included" };
}

function begin({ program }: Side): Threads {
  return program === undefined ? "matched" : [program.start];
}

function buildKey({ one, other, length, last }: State): string {
  const kind = last < 0 ? "start" : last === 10 ? "line" : isWordCharacter(last) ? "word" : "other";
  return [kind, length, String(one), String(other)].join("|");
}

function spell(state: State): string {
  const letters: string[] = [];
  for (let at: State | undefined = state; at !== undefined && at.last >= 0; at = at.from)
    letters.push(String.fromCodePoint(at.last));
  return letters.toReversed().join("");
}

/** The state after one more character; none where nothing that follows can tell the sides apart. */
function read(state: State, letter: number, one: Side, other: Side, cap: number, work: Work): readonly State[] {
  const length = Math.min(state.length + 1, cap);
  if (length > one.max) return [];
  const flags = listLooks(state.last, letter);
  const mine = advance(one, state.one, flags, letter, work);
  if (mine.length === 0) return [];
  const theirs = advance(other, state.other, flags, letter, work);
  return theirs === "matched" && cap === 0 ? [] : [{ one: mine, other: theirs, length, last: letter, from: state }];
}

/** Whether a text that ends here fits. */
function ends({ program, min, max }: Side, threads: Threads, { length, last }: State, work: Work): boolean {
  if (length < min || length > max) return false;
  if (threads === "matched" || program === undefined) return true;
  return follow(program, threads, listLooks(last, -1), work) === "matched";
}

function advance({ program }: Side, threads: Threads, flags: number, letter: number, work: Work): Threads {
  if (threads === "matched" || program === undefined) return "matched";
  const reached = follow(program, threads, flags, work);
  if (reached === "matched") return reached;
  const next = new Set(program.live.has(program.start) ? [program.start] : []);
  for (const place of reached) {
    const step = program.steps[place];
    work.left--;
    if (step?.kind === "read" && program.live.has(step.to) && isWithin(letter, step.ranges)) next.add(step.to);
  }
  return [...next].toSorted((a, b) => a - b);
}

/** The steps that read a character, reached without reading one. */
function follow({ steps }: PatternProgram, threads: readonly number[], flags: number, work: Work): Threads {
  const seen = new Set(threads);
  const reading: number[] = [];
  for (const place of seen) {
    work.left--;
    const step = steps[place];
    if (step === undefined) continue;
    if (step.kind === "match") return "matched";
    if (step.kind === "read") reading.push(place);
    else if (step.kind === "go") for (const next of step.to) seen.add(next);
    else if ((step.flags & ~flags) === 0) seen.add(step.to);
  }
  return reading;
}

/** What is between two characters; -1 stands for no character. */
export function listLooks(last: number, next: number): number {
  const isEdge = isWordCharacter(last) !== isWordCharacter(next);
  return (
    (last < 0 ? LOOKS.textStart | LOOKS.lineStart : 0) |
    (last === 10 ? LOOKS.lineStart : 0) |
    (next < 0 ? LOOKS.textEnd | LOOKS.lineEnd : 0) |
    (next === 10 ? LOOKS.lineEnd : 0) |
    (isEdge ? LOOKS.wordEdge : LOOKS.noWordEdge)
  );
}
