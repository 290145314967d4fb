const MAX_WORDS = 25;

/** The sentences that nobody reads at once. What stands in quotes or parentheses, such as a command or a list of releases, is one word. */
export function findLongSentences(text: string): readonly string[] {
  const plain = text.replaceAll(/"[^"]*"/g, "…").replaceAll(/'[^']*'(?=[\s.,;:)])/g, "…");
  return plain
    .replaceAll(/\([^()]*\)/g, "…")
    .split(/(?<=[.!?:;])\s+/)
    .filter((sentence) => sentence.split(/\s+/).length > MAX_WORDS);
}
