import { type CalendarTime, toCalendarTime } from "../values/timestamp.ts";
import {
  NO_OVERLOAD,
  UnsupportedError,
  type TimestampValue,
  type CelValue,
  buildError,
  isKind,
} from "../values/value.ts";
import { type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";

type ReadTimePart = (clock: CalendarTime, time: TimestampValue) => number;

/** A part of a time, in UTC or in a zone given as an offset; of a duration, if it has such a part, the whole in that unit. */
function defineTimePart(read: ReadTimePart, unit?: bigint): FunctionRow {
  const types = "timestamp.() int | timestamp.(string) int";
  const call: FunctionRow["call"] = ([of = null, zone]) => {
    if (isKind(of, "duration") && zone === undefined && unit !== undefined) return of.nanos / unit;
    if (!isKind(of, "timestamp") || (zone !== undefined && typeof zone !== "string")) return NO_OVERLOAD;
    const offset = zone === undefined ? 0 : parseOffset(zone);
    if (typeof offset !== "number") return offset;
    return BigInt(read(toCalendarTime(of.seconds + offset), of));
  };
  return { types: unit === undefined ? types : `${types} | duration.() int`, call };
}

/** Seconds east of UTC. */
function parseOffset(zone: string): number | CelValue {
  if (zone === "" || zone === "UTC") return 0;
  if (!zone.includes(":")) return findZone(zone);
  const match = /^([+-]?\d{1,4}):([+-]?\d{1,4})$/.exec(zone);
  if (!match) return buildError(`invalid time zone ${zone}`);
  const hours = Number(match[1]);
  const minutes = Number(match[2]);
  return (hours * 60 + (zone.startsWith("-") ? -minutes : minutes)) * 60;
}

/** What a zone's name stands for depends on the data of the server, unless there is no such zone. */
function findZone(name: string): CelValue {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    if (name !== "Local") return buildError(`unknown time zone ${name}`);
  }
  throw new UnsupportedError(`the time zone ${name} is not supported`);
}

export const TIMES = buildApiServerLibrary("rules", {
  getFullYear: defineTimePart(({ year }) => year),
  getMonth: defineTimePart(({ month }) => month),
  getDayOfYear: defineTimePart(({ dayOfYear }) => dayOfYear),
  getDayOfMonth: defineTimePart(({ day }) => day - 1),
  getDate: defineTimePart(({ day }) => day),
  getDayOfWeek: defineTimePart(({ dayOfWeek }) => dayOfWeek),
  getHours: defineTimePart(({ hours }) => hours, 3_600_000_000_000n),
  getMinutes: defineTimePart(({ minutes }) => minutes, 60_000_000_000n),
  getSeconds: defineTimePart(({ seconds }) => seconds, 1_000_000_000n),
  getMilliseconds: defineTimePart((_, { nanos }) => Math.floor(nanos / 1_000_000), 1_000_000n),
});
