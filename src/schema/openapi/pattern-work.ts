import { compilePattern, remember } from "./go-pattern.ts";
import { isWithin, listAlphabet } from "./pattern-alphabet.ts";
import { listLooks } from "./pattern-inclusion.ts";
import { type PatternProgram, readPatternProgram } from "./pattern-program.ts";

/** Of a pattern: the steps of its program, and how many of them a search follows at once, at most. */
export type PatternSize = { readonly steps: number; readonly threads: number };

/**
 * The size of a pattern. Where all texts together lead to few states, RE2 keeps these, and reads a text without following steps
 * (`hasFewStates`); for others it may follow all steps at each character.
 */
export const measurePattern = remember(measure, 1_000, 1_000_000);

/** Bounds on what is computed, far beyond what patterns of schemas and checks need. */
const MOST_STATES = 1_000;
const MOST_WORK = 200_000;

function measure(pattern: string): PatternSize & { readonly hasFewStates: boolean } {
  const steps = compilePattern(pattern).programSize();
  const threads = findMostThreads(pattern);
  return { steps, threads: threads ?? steps, hasFewStates: threads !== undefined };
}

type State = { readonly places: readonly number[]; readonly last: number };
type Work = { left: number };

/** Undefined if there are too many states. */
function findMostThreads(pattern: string): number | undefined {
  const program = readPatternProgram(pattern);
  const letters = program && listAlphabet([program]);
  if (program === undefined || letters === undefined) return undefined;
  const work = { left: MOST_WORK };
  const waiting: State[] = [{ places: [program.start], last: -1 }];
  const known = new Set<string>();
  let most = 1;
  for (let i = 0; i < waiting.length; i++) {
    const state = waiting[i];
    if (state === undefined || known.size > MOST_STATES || work.left < 0) return undefined;
    for (const letter of letters) {
      const flags = listLooks(state.last, letter);
      const places = advance(program, state.places, flags, letter, work);
      const key = `${flags} ${String(places)}`;
      most = Math.max(most, places.length);
      if (!known.has(key)) waiting.push({ places, last: letter });
      known.add(key);
    }
  }
  return most;
}

/** Where a search is after one more character: it also begins anew. */
function advance({ steps, start }: PatternProgram, from: readonly number[], flags: number, letter: number, work: Work) {
  const seen = new Set(from);
  const next = new Set([start]);
  for (const place of seen) {
    work.left--;
    const step = steps[place];
    if (step === undefined || step.kind === "match") continue;
    if (step.kind === "go") for (const to of step.to) seen.add(to);
    else if (step.kind === "look" && (step.flags & ~flags) === 0) seen.add(step.to);
    else if (step.kind === "read" && isWithin(letter, step.ranges)) next.add(step.to);
  }
  return [...next].toSorted((a, b) => a - b);
}
