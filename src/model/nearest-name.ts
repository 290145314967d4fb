/** Letter case does not count. Undefined if every name differs in more than half of its letters. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((candidate) => ({
    candidate,
    distance: computeEditDistance(name.toLowerCase(), candidate.toLowerCase()),
  }));
  const near = distances.filter(({ candidate, distance }) => distance <= candidate.length / 2);
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** Levenshtein: the fewest letters to insert, delete or replace. */
function computeEditDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** ": did you mean NAME?", or nothing if no name is near. */
export function formatDidYouMean(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? "" : `: did you mean ${nearest}?`;
}
