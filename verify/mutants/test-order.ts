import type { ImportGraph } from "./import-graph.ts";
import type { Mutant } from "./mutation.ts";
import type { RecordedTest } from "./messages.ts";

/** A mutant that so many tests reach and none of them finds has survived. */
const MOST_TESTS = 150;
/** What is only done while files are loaded needs a process of its own, which imports no more test files than these. */
const MOST_FILES = 12;

export const getId = ({ file, name }: Pick<RecordedTest, "file" | "name">): string => `${file} > ${name}`;

/** Which test runs first: one that killed before in the same file, one of the folder's own, one that does little. */
export function orderTests(
  tests: readonly RecordedTest[],
  kills: ReadonlyMap<string, number>,
  folder: string,
): readonly RecordedTest[] {
  const groups = new Map<string, number>();
  const ranked = tests
    .toSorted((a, b) => a.steps - b.steps || compare(getId(a), getId(b)))
    .map((test) => {
      const group = `${test.file} > ${test.name.split(" > ")[0] ?? ""}`;
      // Suites take turns, so that those that are cut off are more of the same.
      const rank = groups.get(group) ?? 0;
      groups.set(group, rank + 1);
      const isOwn = test.file.startsWith(`${folder.replace(/^src\//, "test/")}/`);
      return { test, rank, isOwn, killed: kills.get(getId(test)) ?? 0 };
    });
  return ranked
    .toSorted(
      (a, b) =>
        b.killed - a.killed || Number(b.isOwn) - Number(a.isOwn) || a.rank - b.rank || a.test.steps - b.test.steps,
    )
    .map(({ test }) => test)
    .slice(0, MOST_TESTS);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The tests that reach a mutant when everything was run once before. */
export function findWarmTests({ file, place }: Mutant, tests: readonly RecordedTest[]): readonly RecordedTest[] {
  return tests.filter(({ warm }) => warm[file]?.includes(place));
}

/** The tests that reach it only in a new process, since its result is kept, or since it is done while files are loaded. */
export function findColdTests({ file, place }: Mutant, tests: readonly RecordedTest[]): readonly RecordedTest[] {
  return tests.filter(({ cold, warm }) => cold[file]?.includes(place) && !warm[file]?.includes(place));
}

/** Those that may see what a file computes while it is loaded: they reach it, or what imports it, or their file does. */
export function findUsers(
  file: string,
  tests: readonly RecordedTest[],
  graph: ImportGraph,
  order: (tests: readonly RecordedTest[]) => readonly RecordedTest[],
): readonly RecordedTest[] {
  const reaches = ({ warm, cold }: RecordedTest, one: string): boolean => one in warm || one in cold;
  const groups = [
    tests.filter((test) => reaches(test, file)),
    tests.filter((test) =>
      [...Object.keys(test.warm), ...Object.keys(test.cold)].some((other) => graph.isImported(file, other)),
    ),
    tests.filter((test) => graph.isImported(file, test.file)),
    tests.filter((test) => graph.reach(test.file).has(file)),
  ];
  const users = [...new Set(groups.flatMap((group) => order(group)))];
  const files = new Set<string>();
  for (const { file: testFile } of users) if (files.size < MOST_FILES) files.add(testFile);
  return users.filter((test) => files.has(test.file)).slice(0, MOST_TESTS);
}
