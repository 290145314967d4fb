import { FURTHER_RISKS, FURTHER_RISKS_URL } from "../../model/document.ts";
import { formatCount, countCharacters, takeCharacters } from "../../model/text.ts";
import { limitSiteRisks } from "../../model/check-origin.ts";

/** A risk's texts before they are fitted into the budget. `message` ends with `remediation`. */
export type UnfittedRisk = {
  readonly name: string;
  readonly unknown: boolean;
  readonly message: string;
  readonly remediation: string;
  readonly url: string;
};

export const MAX_RISKS = 50;
/** Characters of one message. */
export const MAX_MESSAGE = 1_000;
/** Characters of all messages and urls: the operator joins them into one condition of at most 32,768 characters. */
export const MAX_TEXT = 16_000;
/** Messages are not cut below this length to make room for others: risks are left out instead. */
const MIN_MESSAGE = 150;

/**
 * Fits risks into one document, in the order given. Long texts are shortened first, all to the same length;
 * if that is not enough, risks are left out, those of incomplete checks first, and one last risk counts them.
 */
export function fitToBudget(risks: readonly UnfittedRisk[]): readonly UnfittedRisk[] {
  const byWorth = [...risks.filter(({ unknown }) => !unknown), ...risks.filter(({ unknown }) => unknown)];
  const { within, beyond } = limitSiteRisks(byWorth, ({ name }) => name);
  for (let kept = within.length; kept > 0; kept -= 1) {
    const result = tryFit(risks, [...within.slice(kept), ...beyond]);
    if (result) return result;
  }
  return risks.length === 0 ? [] : [buildFurtherRisks(risks)];
}

function tryFit(risks: readonly UnfittedRisk[], cut: readonly UnfittedRisk[]): readonly UnfittedRisk[] | undefined {
  const rest = new Set(cut);
  const kept = risks.filter((risk) => !rest.has(risk));
  const last = cut.length === 0 ? [] : [buildFurtherRisks(cut)];
  if (kept.length + last.length > MAX_RISKS) return undefined;
  const urls = sum([...kept, ...last].map(({ url }) => countCharacters(url)));
  const room = MAX_TEXT - urls - sum(last.map(({ message }) => countCharacters(message)));
  const limit = getCommonLimit(
    kept.map(({ message }) => countCharacters(message)),
    room,
  );
  if (limit < MIN_MESSAGE) return undefined;
  const shorten = (risk: UnfittedRisk): string => shortenKeeping(risk.remediation, risk.message, limit);
  return [...kept.map((risk) => ({ ...risk, message: shorten(risk) })), ...last];
}

/** The greatest length to which texts have to be cut so that together they fit: the room that a short text leaves is for the others. */
function getCommonLimit(lengths: readonly number[], room: number): number {
  let rest = room;
  for (const [i, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(rest / (lengths.length - i));
    if (length > Math.min(share, MAX_MESSAGE)) return Math.min(share, MAX_MESSAGE);
    rest -= length;
  }
  return MAX_MESSAGE;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const REMEDIATION =
  'Run "preflight check -o json" against the same target to list all of them; resolve the risks named here first.';

/** The last risk of a document that can't hold all: it counts the others and says how to list them. */
function buildFurtherRisks(cut: readonly UnfittedRisk[]): UnfittedRisk {
  const unknownCount = cut.filter(({ unknown }) => unknown).length;
  const riskCount = cut.length - unknownCount;
  const message = [
    ...(riskCount > 0
      ? [`${riskCount} more ${riskCount === 1 ? "risk applies" : "risks apply"} to this cluster.`]
      : []),
    ...(unknownCount > 0 ? [`${formatCount(unknownCount, "more check")} could not be completed.`] : []),
    "They do not fit into one document.",
    REMEDIATION,
  ].join(" ");
  return { name: FURTHER_RISKS, unknown: riskCount === 0, message, remediation: REMEDIATION, url: FURTHER_RISKS_URL };
}

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
