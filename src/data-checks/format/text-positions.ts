/** What a source has more than its value: indentation and line breaks, backslashes of escapes, and quotes written twice. */
const SKIPPED = /[\s\\']/;

/**
 * Where the units of a scalar's value stand in its source, in which folded lines, quotes and escapes make offsets differ. `start`: where
 * the source of the value begins.
 */
export function listPositions(value: string, source: string, start: number): readonly number[] {
  let at = start;
  const positions = Array.from({ length: value.length }, (_, i) => {
    const unit = value[i] ?? "";
    if (/\s/.test(unit)) return source[at] === unit ? at++ : at;
    let found = at;
    while (source[found] !== unit && SKIPPED.test(source[found] ?? "")) found += 1;
    if (source[found] === unit) at = found + 1;
    return source[found] === unit ? found : at;
  });
  return [...positions, at];
}
