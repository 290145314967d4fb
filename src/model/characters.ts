/**
 * A character is a Unicode code point, as the Kubernetes API counts lengths (Go's utf8.RuneCount):
 * neither UTF-16 code units nor bytes.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `limit` characters; never half of one. */
export function takeCharacters(text: string, limit: number): string {
  let count = 0;
  let units = 0;
  for (const character of text) {
    if (count === limit) break;
    count += 1;
    units += character.length;
  }
  return text.slice(0, units);
}
