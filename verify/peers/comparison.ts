import { textAt } from "../../src/model/json.ts";
import type { FaultKind } from "./data.ts";
import type { MadeObject } from "./make-objects.ts";
import type { PeerFinding } from "./programs.ts";
import type { MadeFile } from "./write-files.ts";

/** What a program made of all files. */
export type PeerScore = {
  /** How many of each kind of fault, by its name. */
  readonly found: ReadonlyMap<string, number>;
  /** What it passes over, and where it finds fault with what the API server takes; as sentences. */
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
};

/** A finding without an object's name counts for the fault of its file. */
export function score(files: readonly MadeFile[], findings: readonly PeerFinding[]): PeerScore {
  const byFile = Map.groupBy(findings, ({ file }) => file);
  const found = new Map<string, number>();
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const { name: file, objects } of files) {
    const own = byFile.get(file) ?? [];
    const faulty = objects.find(({ planted }) => planted !== undefined);
    const isAbout = ({ name }: PeerFinding): boolean =>
      faulty !== undefined && (name === undefined || name === getName(faulty));
    if (faulty?.planted !== undefined) {
      const { fault } = faulty.planted;
      if (own.some(isAbout)) found.set(fault, (found.get(fault) ?? 0) + 1);
      else missed.push(`${file}: ${fault}: ${describe(faulty)}`);
    }
    const others = new Set(own.filter((one) => !isAbout(one)).map(({ name }) => name ?? "a whole file"));
    wrong.push(...[...others].map((name) => `${file}: ${name}`));
  }
  return { found, missed, wrong };
}

function getName({ object }: MadeObject): string {
  return textAt(object, "metadata", "name") ?? "";
}

export function describe(made: MadeObject): string {
  return `${textAt(made.object, "kind") ?? ""} ${getName(made)}: ${made.planted?.change ?? "no fault"}`;
}

export function countFaults(kinds: readonly FaultKind[]): number {
  return kinds.reduce((sum, { plants }) => sum + plants.length, 0);
}
