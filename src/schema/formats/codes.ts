/** Base64 with padding. */
export function isBase64OrEmpty(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

export function isBase64(text: string): boolean {
  return text !== "" && isBase64OrEmpty(text);
}

/** A UUID in either case, its dashes optional; with a version, that one. */
export function isUuid(text: string, version?: "3" | "4" | "5"): boolean {
  const plain = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i.exec(text);
  if (!plain) return false;
  if (version === undefined) return true;
  if (plain[3]?.[0] !== version) return false;
  return version === "3" || /^[89ab]/i.test(plain[4] ?? "");
}

export function isRgbColor(text: string): boolean {
  const match =
    /^rgb\([\t\n\f\r ]*([0-9]{1,3})[\t\n\f\r ]*,[\t\n\f\r ]*([0-9]{1,3})[\t\n\f\r ]*,[\t\n\f\r ]*([0-9]{1,3})[\t\n\f\r ]*\)$/.exec(
      text,
    );
  return match !== null && match.slice(1).every((part) => String(Number(part)) === part && Number(part) <= 255);
}

function removeSeparators(text: string): string {
  return text.replaceAll(/[\t\n\f\r -]+/g, "");
}

export function isIsbn10(text: string): boolean {
  const plain = removeSeparators(text);
  if (!/^\d{9}[\dX]$/.test(plain)) return false;
  const sum = [...plain].reduce((total, digit, i) => total + (i + 1) * (digit === "X" ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const plain = removeSeparators(text);
  if (!/^\d{13}$/.test(plain)) return false;
  const sum = [...plain].reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return sum % 10 === 0;
}

/** Known issuers, by first digits and lengths. */
const CARD_NUMBERS =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Characters other than digits are dropped before the number and its check digit are validated. */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, "");
  if (!CARD_NUMBERS.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, i) => total + addLuhnDigit(Number(digit), i), 0);
  return sum % 10 === 0;
}

function addLuhnDigit(digit: number, place: number): number {
  if (place % 2 === 0) return digit;
  return digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
}
