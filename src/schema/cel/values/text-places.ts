/** Where each character (code point) of a text begins, in UTF-16 units. Without pairs of surrogates the numbers are the same. */
export type TextPlaces = { readonly count: number; readonly starts: Uint32Array | undefined };

/** Of texts that rules index again and again: each call would walk through the whole text. */
const MOST_KEPT = 8;
/** Together, in UTF-16 units. A longer text is kept alone. */
const LONGEST_KEPT = 2 ** 20;
const SHORTEST_KEPT = 32;
const known = new Map<string, TextPlaces>();

export function findPlaces(text: string): TextPlaces {
  const kept = known.get(text);
  if (kept !== undefined) return kept;
  const places = listPlaces(text);
  if (text.length < SHORTEST_KEPT) return places;
  const length = [...known.keys()].reduce((sum, one) => sum + one.length, text.length);
  if (known.size >= MOST_KEPT || length > LONGEST_KEPT) known.clear();
  known.set(text, places);
  return places;
}

function listPlaces(text: string): TextPlaces {
  const starts = new Uint32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1) starts[count++] = at;
  return { count, starts: count === text.length ? undefined : starts.subarray(0, count) };
}

/** Where a character begins in UTF-16 units; the end of the text if it has no such character. */
export function toUnits(text: string, { count, starts }: TextPlaces, index: number): number {
  return index >= count ? text.length : (starts?.[index] ?? index);
}

/** How many characters begin before a place. */
export function toCharacters({ count, starts }: TextPlaces, units: number): number {
  if (starts === undefined) return units;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < units) low = middle + 1;
    else high = middle;
  }
  return low;
}
