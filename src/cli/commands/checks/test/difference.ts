/** A line of one text, of the other one, or of both. */
export type DiffLine = { readonly mark: "-" | "+" | " "; readonly text: string };

/** How many equal lines are shown around those that differ. */
const CONTEXT = 2;

/** The lines that differ, with those around them; "..." stands for the equal ones between. None if the texts are equal. */
export function formatDifference(from: string, to: string): readonly string[] {
  const lines = compareLines(from.trimEnd().split("\n"), to.trimEnd().split("\n"));
  const changed = lines.flatMap(({ mark }, i) => (mark === " " ? [] : [i]));
  const isShown = (at: number): boolean => changed.some((i) => Math.abs(i - at) <= CONTEXT);
  return lines.flatMap(({ mark, text }, i) => {
    if (isShown(i)) return [`${mark} ${text}`.trimEnd()];
    return changed.length > 0 && (i === 0 || isShown(i - 1)) ? ["  ..."] : [];
  });
}

/** By a longest common subsequence. */
function compareLines(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  const lengths = measureCommon(from, to);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    const a = from[i];
    const b = to[j];
    if (a !== undefined && a === b) {
      lines.push({ mark: " ", text: a });
      i += 1;
      j += 1;
    } else if (a !== undefined && (b === undefined || at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      lines.push({ mark: "-", text: a });
      i += 1;
    } else {
      lines.push({ mark: "+", text: b ?? "" });
      j += 1;
    }
  }
  return lines;
}

/** Of the lines from i and from j on. */
function measureCommon(from: readonly string[], to: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: from.length + 1 }, () => Array.from({ length: to.length + 1 }, () => 0));
  for (let i = from.length - 1; i >= 0; i -= 1)
    for (let j = to.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row === undefined) continue;
      row[j] =
        from[i] === to[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
