/** One thing changed in the program. */
export type Mutant = {
  readonly file: string;
  /** Counts from 1 in its file: what switches it on. */
  readonly number: number;
  /** The place of the program that stands for either form: counts from 0 in its file. */
  readonly place: number;
  readonly line: number;
  readonly column: number;
  /** What is changed and what becomes of it, in one line. */
  readonly original: string;
  readonly mutated: string;
  /** The whole line of the source, by which equal texts of a file are told apart. */
  readonly sourceLine: string;
};

/** An expression with the texts that may stand in its place. */
export type Place = {
  readonly start: number;
  readonly end: number;
  /** The number of each of its mutants, with the text of the whole expression. */
  readonly variants: readonly { readonly number: number; readonly text: string }[];
};

export type MutatedSource = {
  readonly code: string;
  readonly places: readonly Place[];
  readonly mutants: readonly Mutant[];
};

export function formatMutant({ file, line, column, original, mutated }: Mutant): string {
  return `${file}:${line}:${column}  ${original} -> ${mutated}`;
}
