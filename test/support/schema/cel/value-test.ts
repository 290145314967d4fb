import {
  type CelValue,
  type ObjectValue,
  buildList,
  isList,
  isMap,
  isObjectValue,
  buildMapKey,
} from "../../../../src/schema/cel/values/value.ts";
import { formatDuration, formatTimestamp } from "../../../../src/schema/cel/values/times.ts";
import { getMapKeys, findMapValue } from "../../../../src/schema/cel/values/equality.ts";
import { getListValues } from "../../../../src/schema/cel/values/unstructured.ts";

/** An expression that is true if `name` has this value and type, down to the last member. Values of the API server's own types are not compared. */
export function buildValueTest(name: string, value: CelValue): string {
  if (value === null) return `${name} == null`;
  if (isObjectValue(value)) return testObjectValue(name, value);
  if (typeof value === "number") return `type(${name}) == double && ${testDouble(name, value)}`;
  if (typeof value === "bigint") return `type(${name}) == int && ${name} == ${formatInt(value)}`;
  return `${name} == ${JSON.stringify(value)}`;
}

function testDouble(name: string, value: number): string {
  if (Number.isNaN(value)) return `string(${name}) == 'NaN'`;
  const isSame = `${name} == double('${String(value).replace("Infinity", "inf")}')`;
  return value === 0 ? `${isSame} && string(${name}) == '${Object.is(value, -0) ? "-0" : "0"}'` : isSame;
}

function formatInt(value: bigint): string {
  return value === -(2n ** 63n) ? "(-9223372036854775807 - 1)" : String(value);
}

function testObjectValue(name: string, value: ObjectValue): string {
  switch (value.kind) {
    case "list":
      return testMembers(
        name,
        "list",
        getListValues(value).map((item, i) => [`${name}[${i}]`, item]),
      );
    case "json":
    case "map":
      return testMembers(
        name,
        "map",
        getMapKeys(value).map((key) => [`${name}[${formatKey(key)}]`, findMapValue(value, key) ?? null]),
      );
    case "uint":
      return `type(${name}) == uint && ${name} == ${value.value}u`;
    case "bytes":
      return `${name} == b'${[...value.bytes].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`;
    case "timestamp":
      return `${name} == timestamp('${formatTimestamp(value)}')`;
    case "duration":
      return `${name} == duration('${formatDuration(value)}')`;
    case "type":
      return `${name} == ${value.name}`;
    case "optional":
      return value.value === undefined
        ? `!${name}.hasValue()`
        : `${name}.hasValue() && ${buildValueTest(`${name}.value()`, value.value)}`;
    case "ip":
    case "cidr":
    case "quantity":
    case "semver":
    case "url":
    case "format":
    case "empty":
      return `${name} == ${name}`;
    case "opaque":
    case "failure":
      throw new Error(`${name} has no value`);
  }
}

function testMembers(name: string, type: string, members: readonly (readonly [string, CelValue])[]): string {
  const named = members.filter(([member]) => !member.endsWith(UNNAMED));
  const tests = named.map(([member, value]) => `(${buildValueTest(member, value)})`).toSorted();
  return [`type(${name}) == ${type}`, `${name}.size() == ${members.length}`, ...tests].join(" && ");
}

/** A map may have members under keys that no selection can name. */
const UNNAMED = "[?]";

function formatKey(key: CelValue): string {
  if (typeof key === "string" || typeof key === "boolean") return JSON.stringify(key);
  if (typeof key === "bigint") return formatInt(key);
  return isObjectValue(key) && key.kind === "uint" ? `${key.value}u` : "?";
}

/** The same value with its maps in the opposite order. */
export function reverseMaps(value: CelValue): CelValue {
  if (isList(value)) return buildList(getListValues(value).map(reverseMaps));
  if (!isMap(value)) return value;
  const members = getMapKeys(value).map((key) => [key, reverseMaps(findMapValue(value, key) ?? null)] as const);
  return {
    kind: "map",
    entries: new Map(members.toReversed().map((member) => [buildMapKey(member[0]), member])),
  };
}
