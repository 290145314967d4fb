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

export function readEquivalents(path: string): readonly Equivalent[] {
  return readEntries(path, (text, has) => {
    const line = has("line") ? { line: text("line") } : {};
    return { file: text("file"), code: text("code"), mutant: text("mutant"), why: text("why"), ...line };
  });
}

/** The entries of a list in YAML, each of texts by name. Throws an error for one that lacks a text. */
export function readEntries<T>(
  path: string,
  build: (text: (name: string) => string, has: (name: string) => boolean) => T,
): readonly T[] {
  const entries: unknown = load(readFileSync(path, "utf8"));
  if (!Array.isArray(entries)) throw new Error(`${path} is no list`);
  return entries.map((entry: unknown) => {
    const fields = new Map(Object.entries(typeof entry === "object" && entry !== null ? entry : {}));
    const text = (name: string): string => {
      const value: unknown = fields.get(name);
      if (typeof value !== "string") throw new Error(`${path}: an entry has no ${name}: ${JSON.stringify(entry)}`);
      return value;
    };
    return build(text, (name) => fields.has(name));
  });
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
