import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countEffects } from "./compare.ts";
import { type ExplainedDifference, listDifferences } from "./differences.ts";
import type { PlayedPair } from "./fault.ts";
import type { PlayResult } from "./play-result.ts";

/** How many objects a fault harmed as was said, or why it was not planted. */
export type FaultRecord = {
  readonly check: string;
  readonly name: string;
  readonly applies: true | string;
  readonly hits: number;
};

/** What a page needs of a played update, as it is kept in a file. */
export type PlayRecord = {
  readonly pair: PlayedPair;
  readonly seed: number;
  readonly seconds: number;
  readonly objects: number;
  readonly changed: number;
  readonly refused: number;
  readonly hits: number;
  readonly effects: readonly (readonly [key: string, count: number])[];
  readonly faults: readonly FaultRecord[];
  readonly differences: readonly Pick<ExplainedDifference, "kind" | "object" | "text" | "reason">[];
};

export function summarizePlay(result: PlayResult): PlayRecord {
  const { pair, seed, comparisons, crds, refusals, definitions, seconds } = result;
  const told = comparisons.filter(
    ({ verdict, said }) => verdict === "agreed" && (said.effect !== "none" || said.dropped.length > 0),
  );
  const faults = result.faults.map(({ fault: { check, name }, applies, difference }) => ({
    check,
    name,
    applies,
    hits: difference.hits.length,
  }));
  return {
    pair,
    seed,
    seconds: Math.round(seconds),
    objects: comparisons.length,
    changed: crds.filter(({ isChanged }) => isChanged).length,
    refused: refusals.length,
    hits: faults.reduce((sum, { hits }) => sum + hits, told.length + definitions.hits.length),
    effects: [...countEffects(comparisons)],
    faults,
    differences: listDifferences(result).map(({ kind, object, text, reason }) => ({ kind, object, text, reason })),
  };
}

const FOLDER = join(import.meta.dirname, "../../dist/play");

/** The newest record of each pair is kept. */
export function keepRecord(record: PlayRecord): void {
  const { source, target } = record.pair;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${source}-${target}.json`), JSON.stringify(record, undefined, 2));
}

/** The kept records of these pairs, in their order. */
export function readRecords(pairs: readonly PlayedPair[]): readonly PlayRecord[] {
  mkdirSync(FOLDER, { recursive: true });
  const kept = readdirSync(FOLDER);
  return pairs.flatMap(({ source, target }) => {
    const file = `${source}-${target}.json`;
    if (!kept.includes(file)) return [];
    const record: PlayRecord = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
    return [record];
  });
}
