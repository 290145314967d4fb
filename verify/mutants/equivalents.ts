import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import type { Mutant } from "./mutation.ts";

/** A mutant that no test can find, as a person has judged. `line`: the source line, where a file has the same text again. */
export type Equivalent = {
  readonly file: string;
  readonly code: string;
  readonly mutant: string;
  readonly line?: string;
  readonly why: string;
};

/** Throws an error for an entry that lacks something. */
export function readEquivalents(path: string): readonly Equivalent[] {
  const entries: unknown = load(readFileSync(path, "utf8"));
  if (!Array.isArray(entries)) throw new Error(`${path} is no list`);
  return entries.map((entry: unknown) => parseEquivalent(entry, path));
}

function parseEquivalent(entry: unknown, path: string): Equivalent {
  const fields = new Map(Object.entries(typeof entry === "object" && entry !== null ? entry : {}));
  const text = (name: string): string => {
    const value: unknown = fields.get(name);
    if (typeof value !== "string") throw new Error(`${path}: an entry has no ${name}: ${JSON.stringify(entry)}`);
    return value;
  };
  const line = fields.has("line") ? { line: text("line") } : {};
  return { file: text("file"), code: text("code"), mutant: text("mutant"), why: text("why"), ...line };
}

/** Takes the named ones out. Stale are the entries of the folder that name nothing. */
export function splitEquivalents(mutants: readonly Mutant[], entries: readonly Equivalent[], folder: string) {
  const isNamed = (mutant: Mutant): boolean => entries.some((entry) => matches(entry, mutant));
  return {
    different: mutants.filter((mutant) => !isNamed(mutant)),
    equivalents: mutants.filter(isNamed),
    stale: entries.filter(
      (entry) => entry.file.startsWith(`${folder}/`) && !mutants.some((mutant) => matches(entry, mutant)),
    ),
  };
}

function matches({ file, code, mutant, line }: Equivalent, one: Mutant): boolean {
  return (
    file === one.file &&
    code === one.original &&
    mutant === one.mutated &&
    (line === undefined || line === one.sourceLine)
  );
}
