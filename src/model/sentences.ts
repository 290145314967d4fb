/** As many whole sentences as fit into `limit` characters, the first one in any case; "..." stands for the others. */
export function takeSentences(text: string, limit: number): string {
  const [first = "", ...others] = text.split(/(?<=[.!?]["')]?) (?=["'(]?[A-Z])/);
  let taken = first;
  for (const sentence of others) {
    if (taken.length + 1 + sentence.length > limit) return `${taken.replace(/[.!?]$/, "")}...`;
    taken += ` ${sentence}`;
  }
  return taken;
}
