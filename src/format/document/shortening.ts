import { countCharacters, takeCharacters } from "../../model/characters.ts";

const ELLIPSIS = "…";

/** At most `limit` characters of a text: a longer one is cut between words and ends with "…". */
export function shorten(text: string, limit: number): string {
  if (countCharacters(text) <= limit) return text;
  if (limit < 1) return "";
  const room = takeCharacters(text, limit - 1);
  const whole = /\s/.test(text.charAt(room.length)) ? room : cutAtLastWord(room);
  return `${whole.replace(/[\s.,:;(]+$/, "")}${ELLIPSIS}`;
}

/** A text without a word boundary in its second half (a long path, base64) is cut anywhere. */
function cutAtLastWord(text: string): string {
  const end = text.search(/\s\S*$/);
  return end * 2 >= text.length ? text.slice(0, end) : text;
}

/** A shorter first part is useless; the whole text is then shortened instead. */
const MIN_FIRST_PART = 40;

/** At most `limit` characters of a text, with its `end` (the remediation) kept whole if enough of the first part remains. */
export function shortenKeeping(end: string, text: string, limit: number): string {
  if (countCharacters(text) <= limit) return text;
  const room = limit - countCharacters(end) - 1;
  if (end === "" || !text.endsWith(end) || room < MIN_FIRST_PART) return shorten(text, limit);
  const first = text.slice(0, text.length - end.length).trimEnd();
  return `${shorten(first, room)} ${end}`;
}
