/**
 * A character is a Unicode code point, as the Kubernetes API counts lengths (Go's utf8.RuneCount):
 * neither UTF-16 code units nor bytes.
 */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `limit` characters; never half of one. */
export function firstCharacters(text: string, limit: number): string {
  let [taken, units] = [0, 0];
  for (const character of text) {
    if (taken === limit) break;
    taken += 1;
    units += character.length;
  }
  return text.slice(0, units);
}
