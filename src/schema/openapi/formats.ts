import { hasFeature } from "./server-features.ts";
import { isEmail, isCidr, isIpv4, isIpv6, isMac, isRequestUri } from "./addresses.ts";
import type { FormatValidator, SchemaType } from "./structural-schema.ts";
import { RE2JS } from "re2js";

/**
 * The string formats that a kube-apiserver validates (apiextensions-apiserver's list of supported formats), without the dashes in their
 * names, as there. Every other format is ignored, for example "ip".
 */
const STRING_FORMATS: ReadonlyMap<string, FormatValidator> = new Map<string, FormatValidator>([
  ["bsonobjectid", (text) => /^[0-9a-f]{24}$/i.test(text)],
  ["byte", isBase64],
  ["cidr", isCidr],
  ["creditcard", isCreditCard],
  ["date", isDate],
  ["datetime", isDateTime],
  ["duration", isDuration],
  ["email", isEmail],
  ["hexcolor", (text) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["mac", isMac],
  ["password", () => true],
  ["rgbcolor", isRgbColor],
  ["ssn", (text) => /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text)],
  ["uri", isRequestUri],
  ["uuid", (text) => isUuid(text)],
  ["uuid3", (text) => isUuid(text, "3")],
  ["uuid4", (text) => isUuid(text, "4")],
  ["uuid5", (text) => isUuid(text, "5")],
]);

const NAME_FORMATS: ReadonlyMap<string, FormatValidator> = new Map([
  ["k8sshortname", isDns1123Label],
  ["k8slongname", isDns1123Subdomain],
]);

type StringFormat = { readonly name: string; readonly validator: FormatValidator | undefined };
const NO_FORMAT: StringFormat = { name: "", validator: undefined };

/** The format as Kubernetes 1.`minor` applies it to these types; without a validator if the API server ignores it. */
export function findFormat(name: string, types: readonly SchemaType[], minor: number): StringFormat {
  const type = types.length === 1 ? types[0] : undefined;
  if (type === "integer") return name === "int32" || name === "int64" ? { name, validator: undefined } : NO_FORMAT;
  if (type === "number") return name === "float" || name === "double" ? { name, validator: undefined } : NO_FORMAT;
  if (type !== undefined && type !== "string" && hasFeature("formatsByType", minor)) return NO_FORMAT;
  const plain = name.replaceAll("-", "");
  const validator =
    STRING_FORMATS.get(plain) ?? (hasFeature("nameFormats", minor) ? NAME_FORMATS.get(plain) : undefined);
  return validator === undefined ? NO_FORMAT : { name, validator };
}

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

function isRgbColor(text: string): boolean {
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

function isIsbn10(text: string): boolean {
  const plain = removeSeparators(text);
  return /^\d{9}[\dX]$/.test(plain) && hasCheckDigit(plain, 11, (digit, i) => digit * (i + 1));
}

function isIsbn13(text: string): boolean {
  const plain = removeSeparators(text);
  return /^\d{13}$/.test(plain) && hasCheckDigit(plain, 10, (digit, i) => (i % 2 === 0 ? digit : digit * 3));
}

/** Known issuers, by first digits and lengths. */
const CARD_NUMBERS =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Characters other than digits are dropped before the number and its check digit are validated. */
function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, "");
  return CARD_NUMBERS.test(digits) && hasCheckDigit(digits, 10, (digit, i) => luhn(digit, digits.length - i));
}

/** From the right, every second digit is doubled, and its own digits are added. */
function luhn(digit: number, placeFromRight: number): number {
  if (placeFromRight % 2 === 1) return digit;
  return digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
}

const MARK = "a-zA-Z0-9\\p{S}\\p{L}";
const LABEL = `[${MARK}](?:[-${MARK}]{0,61}[${MARK}])?`;
const HOSTNAME = `^(?:[${MARK}](?:-?[${MARK}]{0,62})?|(?:${LABEL}\\.)+[a-zA-Z\\p{L}]{2,63})$`;

/** Compiled when first used: classes of all scripts take some 20 ms, and few schemas have host names. */
let hostname: RE2JS | undefined;

export function countBytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Letters and symbols of any script are allowed; the last part of a name with dots must be letters only. */
function isHostname(text: string): boolean {
  if (text.length > 255 || countBytes(text) > 255) return false;
  hostname ??= RE2JS.compile(HOSTNAME);
  return hostname.test(text) && text.split(".").every((label) => countBytes(label) <= 63);
}

const DNS_LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const ONE_LABEL = new RegExp(`^${DNS_LABEL}$`);
const SUBDOMAIN = new RegExp(String.raw`^${DNS_LABEL}(?:\.${DNS_LABEL})*$`);

/** A DNS label in lower case. */
export function isDns1123Label(text: string): boolean {
  return text.length <= 63 && ONE_LABEL.test(text);
}

/** DNS labels in lower case with dots between them. */
export function isDns1123Subdomain(text: string): boolean {
  return text.length <= 253 && SUBDOMAIN.test(text);
}

/** A DNS label that begins with a letter, as required of a kind in lower case. */
export function isDns1035Label(text: string): boolean {
  return isDns1123Label(text) && /^[a-z]/.test(text);
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/;

export function isLabelValue(text: string): boolean {
  return text === "" || (text.length <= 63 && NAME.test(text));
}

/** A name, or a DNS subdomain, a slash and a name. */
export function isQualifiedName(text: string): boolean {
  const parts = text.split("/");
  const [prefix, name] = parts.length === 1 ? [undefined, parts[0]] : parts;
  if (parts.length > 2 || name === undefined || name.length > 63 || !NAME.test(name)) return false;
  return prefix === undefined || isDns1123Subdomain(prefix);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** YYYY-MM-DD, a day that exists. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const days = month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/;

/** A date, T, a time of day with an offset. As in the API server, anything after a second T is ignored. */
export function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split("t");
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = TIME.exec(time);
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

/** Go's own durations: "1h30m", "-1.5s", "0". */
const GO_DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;
const MAX_INT64 = 2n ** 63n - 1n;
const UNIT = /^(?:ns|us|\u00b5s|ms|s|m|h|hr|d|w|wk|(?:nano|micro|milli|sec|min|hour|day|week).*)$/;

/** A Go duration, or any text that contains a number and a unit of time such as "3 days". */
function isDuration(text: string): boolean {
  if (GO_DURATION.test(text) && hasOnlyInt64Numbers(text.replaceAll(/\.\d*/g, ""))) return true;
  // The unit is optional, so that the pattern never backtracks to a later digit.
  const parts = [...text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]*)/g)].filter((part) => part[2] !== "");
  if (!hasOnlyInt64Numbers(parts.map((part) => part[1]).join(" "))) return false;
  return parts.some((part) => UNIT.test((part[2] ?? "").toLowerCase()));
}

/** Do all numbers in the text fit 64 bits? */
function hasOnlyInt64Numbers(text: string): boolean {
  return [...text.matchAll(/\d+/g)].every(([digits]) => digits.length < 19 || BigInt(digits.slice(0, 40)) <= MAX_INT64);
}
