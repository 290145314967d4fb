import type { DurationValue, TimestampValue } from "./value.ts";
import { isDate } from "../../openapi/index.ts";

export const NANOS_PER_SECOND = 1_000_000_000n;
const GO_UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["\u00b5s", 1_000n],
  ["\u03bcs", 1_000n],
  ["ms", 1_000_000n],
  ["s", NANOS_PER_SECOND],
  ["m", 60n * NANOS_PER_SECOND],
  ["h", 3_600n * NANOS_PER_SECOND],
]);
const GO_DURATION = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;
const MAX_NANOS = 2n ** 63n;

/** A text that Go's time.ParseDuration accepts. */
export function parseDuration(text: string): DurationValue | undefined {
  if (/^[+-]?0$/.test(text)) return { kind: "duration", nanos: 0n };
  const match = GO_DURATION.exec(text);
  if (!match) return undefined;
  let nanos = 0n;
  for (const [, number = "", unit = ""] of (match[2] ?? "").matchAll(/([\d.]+)([a-z\u00b5\u03bc]+)/g)) {
    nanos += parseNanos(number, GO_UNITS.get(unit) ?? 1n);
    if (nanos > MAX_NANOS) return undefined;
  }
  const isNegative = match[1] === "-";
  if (nanos === MAX_NANOS && !isNegative) return undefined;
  return { kind: "duration", nanos: isNegative ? -nanos : nanos };
}

function parseNanos(number: string, unit: bigint): bigint {
  const [whole = "", fraction = ""] = number.split(".");
  const digits = fraction.slice(0, 18);
  const rest = digits === "" ? 0n : (BigInt(digits) * unit) / 10n ** BigInt(digits.length);
  const significant = whole.replace(/^0+/, "");
  return significant.length > MOST_DIGITS ? MAX_NANOS + 1n : BigInt(significant) * unit + rest;
}

/** Of MAX_NANOS. */
const MOST_DIGITS = 19;

const DAY = 86_400n * NANOS_PER_SECOND;
/** The last name of each unit also stands for all that begin with it. */
const UNIT_WORDS: readonly (readonly [bigint, readonly string[], string])[] = [
  [1n, ["ns"], "nano"],
  [1_000n, ["us", "\u00b5s"], "micro"],
  [1_000_000n, ["ms"], "milli"],
  [NANOS_PER_SECOND, ["s"], "sec"],
  [60n * NANOS_PER_SECOND, ["m"], "min"],
  [3_600n * NANOS_PER_SECOND, ["h", "hr"], "hour"],
  [DAY, ["d"], "day"],
  [7n * DAY, ["w", "wk"], "week"],
];

/** A field of the format "duration" as the API server reads it: as Go does, or every number that is followed by a unit. */
export function parseDurationField(text: string): DurationValue | undefined {
  const plain = parseDuration(text);
  if (plain) return plain;
  let nanos: bigint | undefined;
  for (const [, digits = "", word = ""] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]*)/g)) {
    if (BigInt(digits) >= MAX_NANOS) return undefined;
    const unit = UNIT_WORDS.find(([, names, stem]) => isUnit(word.toLowerCase(), names, stem));
    if (unit) nanos = BigInt.asIntN(64, (nanos ?? 0n) + BigInt(digits) * unit[0]);
  }
  return nanos === undefined ? undefined : { kind: "duration", nanos };
}

function isUnit(word: string, names: readonly string[], stem: string): boolean {
  return names.includes(word) || word.startsWith(stem);
}

/** Seconds as Go prints them: the shortest digits that give the same float, without an exponent. */
export function formatDuration({ nanos }: DurationValue): string {
  const seconds = Number(nanos / NANOS_PER_SECOND) + Number(nanos % NANOS_PER_SECOND) / 1e9;
  const text = String(seconds);
  return `${text.includes("e") ? seconds.toFixed(9).replace(/0+$/, "") : text}s`;
}

/** The first second of year 1 and the last of year 9999. */
export const FIRST_SECOND = -62_135_596_800;
export const LAST_SECOND = 253_402_300_799;

const LAST_CALENDAR_SECOND = 8_640_000_000_000;

const TIME = /^(\d{4}-\d{2}-\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})?$/;

/** A day at midnight, UTC. */
export function parseDate(text: string): TimestampValue | undefined {
  return isDate(text) ? { kind: "timestamp", seconds: parseDaySeconds(text), nanos: 0, offset: 0 } : undefined;
}

/** A field of format "date-time": RFC 3339 with an optional offset; an empty text is 1970. */
export function parseDateTime(text: string): TimestampValue | undefined {
  if (text === "") return { kind: "timestamp", seconds: 0, nanos: 0, offset: 0 };
  return parseRfc3339(text, false);
}

/** Parses the argument of `timestamp`: RFC 3339 with an offset, between the years 1 and 9999. */
export function parseTimestamp(text: string): TimestampValue | undefined {
  const time = parseRfc3339(text, true);
  return time && time.seconds >= FIRST_SECOND && time.seconds <= LAST_SECOND ? time : undefined;
}

function parseRfc3339(text: string, needsOffset: boolean): TimestampValue | undefined {
  const [, date = "", hour = "", minute = "", second = "", fraction = "", offset] = TIME.exec(text) ?? [];
  if (!isDate(date) || (needsOffset && offset === undefined)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const away = parseOffset(offset ?? "Z");
  if (away === undefined) return undefined;
  const time = Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
  const nanos = Number(fraction.slice(0, 9).padEnd(9, "0"));
  return { kind: "timestamp", seconds: parseDaySeconds(date) + time - away, nanos, offset: away };
}

function parseOffset(offset: string): number | undefined {
  if (offset === "Z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(4, 6));
  if (hours > 24 || minutes > 60) return undefined;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 3_600 + minutes * 60);
}

function parseDaySeconds(date: string): number {
  return toDate(`${date}T00:00:00Z`).getTime() / 1_000;
}

/** In milliseconds or as text. It is a calendar here, and never asked for the time of day. */
function toDate(time: number | string): Date {
  // oxlint-disable-next-line no-restricted-globals
  return new Date(time);
}

/** Calendar date and time of day. Months and days of the year count from 0, days of the month from 1, and Sunday is 0. */
export type CalendarTime = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly dayOfYear: number;
  readonly dayOfWeek: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
};

export function toCalendarTime(seconds: number): CalendarTime {
  const date = toDate(seconds * 1_000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    dayOfYear: Math.floor((date.getTime() - toDate(seconds * 1_000).setUTCMonth(0, 1)) / 86_400_000),
    dayOfWeek: date.getUTCDay(),
    hours: date.getUTCHours(),
    minutes: date.getUTCMinutes(),
    seconds: date.getUTCSeconds(),
  };
}

/** A time in nanoseconds since 1970; undefined if it is beyond what a calendar has here. */
export function buildTimestamp(total: bigint): TimestampValue | undefined {
  const nanos = Number(((total % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND);
  const seconds = Number((total - BigInt(nanos)) / NANOS_PER_SECOND);
  return Math.abs(seconds) > LAST_CALENDAR_SECOND ? undefined : { kind: "timestamp", seconds, nanos, offset: 0 };
}

/** RFC 3339 with the original offset and as many fractional digits as needed. */
export function formatTimestamp({ seconds, nanos, offset }: TimestampValue): string {
  const [time = ""] = toDate((seconds + offset) * 1_000)
    .toISOString()
    .replace(/^\+?(-?)0{0,2}(?=\d{4,}-)/, "$1")
    .split(".");
  const two = (value: number): string => String(value).padStart(2, "0");
  const away = Math.floor(Math.abs(offset) / 60);
  const zone = offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${two(Math.floor(away / 60))}:${two(away % 60)}`;
  const fraction = nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return `${time}${fraction}${zone}`;
}
