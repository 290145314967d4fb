import { type Act, type Named, isKind } from "./fn.ts";
import { type Clock, clockOf } from "./timestamp-text.ts";
import { NO_OVERLOAD, NotJudged, type Timestamp, type Value, failure } from "./value.ts";

type Read = (clock: Clock, time: Timestamp) => number;

/** A part of a time, in UTC or in a zone given as an offset; of a duration, if it has such a part, the whole in that unit. */
function part(read: Read, unit?: bigint): Act {
  return ([of = null, zone]) => {
    if (isKind(of, "duration") && zone === undefined && unit !== undefined) return of.nanos / unit;
    if (!isKind(of, "timestamp") || (zone !== undefined && typeof zone !== "string")) return NO_OVERLOAD;
    const offset = zone === undefined ? 0 : offsetOf(zone);
    if (typeof offset !== "number") return offset;
    return BigInt(read(clockOf(of.seconds + offset), of));
  };
}

/** Seconds east of UTC. */
function offsetOf(zone: string): number | Value {
  if (zone === "" || zone === "UTC") return 0;
  if (!zone.includes(":")) throw new NotJudged(`the time zone ${zone} is not known here`);
  const found = /^([+-]?\d{1,4}):([+-]?\d{1,4})$/.exec(zone);
  if (!found) return failure(`invalid time zone ${zone}`);
  const [hours, minutes] = [Number(found[1]), Number(found[2])];
  return (hours * 60 + (zone.startsWith("-") ? -minutes : minutes)) * 60;
}

function named(name: string, act: Act): Named[number] {
  return [name, { least: 1, most: 2, act }];
}

export const TIME_METHODS: Named = [
  named(
    "getFullYear",
    part(({ year }) => year),
  ),
  named(
    "getMonth",
    part(({ month }) => month),
  ),
  named(
    "getDayOfYear",
    part(({ dayOfYear }) => dayOfYear),
  ),
  named(
    "getDayOfMonth",
    part(({ day }) => day - 1),
  ),
  named(
    "getDate",
    part(({ day }) => day),
  ),
  named(
    "getDayOfWeek",
    part(({ dayOfWeek }) => dayOfWeek),
  ),
  named(
    "getHours",
    part(({ hours }) => hours, 3_600_000_000_000n),
  ),
  named(
    "getMinutes",
    part(({ minutes }) => minutes, 60_000_000_000n),
  ),
  named(
    "getSeconds",
    part(({ seconds }) => seconds, 1_000_000_000n),
  ),
  named(
    "getMilliseconds",
    part((_, { nanos }) => Math.floor(nanos / 1_000_000), 1_000_000n),
  ),
];
