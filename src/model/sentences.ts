import { takeCharacters } from "./characters.ts";

const SENTENCE = /(?<=[.!?]["')]?) (?=["'(]?[A-Z])/;
/** A comma in quotes, such as in a command, ends nothing. */
const CLAUSE = /(?<=,|[.!?]["')]?) (?=(?:[^"]*"[^"]*")*[^"]*$)/;

/** Nobody reads more on a first screen, and looking for quotes takes the square of the length. */
const MAX_SEARCHED = 1_000;

/** As many whole sentences as fit into `limit` characters, the first one in any case; "..." stands for the others. */
export function takeSentences(text: string, limit: number): string {
  return takeParts(text, SENTENCE, limit);
}

/** The same of sentences and of their parts between commas. */
export function takeClauses(text: string, limit: number): string {
  return takeParts(text, CLAUSE, limit);
}

function takeParts(text: string, boundary: RegExp, limit: number): string {
  if (text.length <= limit) return text;
  const [first = "", ...others] = takeCharacters(text, MAX_SEARCHED).split(boundary);
  let taken = first;
  for (const part of others) {
    if (taken.length + 1 + part.length > limit) break;
    taken += ` ${part}`;
  }
  return taken === text ? text : `${taken.replace(/[.,!?]$/, "")}...`;
}
