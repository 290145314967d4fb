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
  const parts = /^rgb\(([^()]*)\)$/.exec(text)?.[1]?.split(",") ?? [];
  const numbers = parts.flatMap((part) => /^[\t\n\f\r ]*(0|[1-9]\d{0,2})[\t\n\f\r ]*$/.exec(part)?.[1] ?? []);
  return parts.length === 3 && numbers.length === 3 && numbers.every((number) => Number(number) <= 255);
}

/** The sum of weighted digits is a multiple of the modulus; an X is ten. */
function hasCheckDigit(digits: string, modulus: number, weigh: (digit: number, place: number) => number): boolean {
  const sum = [...digits].reduce((total, digit, i) => total + weigh(digit === "X" ? 10 : Number(digit), i), 0);
  return sum % modulus === 0;
}

function removeSeparators(text: string): string {
  return text.replaceAll(/[\t\n\f\r -]+/g, "");
}

export function isIsbn10(text: string): boolean {
  const plain = removeSeparators(text);
  return /^\d{9}[\dX]$/.test(plain) && hasCheckDigit(plain, 11, (digit, i) => digit * (i + 1));
}

export function isIsbn13(text: string): boolean {
  const plain = removeSeparators(text);
  return /^\d{13}$/.test(plain) && hasCheckDigit(plain, 10, (digit, i) => (i % 2 === 0 ? digit : digit * 3));
}

/** Known issuers, by first digits and lengths. */
const CARD_NUMBERS =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Characters other than digits are dropped before the number and its check digit are validated. */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, "");
  return CARD_NUMBERS.test(digits) && hasCheckDigit(digits, 10, (digit, i) => luhn(digit, digits.length - i));
}

/** From the right, every second digit is doubled, and its own digits are added. */
function luhn(digit: number, placeFromRight: number): number {
  if (placeFromRight % 2 === 1) return digit;
  return digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
}
