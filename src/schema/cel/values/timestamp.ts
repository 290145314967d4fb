import { isDate } from "../../openapi/index.ts";
import { NANOS_PER_SECOND } from "./duration.ts";
import type { TimestampValue } from "./value.ts";

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
