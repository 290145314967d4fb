/** Who notices a mutant. */
export type JudgedMutant = {
  /** As it is printed. */
  readonly label: string;
  /** Of the program: src/lift, or schema. */
  readonly part: string;
  /** The cases and documents that notice it. */
  readonly by: readonly string[];
  /** Whether so many notice it that not all are named: then it tells nothing of who is needed. */
  readonly isCut?: boolean;
};

/** A case or a document, and what would be missed without it. */
export type Need = {
  readonly name: string;
  /** How many mutants it alone notices. */
  readonly alone: number;
  /** Of those that it notices, one that fewest others do. */
  readonly rarest: JudgedMutant | undefined;
  /** Others that notice everything that it notices, and so might stand for it. */
  readonly within: readonly string[];
};

/** In the order of `names`. */
export function findNeeds(names: readonly string[], judged: readonly JudgedMutant[]): readonly Need[] {
  return names.map((name) => {
    const noticed = judged
      .filter(({ by, isCut = false }) => !isCut && by.includes(name))
      .toSorted((a, b) => a.by.length - b.by.length);
    const alone = noticed.filter(({ by }) => by.length === 1).length;
    const isAlways = (other: string): boolean => other !== name && noticed.every(({ by }) => by.includes(other));
    return { name, alone, rarest: noticed[0], within: names.filter(isAlways) };
  });
}

/** Why a part stays that another stands for, as a person has judged. */
export type Reason = { readonly name: string; readonly why: string };

/** `open`: others stand for it, and there is no reason. `stale`: reasons of what is needed anyway, or is not there. */
export function compareNeeds(needs: readonly Need[], reasons: readonly Reason[]) {
  const replaceable = new Set(needs.filter(({ within }) => within.length > 0).map(({ name }) => name));
  const excused = new Set(reasons.map(({ name }) => name));
  return {
    open: [...replaceable].filter((name) => !excused.has(name)),
    stale: [...excused].filter((name) => !replaceable.has(name)),
  };
}

export const PROGRAM_HEADER = ["Program", "Mutants", "Noticed", "By one alone"];
export const KIT_HEADER = [
  "Part of the kit",
  "Files or entries",
  "With a mutant of their own",
  "Without, but no other notices as much",
  "Another notices as much",
];

export function countProgram(judged: readonly JudgedMutant[]): readonly (readonly string[])[] {
  const parts = [...Map.groupBy(judged, ({ part }) => part)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return parts.map(([part, mutants]) => {
    const count = (least: number, most: number): number =>
      mutants.filter(({ by }) => by.length >= least && by.length <= most).length;
    return [part, mutants.length, count(1, Infinity), count(1, 1)].map(String);
  });
}

export function countKit(needs: readonly Need[]): readonly (readonly string[])[] {
  const parts = [...Map.groupBy(needs, ({ name }) => /^[^/:]+/.exec(name)?.[0] ?? name)];
  return parts.map(([part, some]) => {
    const own = some.filter(({ alone }) => alone > 0).length;
    const replaceable = some.filter(({ within }) => within.length > 0).length;
    return [part, some.length, own, some.length - own - replaceable, replaceable].map(String);
  });
}
