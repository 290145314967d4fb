const MOST_CHARACTERS = 450;
/** Of the words of the shorter entry, the share that the other may have too. */
const MOST_IN_COMMON = 0.7;
const FEWEST_WORDS = 5;

/** Entries of one release that say the same, and those too long for a reader of changes. */
export function findChangelogFaults(changelog: string): readonly string[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((release) => {
      const entries = release.split("\n").filter((line) => line.startsWith("- "));
      const long = entries.filter((entry) => entry.length > MOST_CHARACTERS);
      const words = entries.map(listWords);
      const doubles = entries.flatMap((entry, i) => {
        const other = entries.findIndex((_, j) => j < i && isSimilar(words[i] ?? new Set(), words[j] ?? new Set()));
        return other === -1 ? [] : [`said twice: ${entry} / ${entries[other]}`];
      });
      return [...long.map((entry) => `longer than ${MOST_CHARACTERS} characters: ${entry}`), ...doubles];
    });
}

function listWords(entry: string): ReadonlySet<string> {
  return new Set(entry.toLowerCase().match(/[a-z0-9_-]{3,}/g));
}

function isSimilar(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shorter = Math.min(a.size, b.size);
  const common = [...a].filter((word) => b.has(word)).length;
  return common > MOST_IN_COMMON * shorter && shorter >= FEWEST_WORDS;
}
