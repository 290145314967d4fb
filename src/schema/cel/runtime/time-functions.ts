import { type FunctionImplementation, type NamedFunctions, isKind } from "./function-binding.ts";
import { type CalendarTime, toCalendarTime } from "./values/timestamp.ts";
import { NO_OVERLOAD, UnsupportedError, type TimestampValue, type CelValue, buildError } from "./values/value.ts";

type ReadTimePart = (clock: CalendarTime, time: TimestampValue) => number;

/** A part of a time, in UTC or in a zone given as an offset; of a duration, if it has such a part, the whole in that unit. */
function defineTimePart(read: ReadTimePart, unit?: bigint): FunctionImplementation {
  return ([of = null, zone]) => {
    if (isKind(of, "duration") && zone === undefined && unit !== undefined) return of.nanos / unit;
    if (!isKind(of, "timestamp") || (zone !== undefined && typeof zone !== "string")) return NO_OVERLOAD;
    const offset = zone === undefined ? 0 : parseOffset(zone);
    if (typeof offset !== "number") return offset;
    return BigInt(read(toCalendarTime(of.seconds + offset), of));
  };
}

/** Seconds east of UTC. */
function parseOffset(zone: string): number | CelValue {
  if (zone === "" || zone === "UTC") return 0;
  if (!zone.includes(":")) throw new UnsupportedError(`the time zone ${zone} is not supported`);
  const match = /^([+-]?\d{1,4}):([+-]?\d{1,4})$/.exec(zone);
  if (!match) return buildError(`invalid time zone ${zone}`);
  const [hours, minutes] = [Number(match[1]), Number(match[2])];
  return (hours * 60 + (zone.startsWith("-") ? -minutes : minutes)) * 60;
}

function defineMethod(name: string, call: FunctionImplementation): NamedFunctions[number] {
  return [name, { min: 1, max: 2, call }];
}

export const TIME_METHODS: NamedFunctions = [
  defineMethod(
    "getFullYear",
    defineTimePart(({ year }) => year),
  ),
  defineMethod(
    "getMonth",
    defineTimePart(({ month }) => month),
  ),
  defineMethod(
    "getDayOfYear",
    defineTimePart(({ dayOfYear }) => dayOfYear),
  ),
  defineMethod(
    "getDayOfMonth",
    defineTimePart(({ day }) => day - 1),
  ),
  defineMethod(
    "getDate",
    defineTimePart(({ day }) => day),
  ),
  defineMethod(
    "getDayOfWeek",
    defineTimePart(({ dayOfWeek }) => dayOfWeek),
  ),
  defineMethod(
    "getHours",
    defineTimePart(({ hours }) => hours, 3_600_000_000_000n),
  ),
  defineMethod(
    "getMinutes",
    defineTimePart(({ minutes }) => minutes, 60_000_000_000n),
  ),
  defineMethod(
    "getSeconds",
    defineTimePart(({ seconds }) => seconds, 1_000_000_000n),
  ),
  defineMethod(
    "getMilliseconds",
    defineTimePart((_, { nanos }) => Math.floor(nanos / 1_000_000), 1_000_000n),
  ),
];
